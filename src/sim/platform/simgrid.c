/* Loads SimGrid's library and finds its functions. */
#include "sim/platform/simgrid.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct simgrid_functions simgrid;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define ROW(name) {#name, offsetof(struct simgrid_functions, name)},
    SIMGRID_FUNCTIONS(ROW)
#undef ROW
};

static int fail(const char *platform, struct sim_error *error)
{
    const char *why = dlerror();
    return sim_error_set(error, SIM_UNFINISHED, platform, 0, "SimGrid, which is to read it, cannot be loaded: %s",
                         why != NULL ? why : SIMGRID_LIBRARY);
}

int simgrid_open(const char *platform, struct sim_error *error)
{
    static void *library;
    if (library != NULL)
        return 0;
    void *opened = dlopen(SIMGRID_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    if (opened == NULL)
        return fail(platform, error);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *found = dlsym(opened, functions[i].name);
        if (found == NULL)
            return fail(platform, error);
        memcpy((char *)&simgrid + functions[i].offset, &found, sizeof found);
    }
    library = opened;
    return 0;
}
