/* Calls of which only the time is recorded.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/wrap.h"

#define TIMED(name, role, parameters, arguments)                                                                       \
    WRAPPER(name, parameters)                                                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name) arguments;                                                                               \
        int result = DO(name, arguments);                                                                              \
        call_end(REGION_##name, clock_now_ns());                                                                       \
        return result;                                                                                                 \
    }

#define POLLED(name, role, parameters, arguments)                                                                      \
    WRAPPER(name, parameters)                                                                                          \
    {                                                                                                                  \
        if (!polls_begin(REGION_##name, CALLER()))                                                                     \
            return REAL(name) arguments;                                                                               \
        int result = REAL(name) arguments;                                                                             \
        if (result == MPI_SUCCESS && !*flag) {                                                                         \
            polls_failed();                                                                                            \
            return result;                                                                                             \
        }                                                                                                              \
        polls_found(REGION_##name);                                                                                    \
        call_end(REGION_##name, clock_now_ns());                                                                       \
        return result;                                                                                                 \
    }

#define FILE_ALL(name, role, parameters, arguments, written, read)
#include "eppa/archive/timed.def"

#if HAS_MPI_4
#define LARGE(name, role, parameters, arguments) TIMED(name, role, parameters, arguments)
#else
#define LARGE(name, role, parameters, arguments)
#endif
#if HAS_SESSIONS
#define NEWER(name, role, parameters, arguments) TIMED(name, role, parameters, arguments)
#define NEWER_POLLED(name, role, parameters, arguments) POLLED(name, role, parameters, arguments)
#else
#define NEWER(name, role, parameters, arguments)
#define NEWER_POLLED(name, role, parameters, arguments)
#endif
#include "eppa/archive/newer.def"
