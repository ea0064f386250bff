/* Calls of which only the time is recorded. */
#include "eppa/wrap/wrap.h"

#define TIMED(name, role, parameters, arguments)                                                                       \
    WRAPPER(name, parameters)                                                                                          \
    {                                                                                                                  \
        if (!call_begin(REGION_##name))                                                                                \
            return REAL(name) arguments;                                                                               \
        int result = REAL(name) arguments;                                                                             \
        call_end(REGION_##name, clock_now_ns());                                                                       \
        return result;                                                                                                 \
    }

#include "eppa/wrap/timed.def"
