/* Reads words and numbers of a line, exactly where they fit 64 bits.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/text.h"

#include "base/units.h"

#include <stdlib.h>
#include <string.h>

/* A number as it is written: digits * 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
    bool exact; /* no digit has been left out */
};

enum { EXPONENT_LIMIT = 100000 };

static void add_digit(struct decimal *number, int digit, bool fraction)
{
    if (number->digits <= (UINT64_MAX - 9) / 10) {
        number->digits = number->digits * 10 + (uint64_t)digit;
        number->exponent -= fraction;
        return;
    }
    number->exact &= digit == 0;
    number->exponent += !fraction && number->exponent < EXPONENT_LIMIT;
}

/* The exponent at p, which is added; where it ends, or NULL if it has no digits. */
static const char *read_exponent(struct decimal *number, const char *p)
{
    bool negative = *p == '-';
    int exponent = 0;
    p += *p == '-' || *p == '+';
    if (!ti_is_digit(*p))
        return NULL;
    for (; ti_is_digit(*p); p++)
        exponent = exponent < EXPONENT_LIMIT ? exponent * 10 + (*p - '0') : exponent;
    number->exponent += negative ? -exponent : exponent;
    return p;
}

static bool read_decimal(struct decimal *number, const char **text)
{
    const char *p = *text;
    bool fraction = false, any = false;
    *number = (struct decimal){.exact = true};
    for (; ti_is_digit(*p) || (*p == '.' && !fraction); p++) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        any = true;
        add_digit(number, *p - '0', fraction);
    }
    if (any && (*p == 'e' || *p == 'E'))
        p = read_exponent(number, p + 1);
    if (!any || p == NULL || !ti_ends_word(*p))
        return false;
    *text = p;
    return true;
}

/* strtod() of a word; the program is in the locale C. */
static double convert_slowly(const char *from, const char *to)
{
    char text[512];
    size_t length = (size_t)(to - from) < sizeof text - 1 ? (size_t)(to - from) : sizeof text - 1;
    memcpy(text, from, length);
    text[length] = '\0';
    return strtod(text, NULL);
}

bool ti_parse_real(double *value, const char **p)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *begin = *p;
    struct decimal number;
    if (!read_decimal(&number, p))
        return false;
    double digits = (double)number.digits;
    if (number.exact && number.digits >> 53 == 0 && number.exponent >= -22 && number.exponent <= 22)
        *value = number.exponent < 0 ? digits / powers[-number.exponent] : digits * powers[number.exponent];
    else
        *value = convert_slowly(begin, *p);
    return true;
}

bool ti_parse_seconds(int64_t *value_ps, const char **p)
{
    struct decimal number;
    if (!read_decimal(&number, p))
        return false;
    wide_int ps = (wide_int)number.digits;
    int exponent = number.exponent + 12;
    for (; exponent > 0 && ps > 0 && ps <= PS_MAX; exponent--)
        ps *= 10;
    for (; exponent < -1 && ps > 0; exponent++)
        ps /= 10;
    if (exponent == -1)
        ps = (ps + 5) / 10;
    *value_ps = ps > PS_MAX ? -1 : (int64_t)ps;
    return true;
}
