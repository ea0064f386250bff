/* Numbers without unit in the wires of a platform. SimGrid takes them to be bytes per second, and seconds, and only
 * warns; where that would make a wire that does not exist, the unit has been forgotten.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_BYTES_PER_S 1000
#define LARGEST_LATENCY_S 1

static const struct {
    const char *element, *attribute;
    bool is_latency;
} attributes[] = {
    {"link", "bandwidth", false},  {"link", "latency", true},   {"backbone", "bandwidth", false},
    {"backbone", "latency", true}, {"cluster", "bw", false},    {"cluster", "lat", true},
    {"cluster", "bb_bw", false},   {"cluster", "bb_lat", true}, {"cabinet", "bw", false},
    {"cabinet", "lat", true},      {"peer", "bw_in", false},    {"peer", "bw_out", false},
    {"peer", "lat", true},
};

static bool lacks_unit(const char *text, bool is_latency)
{
    char *end = NULL;
    double number = strtod(text, &end);
    return end != text && *end == '\0' &&
           (is_latency ? number > LARGEST_LATENCY_S : number > 0 && number < LEAST_BYTES_PER_S);
}

static int check_attribute(const xmlNode *node, const char *name, bool is_latency, const char *file,
                           struct sim_error *error)
{
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name), *id = xmlGetNoNsProp(node, (const xmlChar *)"id");
    int status = 0;
    if (value != NULL && lacks_unit((const char *)value, is_latency))
        status = sim_error_set(error, SIM_BAD_INPUT, file, xmlGetLineNo(node),
                               "<%s> '%.60s' %s: '%.40s' lacks a unit, and would be taken as %s; known: %s",
                               (const char *)node->name, id != NULL ? (const char *)id : "", name, (const char *)value,
                               is_latency ? "seconds" : "bytes per second",
                               is_latency ? "ps ns us ms s" : "Bps kBps MBps GBps bps kbps Mbps Gbps");
    xmlFree(value);
    xmlFree(id);
    return status;
}

int machine_units_check(const struct _xmlNode *parent, const char *file, struct sim_error *error)
{
    int status = 0;
    for (const xmlNode *node = parent->children; node != NULL && status == 0; node = node->next) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        for (size_t i = 0; i < sizeof attributes / sizeof attributes[0] && status == 0; i++)
            if (strcmp(attributes[i].element, (const char *)node->name) == 0)
                status = check_attribute(node, attributes[i].attribute, attributes[i].is_latency, file, error);
        if (status == 0)
            status = machine_units_check(node, file, error);
    }
    return status;
}
