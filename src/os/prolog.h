/* The first line of an XML file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_PROLOG_H
#define OS_PROLOG_H

#include <stddef.h>

/* XML has nothing before its declaration, <?xml ... ?>, but editors and generators leave blank lines, comments and
 * marks of byte order there. Exchange them and the declaration, so that all that follows stays on its line. Other text
 * stays as it is. */
void prolog_mend(char *text, size_t size);

#endif
