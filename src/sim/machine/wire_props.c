/* Props of the interconnect: meshes, topologies, and the wires of a topology that a scenario chooses.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/cost_props.h"

#include <string.h>

#define MAX_MESH_SIDE 65536
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static int read_mesh(struct interconnect *net, const struct machine_prop *prop, struct sim_error *error)
{
    const char *rest = "";
    if (machine_prop_whole(&net->mesh_width, prop->value, MAX_MESH_SIDE, &rest) != 0 || *rest != 'x' ||
        machine_prop_whole(&net->mesh_height, rest + 1, MAX_MESH_SIDE, &rest) != 0 || *rest != '\0')
        return machine_prop_error(prop, NULL, error, "'%.80s' is not WIDTHxHEIGHT such as 16x8, each 1 to %d",
                                  prop->value, MAX_MESH_SIDE);
    net->mesh_pitch = net->mesh_width;
    return 0;
}

/* Comes after read_mesh(), because machine_read_props() reads the prop mesh first. */
static int read_mesh_pitch(struct interconnect *net, const struct machine_prop *prop, struct sim_error *error)
{
    const char *rest = "";
    int pitch = 0;
    if (net->mesh_width == 0)
        return machine_prop_error(prop, NULL, error, "given without the prop mesh");
    if (machine_prop_whole(&pitch, prop->value, MAX_MESH_SIDE, &rest) != 0 || *rest != '\0' || pitch < net->mesh_width)
        return machine_prop_error(prop, NULL, error,
                                  "'%.80s' is not a whole number; allowed: %d (the width of the mesh) to %d",
                                  prop->value, net->mesh_width, MAX_MESH_SIDE);
    net->mesh_pitch = pitch;
    return 0;
}

static int read_topology(struct interconnect *net, const struct machine_prop *prop, struct sim_error *error)
{
    char why[512];
    if (topology_parse(&net->wiring, prop->value, why, sizeof why) != 0)
        return machine_prop_error(prop, NULL, error, "%s", why);
    return 0;
}

/* The wires of a level, where a scenario chooses the topology. */
static int read_wire(struct interconnect *net, const struct machine_prop *prop, struct sim_error *error)
{
    struct {
        int64_t bandwidth_Bps, latency_ps;
    } wire = {-1, -1};
    const struct machine_field fields[] = {
        {"bandwidth", FIELD_BANDWIDTH, offsetof(__typeof__(wire), bandwidth_Bps), 1000, BANDWIDTH_BOUND},
        {"latency", FIELD_TIME, offsetof(__typeof__(wire), latency_ps), 0, 1e12}};
    const char *name = prop->id + strlen("wire.");
    int level = 0;
    while (level < N_WIRE_LEVELS && strcmp(wire_level_names[level], name) != 0)
        level++;
    if (level == N_WIRE_LEVELS)
        return machine_prop_error(prop, NULL, error, "is unknown; known: wire.host .leaf .spine .global");
    if (machine_prop_parse(&wire, prop, fields, LENGTH(fields), error) != 0)
        return -1;
    if (wire.bandwidth_Bps < 0 || wire.latency_ps < 0)
        return machine_prop_error(prop, wire.latency_ps < 0 ? "latency" : "bandwidth", error, "is missing");
    net->style.levels[level] = (struct wire_speed){(double)wire.bandwidth_Bps, (double)wire.latency_ps / 1e12};
    return 0;
}

static int read_core_bandwidth(struct interconnect *net, const struct machine_prop *prop, struct sim_error *error)
{
    static const struct machine_field field = {NULL, FIELD_BANDWIDTH, 0, 1000, BANDWIDTH_BOUND};
    int64_t bandwidth_Bps = 0;
    if (machine_prop_parse(&bandwidth_Bps, prop, &field, 1, error) != 0)
        return -1;
    net->style.core_bandwidth_Bps = (double)bandwidth_Bps;
    return 0;
}

int machine_wires_read(struct interconnect *net, const struct machine_prop *prop, struct sim_error *error)
{
    static const struct {
        const char *id;
        int (*read)(struct interconnect *net, const struct machine_prop *prop, struct sim_error *error);
    } rows[] = {{"mesh", read_mesh},
                {"mesh_pitch", read_mesh_pitch},
                {"topology", read_topology},
                {"core_bandwidth", read_core_bandwidth}};
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (strcmp(rows[i].id, prop->id) == 0)
            return rows[i].read(net, prop, error);
    return read_wire(net, prop, error);
}
