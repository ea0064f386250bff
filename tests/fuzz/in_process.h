/* OTF2 archives that are read in this process, without a trial in another one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_IN_PROCESS_H
#define TESTS_FUZZ_IN_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* As archive_write(), with an anchor file whose numbers are small. */
const char *in_process_write(const uint8_t *data, size_t size);

#endif
