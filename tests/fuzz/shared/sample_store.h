/* A store with three runs that have one of each: measures and tables of all types, notes, parameters that are text.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_SAMPLE_STORE_H
#define TESTS_FUZZ_SAMPLE_STORE_H

/* Make it under that name. */
void sample_store_make(const char *file);

#endif
