/* The libraries that this program was built with. CMake defines SIMRUN_<SWITCH>, as 0 or 1, and
 * SIMRUN_<SWITCH>_VERSION, "" if it is not known.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/libraries.h"

static const struct {
    bool is_there;
    const char *name, *option, *package;
} libraries[N_LIBRARIES] = {
    [LIBRARY_NONE] = {true, "", "", ""},
#define LIBRARY(id, package, name, debian, lost) [LIBRARY_##id] = {SIMRUN_##id, name, "SIMRUN_" #id, debian},
#include "os/libraries.def"
};

bool library_is_there(enum library library)
{
    return libraries[library].is_there;
}

int library_refuse(enum library library, const char *what, struct sim_error *error)
{
    return sim_error_set(error, SIM_BAD_INPUT, what, 0,
                         "needs %s, and this simrun was built without it; install %s and build with -D%s=ON",
                         libraries[library].name, libraries[library].package, libraries[library].option);
}

static void write_one(FILE *stream, bool is_there, const char *name, const char *version, const char *remedy)
{
    if (is_there)
        fprintf(stream, "with %s%s%s\n", name, *version != '\0' ? " " : "", version);
    else
        fprintf(stream, "without %s%s\n", name, remedy);
}

void libraries_write(FILE *stream)
{
#define NEEDED(id, package, name, debian) write_one(stream, SIMRUN_##id, name, SIMRUN_##id##_VERSION, "");
#define LIBRARY(id, package, name, debian, lost)                                                                       \
    write_one(stream, SIMRUN_##id, name, SIMRUN_##id##_VERSION, " (-DSIMRUN_" #id "=OFF)");
#include "os/libraries.def"
}
