/* Loads SimGrid's library and finds its functions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/simgrid.h"

#include "base/memory.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct simgrid_functions simgrid;
static void *library; /* NULL: not loaded */

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

/* std::set_terminate(), by its name in the C++ ABI. */
void simgrid_end_at_once(void)
{
    void (*(*set_terminate)(void (*)(void)))(void);
    void *found = dlsym(library, "_ZSt13set_terminatePFvvE");
    memcpy(&set_terminate, &found, sizeof found);
    if (found != NULL)
        set_terminate(abort);
}

#if SIMGRID_VERSION_MAJOR >= 4
const_sg_link_t *simgrid_route(const_sg_host_t from, const_sg_host_t to, size_t *n_links)
{
    int count = 0;
    const_sg_link_t *links = simgrid.sg_host_get_route_links(from, to, &count);
    *n_links = (size_t)count;
    return links;
}
#else
const_sg_link_t *simgrid_route(const_sg_host_t from, const_sg_host_t to, size_t *n_links)
{
    xbt_dynar_t links = simgrid.xbt_dynar_new(sizeof(const_sg_link_t), NULL);
    simgrid.sg_host_get_route(from, to, links);
    *n_links = simgrid.xbt_dynar_length(links);
    const_sg_link_t *copy = xcalloc(*n_links, sizeof *copy);
    for (size_t i = 0; i < *n_links; i++)
        copy[i] = *(const_sg_link_t *)simgrid.xbt_dynar_get_ptr(links, (unsigned long)i);
    simgrid.xbt_dynar_free(&links);
    return copy;
}
#endif
