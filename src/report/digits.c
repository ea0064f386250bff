/* Reals in decimal digits. A real is an integer times a power of two; times a power of ten it still is
 * one, of at most 116 bits. So rounding it to 15 digits is exact.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/digits.h"

#include "os/text_output.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { DIGITS = 15, MOST_TENS = 27 }; /* 5^27 is the last power of five below 2^63 */
static const uint64_t least_of_digits = UINT64_C(100000000000000), most_of_digits = UINT64_C(999999999999999);

static uint64_t power_of_five(int n)
{
    uint64_t power = 1, factor = 5;
    for (; n > 0; n >>= 1, factor *= factor)
        power *= n & 1 ? factor : 1;
    return power;
}

/* mantissa 2^exponent 10^tens, rounded; 0 <= tens <= MOST_TENS. UINT64_MAX: it is beyond what is written so. */
static uint64_t scale(uint64_t mantissa, int exponent, int tens)
{
    wide number = (wide)mantissa * power_of_five(tens);
    int shift = -(exponent + tens);
    if (shift <= 0)
        return shift > -10 ? (uint64_t)(number << -shift) : UINT64_MAX;
    if (shift > 126)
        return 0;
    wide whole = number >> shift, rest = number - (whole << shift), half = (wide)1 << (shift - 1);
    return (uint64_t)whole + (rest > half || (rest == half && (whole & 1) != 0));
}

/* DIGITS digits of a number above 0, the first of which stands for 10^*exponent; 0: they are not found like this. */
static uint64_t find_digits(int *exponent, double real)
{
    int binary;
    uint64_t mantissa = (uint64_t)ldexp(frexp(real, &binary), 53), digits = 0;
    *exponent = (int)floor((binary - 1) * 0.30102999566398120); /* it, or one less */
    for (int i = 0; i < 2 && *exponent < DIGITS && *exponent >= DIGITS - 1 - MOST_TENS; i++, ++*exponent) {
        digits = scale(mantissa, binary - 53, DIGITS - 1 - *exponent);
        if (digits <= most_of_digits)
            return digits >= least_of_digits ? digits : 0;
    }
    return 0;
}

/* As printf has it, with the form of JSON. */
static size_t print(char *to, double real)
{
    size_t length = (size_t)sprintf(to, "%.*g", DIGITS, real);
    char *exponent = memchr(to, 'e', length);
    if (exponent == NULL)
        return strchr(to, '.') != NULL ? length : length + (size_t)sprintf(to + length, ".0");
    int value;
    sscanf(exponent + 1, "%d", &value);
    return (size_t)(exponent - to) + (size_t)sprintf(exponent, "e%d", value);
}

static size_t skip_zeros(const char *digits, size_t length, size_t least)
{
    while (length > least && digits[length - 1] == '0')
        length--;
    return length;
}

/* Where printf has no exponent: digits before the point, if need be zeros behind it, the other digits. */
static size_t put_plain(char *to, const char *digits, int exponent)
{
    size_t before = exponent >= 0 ? (size_t)exponent + 1 : 0, zeros = exponent >= 0 ? 0 : (size_t)-exponent - 1;
    size_t n_digits = skip_zeros(digits, DIGITS, before), length = before;
    memcpy(to, before > 0 ? digits : "0", before > 0 ? before : 1);
    length = before > 0 ? before : 1;
    to[length++] = '.';
    memset(to + length, '0', zeros);
    length += zeros;
    if (n_digits == before && zeros == 0)
        to[length++] = '0';
    memcpy(to + length, digits + before, n_digits - before);
    return length + n_digits - before;
}

static size_t put_exponent(char *to, const char *digits, int exponent)
{
    size_t n_digits = skip_zeros(digits, DIGITS, 1), length = 0;
    to[length++] = digits[0];
    if (n_digits > 1)
        to[length++] = '.';
    memcpy(to + length, digits + 1, n_digits - 1);
    length += n_digits - 1;
    to[length++] = 'e';
    return (size_t)(text_integer(to + length, exponent) - to);
}

size_t digits_of_real(char *to, double real)
{
    enum { LEAST_PLAIN = -4 };
    char digits[20];
    int exponent;
    bool is_negative = signbit(real);
    to[0] = '-';
    if (real == 0) {
        memcpy(to + is_negative, "0.0", 3);
        return is_negative + (size_t)3;
    }
    uint64_t number = find_digits(&exponent, fabs(real));
    if (number == 0)
        return print(to, real);
    text_natural(digits, number);
    return is_negative + (exponent < LEAST_PLAIN ? put_exponent : put_plain)(to + is_negative, digits, exponent);
}
