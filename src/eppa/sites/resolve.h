/* Names a place in a program's file: "heat.c:41 in exchange" where it has debug information, else "exchange+0x2f in
 * heat", else "heat+0x11d7".
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_SITES_RESOLVE_H
#define EPPA_SITES_RESOLVE_H

#include <stdint.h>

enum { SITE_MAX_TEXT = 256 };

/* The files that have been looked into, one after the other; all zero to begin with. */
struct resolver {
    void *session; /* of libdw */
    char *path;    /* of the file that it is of */
};

/* Name the call that returns to `place` in the file: clean UTF-8. */
void resolver_name(struct resolver *resolver, const char *path, uint64_t place, char text[SITE_MAX_TEXT]);
void resolver_dispose(struct resolver *resolver);

#endif
