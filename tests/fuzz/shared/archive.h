/* An OTF2 archive as the input of a fuzz target: anchor, global definitions and, of locations 0, 1, ..., definitions
 * and events, as the parts of an input.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_ARCHIVE_H
#define TESTS_FUZZ_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

/* Write it; the name of its anchor file, always the same one. What the input before had besides is removed. */
const char *archive_write(const uint8_t *data, size_t size);

#endif
