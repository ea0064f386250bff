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

/* The caller of a function: the address that it returns to, and where on the stack that is written. */
struct caller {
    const void *address, *slot;
};
/* The caller of the function that it stands in. */
#define CALLER()                                                                                                       \
    ((struct caller){__builtin_return_address(0), (const char *)__builtin_frame_address(0) + sizeof(void *)})

/* Does EPPA_SITES ask for them, EPPA_PATHS for paths? Says so if it is neither 0 nor 1 and `speaks`. */
bool callers_wanted(bool speaks);
bool callers_want_paths(bool speaks);
/* The number of the site that this address returns to, from 1; 0 if it is in no file or there are too many. A call from
 * within the MPI library, as from its Fortran layer, has the site of the library's caller. */
uint32_t callers_site(const void *address);
/* The number of the site that this address returns to; 0: likewise, or it is in the MPI library. */
uint32_t callers_frame(const void *address);
/* A number for a site in a source that an interpreter executes; 0: there are too many. */
uint32_t callers_define_source(uint64_t line, const char *file, const char *function);
/* Is the address in the module of that function? */
bool callers_are_together(const void *address, const void *function);
/* The site of that number. */
struct call_site callers_get(uint32_t number);
/* The modules that sites have been looked for in. */
uint32_t callers_n_modules(void);
const char *callers_module(uint32_t module);

#endif
