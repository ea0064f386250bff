/* The numbers of hosts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/graph/graph.h"

#include "base/memory.h"
#include "base/sort.h"
#include "sim/graph/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where the digits at the end of a name begin, at most nine of them so that the number fits. */
static size_t number_start(const char *name)
{
    size_t start = strlen(name);
    for (size_t digits = 0; start > 0 && digits < 9 && isdigit((unsigned char)name[start - 1]); digits++)
        start--;
    return start;
}

/* Put the hosts in the order of the numbers at the end of their names, if those are 0 .. n-1 behind one prefix. */
static bool order_by_number(int *order, const char *const *names, int n)
{
    size_t prefix = number_start(names[0]);
    for (int i = 0; i < n; i++)
        order[i] = -1;
    for (int i = 0; i < n; i++) {
        const char *name = names[i];
        if (number_start(name) != prefix || name[prefix] == '\0' || strncmp(name, names[0], prefix) != 0)
            return false;
        long number = strtol(name + prefix, NULL, 10);
        if (number >= n || order[number] >= 0)
            return false;
        order[number] = i;
    }
    return true;
}

void graph_order_hosts(int *order, const char *const *names, int n)
{
    if (n == 0 || order_by_number(order, names, n))
        return;
    struct graph_name *hosts = xcalloc((size_t)n, sizeof *hosts);
    for (int i = 0; i < n; i++)
        hosts[i] = (struct graph_name){names[i], i};
    sort_stable(hosts, (size_t)n, sizeof *hosts, graph_compare_names);
    for (int i = 0; i < n; i++)
        order[i] = hosts[i].place;
    free(hosts);
}
