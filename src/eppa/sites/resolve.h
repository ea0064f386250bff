/* Names a place in a program's file: "heat.c:41 in exchange" where it has debug information, else "exchange+0x2f in
 * heat", else "heat+0x11d7"; and the functions that it is in.
 *
 * Functions are called as in the source: m::sub for one of a module of Fortran, ns::type::name in C++, without their
 * parameters.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_SITES_RESOLVE_H
#define EPPA_SITES_RESOLVE_H

#include <stdint.h>

enum { SITE_MAX_TEXT = 256, SITE_MAX_FRAMES = 16 };

/* The files that have been looked into, one after the other; all zero to begin with. */
struct resolver {
    void *session; /* of libdw */
    char *path;    /* of the file that it is of */
};

/* Name the call that returns to `place` in the file: clean UTF-8. */
void resolver_name(struct resolver *resolver, const char *path, uint64_t place, char text[SITE_MAX_TEXT]);
/* A function of the source, and the line in it that goes on to the next inner one, or that makes the call. */
struct site_frame {
    char function[SITE_MAX_TEXT]; /* "heat": a file, of which no function is known */
    char file[SITE_MAX_TEXT];     /* "heat.c", or the file of the module */
    uint32_t line;                /* 0: not known */
};
/* The functions around the call that returns to `place`, the outermost first: those that have been inlined have one
 * each. Returns how many they are, at least 1. */
int resolver_frames(struct resolver *resolver, const char *path, uint64_t place,
                    struct site_frame frames[SITE_MAX_FRAMES]);
void resolver_dispose(struct resolver *resolver);

#endif
