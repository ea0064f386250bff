/* Reals as decimal digits, many times as fast as printf, which knows locales and any number of digits.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_DIGITS_H
#define REPORT_DIGITS_H

#include <stddef.h>

/* Write a finite number to at least 40 bytes, without a 0 behind it; its length. It has up to 15 digits, rounded as
 * printf's "%.15g" rounds it: to the nearest of the number's exact value, of two equally near to the even one. So each
 * number of up to 15 digits is written as it was read. Its form is that of JSON: it has a point or an exponent, and
 * exponents neither '+' nor zeros before their digits. */
size_t digits_of_real(char *to, double real);

#endif
