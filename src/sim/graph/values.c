/* Numbers with the units of hosts and links: the bits are those of SimGrid, which multiplies by the same factors.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/graph/graph.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum graph_quantity quantity;
    double factor;
} units[] = {
    {"f", GRAPH_SPEED, 1},
    {"kf", GRAPH_SPEED, 1e3},
    {"Mf", GRAPH_SPEED, 1e6},
    {"Gf", GRAPH_SPEED, 1e9},
    {"Tf", GRAPH_SPEED, 1e12},
    {"Bps", GRAPH_BANDWIDTH, 1},
    {"kBps", GRAPH_BANDWIDTH, 1e3},
    {"MBps", GRAPH_BANDWIDTH, 1e6},
    {"GBps", GRAPH_BANDWIDTH, 1e9},
    {"bps", GRAPH_BANDWIDTH, 0.125},
    {"kbps", GRAPH_BANDWIDTH, 125},
    {"Mbps", GRAPH_BANDWIDTH, 125e3},
    {"Gbps", GRAPH_BANDWIDTH, 125e6},
    {"s", GRAPH_LATENCY, 1},
    {"ms", GRAPH_LATENCY, 1e-3},
    {"us", GRAPH_LATENCY, 1e-6},
    {"ns", GRAPH_LATENCY, 1e-9},
    {"ps", GRAPH_LATENCY, 1e-12},
};

bool graph_value(double *value, const char *text, enum graph_quantity quantity)
{
    static const char digits[] = "0123456789";
    size_t length = strspn(text, digits);
    if (length == 0)
        return false;
    if (text[length] == '.')
        length += 1 + strspn(text + length + 1, digits);
    char *end;
    double number = strtod(text, &end);
    for (size_t i = 0; end == text + length && i < sizeof units / sizeof units[0]; i++)
        if (units[i].quantity == quantity && strcmp(units[i].name, end) == 0) {
            *value = number * units[i].factor;
            return *value > 0 || (quantity == GRAPH_LATENCY && *value == 0);
        }
    return false;
}
