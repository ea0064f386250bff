/* Numbers as readers want them: three digits and a unit; and as programs want them.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_PROFILE_NUMBERS_H
#define EPPA_PROFILE_NUMBERS_H

#include <stdint.h>

enum { NUMBER_SIZE = 32 };

/* "1.23 ms"; "-" for none. All give back `text`. */
const char *number_time(char text[NUMBER_SIZE], int64_t time_ns);
/* "4.00 KiB"; "-" for none. */
const char *number_bytes(char text[NUMBER_SIZE], int64_t bytes);
/* "12.3 %" of a whole; "-" of nothing. */
const char *number_share(char text[NUMBER_SIZE], int64_t part, int64_t whole);
/* With a decimal point in every locale: seconds of nanoseconds; a quotient, 0 of nothing. */
const char *number_seconds(char text[NUMBER_SIZE], int64_t time_ns);
const char *number_ratio(char text[NUMBER_SIZE], double part, double whole);

#endif
