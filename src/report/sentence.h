/* Sentences of the text report, broken into lines.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_SENTENCE_H
#define REPORT_SENTENCE_H

#include <stdio.h>

/* The first line begins behind so many blanks, the others two further on. A number and its unit stay together. */
void sentence_write(FILE *stream, const char *text, int indent);

#endif
