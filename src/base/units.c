/* Reads numbers with units, and writes times and sizes with the unit that suits them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/units.h"

#include "base/error.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct unit {
    const char *name;
    int64_t factor;
};

static const struct unit time_units[] = {{"ps", 1},          {"ns", 1000},    {"us", 1000000},
                                         {"ms", 1000000000}, {"s", PS_PER_S}, {NULL, 0}};
static const struct unit size_units[] = {{"B", 1},      {"kB", 1000},     {"MB", 1000000},     {"GB", 1000000000},
                                         {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {NULL, 0}};
static const struct unit rate_units[] = {
    {"f", 1}, {"kf", 1000}, {"Mf", 1000000}, {"Gf", 1000000000}, {"Tf", INT64_C(1000000000000)}, {NULL, 0}};
static const struct unit bandwidth_units[] = {
    {"Bps", 1},      {"kBps", 1000},     {"MBps", 1000000},     {"GBps", 1000000000},
    {"KiBps", 1024}, {"MiBps", 1048576}, {"GiBps", 1073741824}, {NULL, 0}};
static const struct unit no_units[] = {{NULL, 0}};

static const struct {
    const struct unit *units;
    const char *known;
    const char *example;
    const char *whole; /* said of a fraction of the base unit; NULL where it is rounded */
    const char *too_large;
    int64_t bare;  /* factor of a number without unit; 0 where a unit is required */
    bool negative; /* whether a value below zero has a meaning */
} quantities[] = {
    [QUANTITY_COUNT] = {no_units, "", "a whole number such as 256", "is not a whole number", "is too large", 1, true},
    [QUANTITY_TIME] = {time_units, "ps ns us ms s", "a time such as 5us", NULL,
                       "is too large; the limit is 9223372 s, 106 days", 0, false},
    [QUANTITY_SIZE] = {size_units, "B kB MB GB KiB MiB GiB", "a size such as 64KiB", "is not a whole number of bytes",
                       "is too large", 1, false},
    [QUANTITY_RATE] = {rate_units, "f kf Mf Gf Tf", "a rate such as 4Gf", "is not a whole number of flop/s",
                       "is too large", 1, false},
    [QUANTITY_BANDWIDTH] = {bandwidth_units, "Bps kBps MBps GBps KiBps MiBps GiBps", "a bandwidth such as 12.5GBps",
                            "is not a whole number of bytes per second", "is too large", 0, false},
    [QUANTITY_REAL] = {no_units, "", "a number such as 0.05", "has more than six decimals", "is too large", UNITS_REAL,
                       true},
};

/* A decimal number as it is written: digits * 10^exponent. It stays in integers all the way, because a binary fraction
 * holds neither 0.27us nor 1.1kB exactly. */
struct decimal {
    bool negative;
    bool too_long; /* more significant digits than fit */
    int64_t digits;
    int exponent;
};

/* Far beyond any value that fits, and far from overflow. */
#define EXPONENT_LIMIT 10000000

/* Take up one digit. Zeros are counted in the exponent until another digit follows, so that 1.000 is the digit 1. */
static void decimal_add_digit(struct decimal *number, int digit, int *zeros)
{
    if (digit == 0) {
        *zeros += *zeros < EXPONENT_LIMIT;
        return;
    }
    for (; *zeros > 0 && !number->too_long; --*zeros)
        number->too_long = __builtin_mul_overflow(number->digits, 10, &number->digits);
    if (!number->too_long)
        number->too_long = __builtin_mul_overflow(number->digits, 10, &number->digits) ||
                           __builtin_add_overflow(number->digits, digit, &number->digits);
}

/* Read "e3" or "e-3"; without digits it is not an exponent but the beginning of a unit. */
static const char *decimal_read_exponent(struct decimal *number, const char *text)
{
    if (*text != 'e' && *text != 'E')
        return text;
    const char *p = text + 1;
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    if (!isdigit((unsigned char)*p))
        return text;
    int exponent = 0;
    for (; isdigit((unsigned char)*p); p++)
        if (exponent < EXPONENT_LIMIT)
            exponent = exponent * 10 + (*p - '0');
    number->exponent += negative ? -exponent : exponent;
    return p;
}

/* Read the number at the beginning of text; where it ends, or NULL if there is none. */
static const char *decimal_read(struct decimal *number, const char *text)
{
    const char *p = text + (*text == '-');
    int zeros = 0, n_digits = 0, n_fraction = 0;
    bool fraction = false;
    *number = (struct decimal){.negative = *text == '-'};
    for (; isdigit((unsigned char)*p) || (*p == '.' && !fraction); p++) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        decimal_add_digit(number, *p - '0', &zeros);
        n_digits++;
        n_fraction += fraction && n_fraction < EXPONENT_LIMIT;
    }
    number->exponent = zeros - n_fraction;
    return n_digits > 0 ? decimal_read_exponent(number, p) : NULL;
}

/* 0 where no such unit exists. */
static int64_t unit_factor(enum quantity quantity, const char *name)
{
    if (*name == '\0')
        return quantities[quantity].bare;
    for (const struct unit *unit = quantities[quantity].units; unit->name != NULL; unit++)
        if (strcmp(unit->name, name) == 0)
            return unit->factor;
    return 0;
}

