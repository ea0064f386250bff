/* Wires between groups of routers: which port of which router leads where.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/topology/internal.h"

#include "base/memory.h"

#include <stdlib.h>

struct group_wires group_wires_of(int groups, int routers, int ports)
{
    struct group_wires wires = {.groups = groups, .routers = routers, .ports = ports > 0 ? ports : 1};
    wires.is_absolute = ports == 0;
    wires.copies = groups == 1 ? 0 : wires.is_absolute ? 1 : (int)((int64_t)routers * ports / (groups - 1));
    return wires;
}

int group_wires_check(int groups, int routers, int ports, const char *router, char *why, size_t why_size)
{
    if (groups > 1 && ports > groups - 1)
        return sim_error_why(why, why_size, "a %s has at most one wire to each of the %d other groups, but %d wires",
                             router, groups - 1, ports);
    if ((int64_t)routers * ports < groups - 1)
        return sim_error_why(why, why_size, "the %lld wires of a group are fewer than the other groups, %d",
                             (long long)routers * ports, groups - 1);
    return 0;
}

/* The first of the ports of a group that lead to another; the others are groups - 1 apart. */
static int first_port(const struct group_wires *wires, int group, int other)
{
    if (wires->is_absolute)
        return other;
    int ahead = other - group;
    return (ahead > 0 ? ahead : ahead + wires->groups) - 1;
}

int group_wires_behind(const struct group_wires *wires, int group, int port)
{
    if (wires->is_absolute)
        return port < wires->groups && port != group ? port : -1;
    if (wires->groups == 1 || port >= wires->copies * (wires->groups - 1))
        return -1;
    int other = group + 1 + port % (wires->groups - 1);
    return other < wires->groups ? other : other - wires->groups;
}

int group_wires_far_router(const struct group_wires *wires, int group, int port)
{
    int other = group_wires_behind(wires, group, port);
    if (other < 0)
        return -1;
    int copy = wires->is_absolute ? 0 : port / (wires->groups - 1);
    int far_port = first_port(wires, other, group) + copy * (wires->groups - 1);
    return other * wires->routers + far_port / wires->ports;
}

/* Which of the wires to another group is at a router of this one; -1: none. A router has no two. */
static int copy_at(const struct group_wires *wires, int router, int other)
{
    int first = first_port(wires, router / wires->routers, other), low = router % wires->routers * wires->ports;
    int copy = low <= first ? 0 : (low - first + wires->groups - 2) / (wires->groups - 1);
    return copy < wires->copies && first + copy * (wires->groups - 1) < low + wires->ports ? copy : -1;
}

int group_wires_towards(const struct group_wires *wires, int here, int there)
{
    int group = here / wires->routers, other = there / wires->routers;
    if (wires->is_absolute)
        return other;
    int copy = copy_at(wires, here, other);
    if (copy < 0)
        copy = copy_at(wires, there, group);
    if (copy < 0)
        copy = there % wires->copies;
    return first_port(wires, group, other) + copy * (wires->groups - 1);
}

int group_wires_to(const struct group_wires *wires, int group, int there)
{
    int copy = copy_at(wires, there, group);
    return first_port(wires, group, there / wires->routers) +
           (copy < 0 ? there % wires->copies : copy) * (wires->groups - 1);
}

int group_wires_detour(const struct group_wires *wires, int group, int to_group, uint64_t random)
{
    int taken = group == to_group ? 1 : 2, n = wires->groups - taken;
    if (n <= 0)
        return -1;
    int low = group < to_group ? group : to_group, high = group < to_group ? to_group : group;
    int other = (int)(random % (uint64_t)n), copy = (int)((random >> 32) % (uint64_t)wires->copies);
    other += other >= low;
    other += taken == 2 && other >= high;
    return group_wires_far_router(wires, group, first_port(wires, group, other) + copy * (wires->groups - 1));
}

bool group_wires_of_all(const struct group_wires *wires)
{
    for (int router = 0; router < wires->routers; router++)
        for (int other = 1; other < wires->groups; other++)
            if (copy_at(wires, router, other) < 0)
                return false;
    return true;
}

int group_wires_most(const struct group_wires *wires)
{
    int used = wires->copies * (wires->groups - 1);
    return used < wires->ports ? used : wires->ports;
}

/* Wires of a router of group 0 to the `far` groups behind it, less those to the others. */
static int pull_of(const struct group_wires *wires, int router, int far)
{
    int pull = 0;
    for (int port = router * wires->ports; port < (router + 1) * wires->ports; port++) {
        int other = group_wires_behind(wires, 0, port);
        pull += other < 0 ? 0 : other <= far ? 1 : -1;
    }
    return pull;
}

int64_t *group_wires_cuts(const struct group_wires *wires, int far)
{
    int ports = wires->ports, pull = ports, *count = xcalloc(2 * (size_t)ports + 1, sizeof *count);
    int64_t *cut = xcalloc((size_t)wires->routers + 1, sizeof *cut);
    for (int router = 0; router < wires->routers; router++)
        count[ports + pull_of(wires, router, far)]++;
    cut[0] = (int64_t)far * (wires->groups - far) * wires->copies;
    for (int routers = 1; routers <= wires->routers; routers++) {
        while (count[ports + pull] == 0)
            pull--;
        count[ports + pull]--;
        cut[routers] = cut[routers - 1] - pull;
    }
    free(count);
    return cut;
}

int64_t group_wires_crossing(const struct group_wires *wires, int routers)
{
    int64_t crossing = 0;
    for (int port = 0; port < wires->copies * (wires->groups - 1); port++) {
        int far_router = group_wires_far_router(wires, 0, port) % wires->routers;
        crossing += (port / wires->ports < routers) != (far_router < routers);
    }
    return crossing * wires->groups / 2;
}
