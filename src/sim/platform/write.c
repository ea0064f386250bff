/* Writes a machine that was made by a topology as a platform file, for SimGrid and for the user.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "base/memory.h"
#include "sim/platform/table.h"

#include <errno.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* A table is named by its path from the root, wherever the new platform is. */
static int write_table(FILE *stream, const struct machine_prop *prop, struct sim_error *error)
{
    char folder[4096] = "", *file = table_file(prop);
    const char *words = prop->value + strlen("table");
    words += strspn(words, " ");
    words += strcspn(words, " ");
    bool is_known = file[0] == '/' || getcwd(folder, sizeof folder) != NULL;
    bool has_blank = strchr(folder, ' ') != NULL;
    char *value = xformat("table %s%s%s%s", folder, folder[0] != '\0' ? "/" : "", file, words);
    if (is_known && !has_blank)
        write_prop(stream, prop->id, value);
    free(value);
    free(file);
    if (is_known && !has_blank)
        return 0;
    return machine_prop_error(prop, NULL, error, "cannot write the path of its table: %s",
                              has_blank ? "it has a blank" : strerror(errno));
}

/* The props of the base that are no geometry, with those that it takes from elsewhere. */
static int write_props(FILE *stream, const struct machine *machine, struct sim_error *error)
{
    struct platform_file file;
    if (platform_file_read(&file, machine->file, USE_AS_PLAIN, error) != 0)
        return -1;
    int result = 0;
    for (size_t i = 0; i < file.props.count && result == 0; i++) {
        const struct machine_prop *prop = &file.props.items[i];
        if (machine_is_table(prop))
            result = write_table(stream, prop, error);
        else if (!machine_prop_is_own(prop->id) && strcmp(prop->id, "costs_from") != 0)
            write_prop(stream, prop->id, prop->value);
    }
    if (machine->cores > 1 && machine_props_find(&file.props, "cores") == NULL) /* by the attributes of hosts */
        fprintf(stream, "    <prop id=\"cores\" value=\"%d\"/>\n", machine->cores);
    platform_file_dispose(&file);
    return result;
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
    for (int level = 0; level < N_WIRE_LEVELS; level++)
        if (machine->net->style.levels[level].bandwidth_Bps > 0)
            return sim_error_set(
                error, SIM_BAD_INPUT, machine->file, 0,
                "has the prop wire.%s, and SimGrid's clusters have wires of one kind; allowed: simrun platform "
                "--text",
                wire_level_names[level]);
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
