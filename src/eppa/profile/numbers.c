/* Writes numbers without asking the locale of the program.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/profile/numbers.h"

#include <inttypes.h>
#include <stdio.h>

enum { N_UNITS = 5 };

/* Thousandths of a unit in three digits: "1.23", "12.3", "123". */
static const char *write_digits(char text[NUMBER_SIZE], double thousandths, const char *unit)
{
    int64_t whole;
    if (thousandths < 9995) {
        whole = (int64_t)(thousandths / 10 + 0.5);
        snprintf(text, NUMBER_SIZE, "%" PRId64 ".%02" PRId64 " %s", whole / 100, whole % 100, unit);
    } else if (thousandths < 99950) {
        whole = (int64_t)(thousandths / 100 + 0.5);
        snprintf(text, NUMBER_SIZE, "%" PRId64 ".%" PRId64 " %s", whole / 10, whole % 10, unit);
    } else {
        snprintf(text, NUMBER_SIZE, "%" PRId64 " %s", (int64_t)(thousandths / 1000 + 0.5), unit);
    }
    return text;
}

/* In the largest unit of which there is at least one, so that 999.5 of one are 1 of the next. */
static const char *write_scaled(char text[NUMBER_SIZE], int64_t number, double step, const char *const units[N_UNITS])
{
    double value = (double)number;
    int unit = 0;
    if (number <= 0)
        snprintf(text, NUMBER_SIZE, "-");
    for (; unit < N_UNITS - 1 && value >= 0.9995 * step; unit++)
        value /= step;
    if (number > 0 && unit == 0)
        snprintf(text, NUMBER_SIZE, "%" PRId64 " %s", number, units[0]);
    else if (number > 0)
        write_digits(text, 1000 * value, units[unit]);
    return text;
}

const char *number_time(char text[NUMBER_SIZE], int64_t time_ns)
{
    static const char *const units[N_UNITS] = {"ns", "us", "ms", "s", "ks"};
    return write_scaled(text, time_ns, 1000, units);
}

const char *number_bytes(char text[NUMBER_SIZE], int64_t bytes)
{
    static const char *const units[N_UNITS] = {"B", "KiB", "MiB", "GiB", "TiB"};
    return write_scaled(text, bytes, 1024, units);
}

const char *number_share(char text[NUMBER_SIZE], int64_t part, int64_t whole)
{
    int64_t tenths = whole <= 0 ? 0 : (int64_t)(1000.0 * (double)part / (double)whole + 0.5);
    if (whole <= 0)
        snprintf(text, NUMBER_SIZE, "-");
    else
        snprintf(text, NUMBER_SIZE, "%" PRId64 ".%" PRId64 " %%", tenths / 10, tenths % 10);
    return text;
}

const char *number_seconds(char text[NUMBER_SIZE], int64_t time_ns)
{
    const char *sign = time_ns < 0 ? "-" : "";
    uint64_t size = time_ns < 0 ? 0 - (uint64_t)time_ns : (uint64_t)time_ns;
    snprintf(text, NUMBER_SIZE, "%s%" PRIu64 ".%09" PRIu64, sign, size / 1000000000, size % 1000000000);
    return text;
}

const char *number_ratio(char text[NUMBER_SIZE], double part, double whole)
{
    int64_t millionths = whole > 0 && part > 0 ? (int64_t)(1e6 * part / whole + 0.5) : 0;
    snprintf(text, NUMBER_SIZE, "%" PRId64 ".%06" PRId64, millionths / 1000000, millionths % 1000000);
    return text;
}
