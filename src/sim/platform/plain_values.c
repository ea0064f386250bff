/* Numbers with units in plain platforms: the bits are those of SimGrid, which multiplies by the same factors. */
#include "sim/platform/plain_internal.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum plain_quantity quantity;
    double factor;
} units[] = {
    {"f", PLAIN_SPEED, 1},
    {"kf", PLAIN_SPEED, 1e3},
    {"Mf", PLAIN_SPEED, 1e6},
    {"Gf", PLAIN_SPEED, 1e9},
    {"Tf", PLAIN_SPEED, 1e12},
    {"Bps", PLAIN_BANDWIDTH, 1},
    {"kBps", PLAIN_BANDWIDTH, 1e3},
    {"MBps", PLAIN_BANDWIDTH, 1e6},
    {"GBps", PLAIN_BANDWIDTH, 1e9},
    {"bps", PLAIN_BANDWIDTH, 0.125},
    {"kbps", PLAIN_BANDWIDTH, 125},
    {"Mbps", PLAIN_BANDWIDTH, 125e3},
    {"Gbps", PLAIN_BANDWIDTH, 125e6},
    {"s", PLAIN_LATENCY, 1},
    {"ms", PLAIN_LATENCY, 1e-3},
    {"us", PLAIN_LATENCY, 1e-6},
    {"ns", PLAIN_LATENCY, 1e-9},
    {"ps", PLAIN_LATENCY, 1e-12},
};

bool plain_value(double *value, const char *text, enum plain_quantity quantity)
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
            return *value > 0 || (quantity == PLAIN_LATENCY && *value == 0);
        }
    return false;
}
