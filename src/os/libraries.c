/* The libraries that this program was built with. CMake defines SIMRUN_<SWITCH>, as 0 or 1. */
#include "os/libraries.h"

static const struct {
    bool is_there;
    const char *name, *option;
} libraries[N_LIBRARIES] = {
    [LIBRARY_NONE] = {true, "", ""},
#define LIBRARY(id, package, name, lost) [LIBRARY_##id] = {SIMRUN_##id, name, "SIMRUN_" #id},
#include "os/libraries.def"
#undef LIBRARY
};

bool library_is_there(enum library library)
{
    return libraries[library].is_there;
}

const char *library_name(enum library library)
{
    return libraries[library].name;
}

int library_refuse(enum library library, const char *what, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, what, 0,
                         "needs %s, and this simrun was built without it; cmake -D%s=ON adds it",
                         libraries[library].name, libraries[library].option);
}
