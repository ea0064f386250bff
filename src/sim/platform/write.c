/* Writes a machine that was made by a topology as a platform file, for SimGrid and for the user.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

static void write_prop(FILE *stream, const char *id, const char *value)
{
    xmlChar *safe_id = xmlEncodeSpecialChars(NULL, (const xmlChar *)id);
    xmlChar *safe_value = xmlEncodeSpecialChars(NULL, (const xmlChar *)value);
    if (safe_id == NULL || safe_value == NULL)
        abort();
    fprintf(stream, "    <prop id=\"%s\" value=\"%s\"/>\n", (char *)safe_id, (char *)safe_value);
    xmlFree(safe_id);
    xmlFree(safe_value);
}

/* The props of the base that are no geometry, with those that it takes from elsewhere. */
static int write_props(FILE *stream, const struct machine *machine, struct sim_error *error)
{
    struct platform_file file;
    if (platform_file_read(&file, machine->file, USE_AS_PLAIN, error) != 0)
        return -1;
    for (size_t i = 0; i < file.props.count; i++) {
        const struct machine_prop *prop = &file.props.items[i];
        if (!machine_prop_is_own(prop->id) && strcmp(prop->id, "costs_from") != 0)
            write_prop(stream, prop->id, prop->value);
    }
    if (machine->cores > 1 && machine_props_find(&file.props, "cores") == NULL) /* by the attributes of hosts */
        fprintf(stream, "    <prop id=\"cores\" value=\"%d\"/>\n", machine->cores);
    platform_file_dispose(&file);
    return 0;
}

/* A platform has one route for each pair of hosts; where all are listed, the file grows with the square of the
 * hosts. */
static int check_writable(const struct topology *topology, struct sim_error *error)
{
    const struct topology_spec *spec = topology->spec;
    if (topology->is_drawn || topology->adapts)
        return sim_error_set(
            error, SIM_BAD_INPUT, NULL, 0,
            "parameter 'routing': a platform file has one route for each pair of hosts, which '%s' has "
            "not; write it with routing auto",
            routing_names[topology->routing]);
    if (topology->is_listed && topology->n_hosts > TOPOLOGY_MOST_LISTED)
        return sim_error_set(
            error, SIM_BAD_INPUT, NULL, 0,
            "parameter 'dimensions': the routes of a %s are written for each pair of hosts, of at most "
            "%d hosts; it has %d",
            spec->name, TOPOLOGY_MOST_LISTED, topology->n_hosts);
    return 0;
}

int machine_write_platform(const struct machine *machine, FILE *stream, struct sim_error *error)
{
    const struct topology *topology = machine->net->topology;
    char shape[200];
    if (check_writable(topology, error) != 0)
        return -1;
    fprintf(stream,
            "<?xml version=\"1.0\"?>\n"
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<!-- Made by simrun from another platform, which says where the numbers come from.\n"
            "     Topology: %s. Routing: %s. -->\n"
            "<platform version=\"4.1\">\n"
            "  <zone id=\"hosts\" routing=\"%s\">\n",
            topology->spec->name, topology->spec->routing, topology->spec->zone_routing);
    if (write_props(stream, machine, error) != 0)
        return -1;
    if (machine->net->mesh_width > 0)
        fprintf(stream, "    <prop id=\"mesh\" value=\"%dx%d\"/>\n", machine->net->mesh_width,
                machine->net->mesh_height);
    topology_format(shape, sizeof shape, topology);
    write_prop(stream, "topology", shape);
    topology_write(stream, topology, &machine->net->style);
    fputs("  </zone>\n</platform>\n", stream);
    return 0;
}