/* Cancel one prime of 10^power against the factor, then against the digits; how many of it are left. */
static int cancel(int64_t *digits, int64_t *factor, int64_t prime, int power)
{
    for (; power > 0 && *factor % prime == 0; power--)
        *factor /= prime;
    for (; power > 0 && *digits % prime == 0; power--)
        *digits /= prime;
    return power;
}

/* value / (2^twos * 5^fives) to the nearest. Only the last halving rounds: what the divisions before it cut off cannot
 * move a value across a half. */
static int64_t divide_to_nearest(int64_t value, int twos, int fives)
{
    uint64_t twice = (uint64_t)value * 2;
    for (; fives > 0 && twice > 0; fives--)
        twice /= 5;
    for (; twos > 0 && twice > 0; twos--)
        twice /= 2;
    return (int64_t)((twice + 1) / 2);
}

enum scaling { SCALED, SCALED_ROUNDED, SCALED_TOO_LARGE };

/* *value = digits * 10^exponent * factor. The fraction is reduced before anything is multiplied, so that nothing
 * overflows whose value fits. If it does not come out whole, the factor of a time, a power of ten, is used up. */
static enum scaling decimal_scale(int64_t *value, const struct decimal *number, int64_t factor)
{
    int64_t digits = number->digits;
    int power = number->exponent < 0 && digits != 0 ? -number->exponent : 0;
    int twos = cancel(&digits, &factor, 2, power);
    int fives = cancel(&digits, &factor, 5, power);
    if (twos > 0 || fives > 0) {
        *value = divide_to_nearest(digits, twos, fives);
        return SCALED_ROUNDED;
    }
    bool too_large = __builtin_mul_overflow(digits, factor, value);
    for (int i = 0; i < number->exponent && digits != 0 && !too_large; i++)
        too_large = __builtin_mul_overflow(*value, 10, value);
    return too_large ? SCALED_TOO_LARGE : SCALED;
}

static int refuse_unit(enum quantity quantity, const char *text, const char *unit, char *why, size_t why_size)
{
    const char *known = quantities[quantity].known;
    if (*unit == '\0')
        return sim_error_why(why, why_size, "'%.80s' lacks a unit; known: %s", text, known);
    if (*known == '\0')
        return sim_error_why(why, why_size, "'%.80s' is not %s", text, quantities[quantity].example);
    return sim_error_why(why, why_size, "unknown unit '%.40s' in '%.80s'; known: %s", unit, text, known);
}

int units_parse(int64_t *value, enum quantity quantity, const char *text, char *why, size_t why_size)
{
    struct decimal number;
    int64_t scaled = 0;
    const char *unit = decimal_read(&number, text);
    if (unit == NULL)
        return sim_error_why(why, why_size, "'%.80s' is not %s", text, quantities[quantity].example);
    int64_t factor = unit_factor(quantity, unit);
    if (factor == 0)
        return refuse_unit(quantity, text, unit, why, why_size);
    if (number.too_long)
        return sim_error_why(why, why_size, "'%.80s' has too many digits", text);
    if (number.negative && !quantities[quantity].negative && number.digits != 0)
        return sim_error_why(why, why_size, "'%.80s' is negative", text);
    enum scaling scaling = decimal_scale(&scaled, &number, factor);
    if (scaling == SCALED_TOO_LARGE)
        return sim_error_why(why, why_size, "'%.80s' %s", text, quantities[quantity].too_large);
    if (scaling == SCALED_ROUNDED && quantities[quantity].whole != NULL)
        return sim_error_why(why, why_size, "'%.80s' %s", text, quantities[quantity].whole);
    *value = number.negative ? -scaled : scaled;
    return 0;
}

int64_t units_clamp(wide_int ps)
{
    return ps <= PS_MAX ? (int64_t)ps : PS_TOO_LONG;
}

static void format_real(char *text, size_t text_size, int64_t millionths)
{
    char written[40];
    uint64_t size = millionths < 0 ? -(uint64_t)millionths : (uint64_t)millionths;
    int n = snprintf(written, sizeof written, "%s%" PRIu64 ".%06u", millionths < 0 ? "-" : "", size / UNITS_REAL,
                     (unsigned)(size % UNITS_REAL));
    while (written[n - 1] == '0')
        written[--n] = '\0';
    if (written[n - 1] == '.')
        written[--n] = '\0';
    snprintf(text, text_size, "%s", written);
}

void units_format(char *text, size_t text_size, enum quantity quantity, int64_t value)
{
    if (quantity == QUANTITY_REAL) {
        format_real(text, text_size, value);
        return;
    }
    const struct unit *units = quantities[quantity].units, *unit = units;
    for (const struct unit *larger = units; larger->name != NULL && value != 0; larger++) /* the binary ones are last */
        if (value % larger->factor == 0)
            unit = larger;
    bool bare = unit == units;
    snprintf(text, text_size, "%" PRId64 "%s", bare ? value : value / unit->factor, bare ? "" : unit->name);
}

double units_seconds(wide_int ps)
{
    return (double)ps / 1e12;
}
