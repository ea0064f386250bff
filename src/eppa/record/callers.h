/* Call sites: where the program calls MPI. A site is a return address, kept as a place in its module (the program or a
 * shared library), so that it means the same in all ranks wherever they load it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_CALLERS_H
#define EPPA_RECORD_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

/* A module that sites are in: where it lies in memory, and its file. */
struct module {
    uintptr_t start, end, base;
    bool is_mpi; /* the library's own, or this one: not what the program calls from */
    char *path;
};

/* A site is a place in a module: an address as its file counts. */
struct call_site {
    uint32_t module;
    uint64_t place;
};

/* Does EPPA_SITES ask for them? Says so if it is neither 0 nor 1 and `speaks`. */
bool callers_wanted(bool speaks);
/* The number of the site that this address returns to, from 1; 0 if it is in no file or there are too many. What
 * returns to the MPI library, as Fortran's layer does, is the site of whom the library returns to. */
uint32_t callers_site(const void *address);
/* The site of that number. */
struct call_site callers_get(uint32_t number);
/* The modules that sites have been looked for in. */
uint32_t callers_n_modules(void);
const char *callers_module(uint32_t module);

#endif
