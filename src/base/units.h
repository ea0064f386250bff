/* Text with units ("64KiB", "5us", "40ns") to base units, the only place where that happens.
 *
 * Inside the program a time is an int64_t count of picoseconds, a size a count of bytes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#define PS_PER_S INT64_C(1000000000000)

/* The longest time that anything in a simulation may take by itself (27 days), and what stands for any that is longer,
 * of which four still make a sum within 64 bits. A run with one that is longer fails. */
#define PS_MAX (INT64_MAX / 4 - 1)
#define PS_TOO_LONG (PS_MAX + 1)

/* For sums over locations, of which there are up to 2^24: of times in ps, of bytes, of operations. */
__extension__ typedef __int128 wide_int;
__extension__ typedef unsigned __int128 wide_uint;

enum quantity {
    QUANTITY_COUNT,     /* a whole number without unit; may be negative */
    QUANTITY_TIME,      /* ps ns us ms s; result in picoseconds, rounded to the nearest */
    QUANTITY_SIZE,      /* B kB MB GB KiB MiB GiB; a bare number is bytes */
    QUANTITY_RATE,      /* f kf Mf Gf Tf, as SimGrid writes the speed of a host; a bare number is flop/s */
    QUANTITY_BANDWIDTH, /* Bps kBps MBps GBps KiBps MiBps GiBps, as SimGrid writes it, in bytes; a unit is required */
    QUANTITY_REAL,      /* a number with up to six decimals, in millionths (UNITS_REAL); may be negative */
};

/* Parse the whole of `text` into *value. The text is [-]digits[.digits][e[-]digits][unit], without blanks; the
 * arithmetic is decimal, so 0.27us is exactly 270000 ps, in every locale. Only counts may be negative.
 * On failure returns -1, leaves *value alone and writes into why (at most why_size bytes) what was found and what is
 * allowed, e.g. "unknown unit 'parsec' in '3parsec'; known: ps ns us ms s". */
int units_parse(int64_t *value, enum quantity quantity, const char *text, char *why, size_t why_size);

enum { UNITS_REAL = 1000000 };

/* Write a count, size, rate or real number as text that units_parse() reads back, in the last unit that it is a whole
 * number of: "64KiB", "3MB", "2056", "4Gf", "0.05". */
void units_format(char *text, size_t text_size, enum quantity quantity, int64_t value);

double units_seconds(wide_int ps);

/* ps, or PS_TOO_LONG where it is more than PS_MAX. */
int64_t units_clamp(wide_int ps);

#endif
