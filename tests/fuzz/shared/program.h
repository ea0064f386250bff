/* The program that replays a trace, for the targets that read one.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_FUZZ_PROGRAM_H
#define TESTS_FUZZ_PROGRAM_H

/* Open the trace and ask for each step twice, which is the same both times. */
void fuzz_check_replay(const char *file);

#endif
