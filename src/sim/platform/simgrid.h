/* SimGrid, loaded when it is first needed: with all that it brings along, starting it takes longer than most
 * simulations.
 *
 * Its functions are called as `simgrid.sg_host_list()`, after simgrid_open().
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PLATFORM_SIMGRID_H
#define SIM_PLATFORM_SIMGRID_H

#include "base/error.h"

#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/version.h>
#include <stdbool.h>

/* Since 4.0 routes are asked for without dynars, which are to go. */
#if SIMGRID_VERSION_MAJOR >= 4
#define SIMGRID_ROUTES(F) F(sg_host_get_route_links)
#else
#include <xbt/dynar.h>
#define SIMGRID_ROUTES(F)                                                                                              \
    F(sg_host_get_route)                                                                                               \
    F(xbt_dynar_new)                                                                                                   \
    F(xbt_dynar_free)                                                                                                  \
    F(xbt_dynar_length)                                                                                                \
    F(xbt_dynar_get_ptr)
#endif

#define SIMGRID_FUNCTIONS(F)                                                                                           \
    F(simgrid_init)                                                                                                    \
    F(simgrid_load_platform)                                                                                           \
    F(simgrid_run_until)                                                                                               \
    F(sg_host_list)                                                                                                    \
    F(sg_host_count)                                                                                                   \
    F(sg_host_get_name)                                                                                                \
    F(sg_host_get_speed)                                                                                               \
    F(sg_host_core_count)                                                                                              \
    F(sg_link_list)                                                                                                    \
    F(sg_link_count)                                                                                                   \
    F(sg_link_get_name)                                                                                                \
    F(sg_link_get_bandwidth)                                                                                           \
    F(sg_link_get_latency)                                                                                             \
    F(sg_link_is_shared)                                                                                               \
    F(sg_link_get_data)                                                                                                \
    F(sg_link_set_data)                                                                                                \
    SIMGRID_ROUTES(F)

struct simgrid_functions {
#define MEMBER(name) __typeof__(name) *name;
    SIMGRID_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* Without value before simgrid_open(). */
extern struct simgrid_functions simgrid;

/* Load the library, once, for the platform of that name. -1, with status SIM_UNFINISHED, if it cannot be. */
int simgrid_open(const char *platform, struct sim_error *error);

/* The links of a route as SimGrid has them, and their number; none where it has no route, if it does not crash or throw
 * an exception then. The caller frees them. */
const_sg_link_t *simgrid_route(const_sg_host_t from, const_sg_host_t to, size_t *n_links);

/* Make uncaught exceptions raise SIGABRT without a backtrace: that takes SimGrid a millisecond each time. */
void simgrid_end_at_once(void);

/* In a child process, whose standard error is lost: whether there are routes between all hosts, as far as is tried:
 * between all pairs of up to 128, of more between some. */
bool routes_are_there(sg_host_t *hosts, size_t n);
/* By a child process: row[to] says whether there is a route to the host at `to` of SimGrid's list. */
int routes_ask(bool *row, sg_host_t *hosts, size_t n, size_t from, struct sim_error *error);

#endif
