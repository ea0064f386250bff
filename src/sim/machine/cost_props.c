/* The meaning of the props of a platform: reads the costs of a machine from them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/cost_props.h"

#include "base/known.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/units.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COUNT 65536
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* A machine on its way, and what only its loading needs. */
struct loading {
    struct machine machine;
    struct machine_props *props;
    int64_t cycle_ps;
    double compute_scale;
    struct machine_rows_given rows;
    size_t kernel_capacity, need_capacity, sharing_capacity;
};

/* ---- The fields of the props ---- */

#define BYTE_BOUND 1e8  /* 100 us a byte */
#define TIME_BOUND 1e14 /* 100 s */
#define SIZE_BOUND 1073741824.0
#define CYCLES_BOUND 1e9

#define TARGET(member) offsetof(struct loading, machine.costs.member)

/* ---- Props that are more than fields ---- */

static int read_count(int *count, const struct machine_prop *prop, struct sim_error *error)
{
    const char *rest = "";
    if (machine_prop_whole(count, prop->value, MAX_COUNT, &rest) != 0 || *rest != '\0')
        return machine_prop_error(prop, NULL, error, "'%.80s' is not a whole number; allowed: 1 to %d", prop->value,
                                  MAX_COUNT);
    return 0;
}

static int read_wires(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    return machine_wires_read(loading->machine.net, prop, error);
}

static int read_links_per_host(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    return read_count(&loading->machine.links_per_host, prop, error);
}

static int read_cores(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    return read_count(&loading->machine.cores, prop, error);
}

static int read_hosts_per_computer(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    return read_count(&loading->machine.hosts_per_computer, prop, error);
}

static int read_network(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    size_t length = strlen(prop->value);
    if (length == 0 || length > 31 || strspn(prop->value, "abcdefghijklmnopqrstuvwxyz-") != length)
        return machine_prop_error(prop, NULL, error, "'%.80s' is not the name of a network, such as fifo", prop->value);
    loading->machine.default_network = xstrdup(prop->value);
    return 0;
}

/* A line for readers, which stands in lists and reports. */
static int read_text(char **text, const struct machine_prop *prop, size_t most, struct sim_error *error)
{
    size_t length = strlen(prop->value);
    if (length == 0 || length > most)
        return machine_prop_error(prop, NULL, error, "has %zu bytes; allowed: 1 to %zu", length, most);
    free(*text);
    *text = message_clean(prop->value);
    return 0;
}

static int read_basis(enum machine_basis *basis, const struct machine_prop *prop, struct sim_error *error)
{
    for (int i = BASIS_UNKNOWN + 1; i < N_BASES; i++)
        if (strcmp(prop->value, machine_basis_names[i]) == 0) {
            *basis = (enum machine_basis)i;
            return 0;
        }
    return machine_prop_error(prop, NULL, error, "'%.80s' is unknown; known: measured unmeasured hypothetical",
                              prop->value);
}

static int read_about(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    struct machine_about *about = &loading->machine.about;
    const char *what = prop->id + strlen("about."), *rest = "";
    if (strcmp(what, "machine") == 0)
        return read_text(&about->what, prop, 160, error);
    if (strcmp(what, "error") == 0)
        return read_text(&about->error, prop, 60, error);
    if (strcmp(what, "topology") == 0)
        return read_text(&about->wires, prop, 31, error);
    if (strcmp(what, "basis") == 0)
        return read_basis(&about->basis, prop, error);
    if (strcmp(what, "year") != 0)
        return machine_prop_error(prop, NULL, error, "is unknown; known: about.machine .year .basis .error .topology");
    if (machine_prop_whole(&about->year, prop->value, 2100, &rest) != 0 || *rest != '\0' || about->year < 1940)
        return machine_prop_error(prop, NULL, error, "'%.80s' is not a year from 1940 to 2100", prop->value);
    return 0;
}

static int read_row(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    return machine_row_read(&loading->machine.costs, &loading->rows, prop, error);
}

static int read_kernel(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    struct kernel_cost kernel;
    if (machine_kernel_read(&kernel, prop, loading->cycle_ps, loading->compute_scale, loading->props->read_table,
                            error) != 0)
        return -1;
    struct routines *routines = loading->machine.routines;
    routines->kernels = xgrow(routines->kernels, (size_t)routines->n_kernels, &loading->kernel_capacity, sizeof kernel);
    routines->kernels[routines->n_kernels++] = kernel;
    return 0;
}

static int read_need(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    struct memory_need need;
    if (machine_need_read(&need, prop, error) != 0)
        return -1;
    struct routines *routines = loading->machine.routines;
    routines->needs = xgrow(routines->needs, (size_t)routines->n_needs, &loading->need_capacity, sizeof need);
    routines->needs[routines->n_needs++] = need;
    return 0;
}

static int read_sharing(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    struct kernel_sharing sharing;
    if (machine_sharing_read(&sharing, prop, error) != 0)
        return -1;
    struct routines *routines = loading->machine.routines;
    routines->sharings =
        xgrow(routines->sharings, (size_t)routines->n_sharings, &loading->sharing_capacity, sizeof sharing);
    routines->sharings[routines->n_sharings++] = sharing;
    return 0;
}

static int read_send_completes(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    loading->machine.costs.buffers_sends = strcmp(prop->value, "buffered") == 0;
    if (!loading->machine.costs.buffers_sends && strcmp(prop->value, "delivered") != 0)
        return machine_prop_error(prop, NULL, error, "'%.80s' is unknown; known: buffered delivered", prop->value);
    return 0;
}

static int read_collectives(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    bool is_openmpi = strcmp(prop->value, "openmpi") == 0;
    loading->machine.costs.collectives = is_openmpi ? COLLECTIVES_OPENMPI : COLLECTIVES_PLAIN;
    if (!is_openmpi && strcmp(prop->value, "plain") != 0)
        return machine_prop_error(prop, NULL, error, "'%.80s' is unknown; known: openmpi plain", prop->value);
    return 0;
}

static int read_frame(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    static const struct machine_field fields[] = {{"payload", FIELD_SIZE, TARGET(frame_payload_bytes), 1, SIZE_BOUND},
                                                  {"least", FIELD_SIZE, TARGET(frame_least_bytes), 0, SIZE_BOUND},
                                                  {"header", FIELD_SIZE, TARGET(frame_header_bytes), 0, SIZE_BOUND},
                                                  {"datagram", FIELD_SIZE, TARGET(datagram_bytes), 0, SIZE_BOUND}};
    if (machine_prop_parse(loading, prop, fields, LENGTH(fields), error) != 0)
        return -1;
    if (loading->machine.costs.frame_payload_bytes == 0)
        return machine_prop_error(prop, "payload", error, "is missing: the bytes that a frame carries");
    if (loading->machine.costs.frame_least_bytes > loading->machine.costs.frame_payload_bytes)
        return machine_prop_error(prop, "least", error, "is more than payload, the most that a frame carries");
    return 0;
}

static int read_dsm(struct loading *loading, const struct machine_prop *prop, struct sim_error *error)
{
    return machine_dsm_read(&loading->machine.costs.dsm, prop, error);
}

/* ---- The table of props ---- */

/* Either `read` or `fields` is set, or neither (costs_from has been followed by then). An id that ends in a dot stands
 * for all that begin with it; `shown` is how messages call it. Rows that need others stand after them. */
static const struct prop_row {
    const char *id, *shown; /* shown NULL: as the id */
    int (*read)(struct loading *loading, const struct machine_prop *prop, struct sim_error *error);
    struct machine_field fields[3]; /* the value stands alone, or has keys */
} prop_rows[] = {
    {"mesh", .read = read_wires},
    {"mesh_pitch", .read = read_wires},
    {"topology", .read = read_wires},
    {"links_per_host", .read = read_links_per_host},
    {"cores", .read = read_cores},
    {"hosts_per_computer", .read = read_hosts_per_computer},
    {"network", .read = read_network},
    {"about.", "about.NAME", .read = read_about},
    {"message.", "message.N", .read = read_row},
    {"local.", "local.N", .read = read_row},
    {"endpoint.", "endpoint.N", .read = read_row},
    {"exchange.", "exchange.N", .read = read_row},
    {"wire.", "wire.LEVEL", .read = read_wires},
    {"core_bandwidth", .read = read_wires},
    {"packet", .fields = {{NULL, FIELD_SIZE, TARGET(packet_bytes), 1, SIZE_BOUND}}},
    {"window", .fields = {{NULL, FIELD_SIZE, TARGET(window_bytes), 1, SIZE_BOUND}}},
    {"control", .fields = {{NULL, FIELD_SIZE, TARGET(control_bytes), 0, SIZE_BOUND}}},
    {"input", .fields = {{"start", FIELD_TIME, TARGET(input_start_ps), 0, TIME_BOUND},
                         {"byte", FIELD_TIME, TARGET(input_byte_ps), 0, BYTE_BOUND}}},
    {"output", .fields = {{"start", FIELD_TIME, TARGET(output_start_ps), 0, TIME_BOUND},
                          {"byte", FIELD_TIME, TARGET(output_byte_ps), 0, BYTE_BOUND}}},
    {"link_init", .fields = {{NULL, FIELD_TIME, TARGET(link_init_ps), 0, TIME_BOUND}}},
    {"send_overhead", .fields = {{"start", FIELD_TIME, TARGET(send_start_ps), 0, TIME_BOUND},
                                 {"byte", FIELD_TIME, TARGET(send_byte_ps), 0, BYTE_BOUND},
                                 {"frame", FIELD_TIME, TARGET(send_frame_ps), 0, TIME_BOUND}}},
    {"receive_overhead", .fields = {{"start", FIELD_TIME, TARGET(receive_start_ps), 0, TIME_BOUND},
                                    {"byte", FIELD_TIME, TARGET(receive_byte_ps), 0, BYTE_BOUND},
                                    {"frame", FIELD_TIME, TARGET(receive_frame_ps), 0, TIME_BOUND}}},
    {"frame", .read = read_frame},
    {"combine.", "combine.N", .read = read_row},
    {"copy.", "copy.N", .read = read_row},
    {"collectives", .read = read_collectives},
    {"broadcast_call", .fields = {{NULL, FIELD_TIME, TARGET(broadcast_ps), 0, TIME_BOUND}}},
    {"allreduce_call", .fields = {{NULL, FIELD_TIME, TARGET(allreduce_ps), 0, TIME_BOUND}}},
    {"local_bandwidth", .fields = {{NULL, FIELD_BANDWIDTH, TARGET(local_Bps), 1000, BANDWIDTH_BOUND}}},
    {"node_gap", .fields = {{NULL, FIELD_TIME, TARGET(node_gap_ps), 0, TIME_BOUND}}},
    {"gap", .fields = {{NULL, FIELD_TIME, TARGET(gap_ps), 0, TIME_BOUND}}},
    {"eager_limit", .fields = {{NULL, FIELD_SIZE, TARGET(eager_limit), 0, SIZE_BOUND}}},
    {"local_eager_limit", .fields = {{NULL, FIELD_SIZE, TARGET(local_eager_limit), 0, SIZE_BOUND}}},
    {"send_completes", .read = read_send_completes},
    {"memory", .fields = {{NULL, FIELD_SIZE, TARGET(memory_bytes), 1, 1e15}}},
    {"memory.", "memory.NAME", .read = read_need},
    {"cycle", .fields = {{NULL, FIELD_TIME, offsetof(struct loading, cycle_ps), 1, 1e6}}},
    {"compute_scale", .fields = {{NULL, FIELD_NUMBER, offsetof(struct loading, compute_scale), 0.001, 1000}}},
    {"kernel.", "kernel.NAME", .read = read_kernel},
    {"shared.", "shared.NAME", .read = read_sharing},
    {"dsm.", "dsm.NAME", .read = read_dsm},
    {"costs_from", .read = NULL},
};

static bool row_matches(const struct prop_row *row, const char *id)
{
    size_t length = strlen(row->id);
    return row->id[length - 1] == '.' ? strncmp(row->id, id, length) == 0 : strcmp(row->id, id) == 0;
}

static bool is_known(const char *id)
{
    for (size_t i = 0; i < LENGTH(prop_rows); i++)
        if (row_matches(&prop_rows[i], id))
            return true;
    return false;
}

static const char *prop_at(const void *table, int i)
{
    (void)table;
    return i < (int)LENGTH(prop_rows) ? prop_rows[i].id : NULL;
}

static const char *shown_at(const void *table, int i)
{
    (void)table;
    bool is_row = i < (int)LENGTH(prop_rows);
    return is_row && prop_rows[i].shown != NULL ? prop_rows[i].shown : prop_at(NULL, i);
}

/* The known id that is similar to an unknown one, up to its dot; NULL: there is none, so that the prop is another
 * program's. */
static const char *meant_id(const char *id)
{
    char family[64];
    size_t length = strcspn(id, ".");
    snprintf(family, sizeof family, "%.*s", (int)length + (id[length] == '.'), id);
    return known_find_meant(family, prop_at, NULL);
}

static int check_known(struct machine_props *props, const struct machine_prop *prop, struct sim_error *error)
{
    char known[1024];
    if (is_known(prop->id))
        return 0;
    if (meant_id(prop->id) == NULL) {
        machine_props_pass_over(props, "<prop>", prop->id, prop->line);
        return 0;
    }
    known_format(known, sizeof known, meant_id(prop->id), shown_at, NULL);
    return sim_error_set(error, SIM_BAD_INPUT, prop->file, prop->line, "unknown <prop> '%.60s'%s", prop->id, known);
}

static int read_prop(struct loading *loading, const struct prop_row *row, const struct machine_prop *prop,
                     struct sim_error *error)
{
    if (row->read != NULL)
        return row->read(loading, prop, error);
    size_t n_fields = 0;
    while (n_fields < LENGTH(row->fields) && row->fields[n_fields].max > 0)
        n_fields++;
    return n_fields > 0 ? machine_prop_parse(loading, prop, row->fields, n_fields, error) : 0;
}

static int read_props(struct loading *loading, struct sim_error *error)
{
    struct machine_props *props = loading->props;
    for (size_t i = 0; i < props->count; i++)
        if (check_known(props, &props->items[i], error) != 0)
            return -1;
    for (size_t row = 0; row < LENGTH(prop_rows); row++)
        for (size_t i = 0; i < props->count; i++)
            if (row_matches(&prop_rows[row], props->items[i].id) &&
                read_prop(loading, &prop_rows[row], &props->items[i], error) != 0)
                return -1;
    return 0;
}

/* ---- What must hold between props ---- */

static const char *kernel_at(const void *table, int i)
{
    const struct routines *routines = table;
    return i < routines->n_kernels ? routines->kernels[i].name : NULL;
}

/* The prop `family`name tells of a kernel, which there must be. */
static int check_kernel(const struct loading *loading, const char *family, const char *name, struct sim_error *error)
{
    const struct machine *machine = &loading->machine;
    char id[64], known[512];
    if (machine_find_kernel(machine, name) != NULL)
        return 0;
    snprintf(id, sizeof id, "%s%s", family, name);
    known_format(known, sizeof known, name, kernel_at, machine->routines);
    return machine_prop_error(machine_props_find(loading->props, id), NULL, error, "the prop kernel.%s is missing%s",
                              name, machine->routines->n_kernels > 0 ? known : "; known: none");
}

static int check_needs(const struct loading *loading, struct sim_error *error)
{
    const struct routines *routines = loading->machine.routines;
    for (int i = 0; i < routines->n_needs; i++)
        if (check_kernel(loading, "memory.", routines->needs[i].name, error) != 0)
            return -1;
    for (int i = 0; i < routines->n_sharings; i++)
        if (check_kernel(loading, "shared.", routines->sharings[i].name, error) != 0)
            return -1;
    return 0;
}

static int check_core(const struct loading *loading, struct sim_error *error)
{
    const struct machine_prop *core = machine_props_find(loading->props, "core_bandwidth");
    if (core == NULL || loading->machine.costs.message.count == 0)
        return 0;
    return machine_prop_error(core, NULL, error,
                              "is for messages over wires, and the rows message.N say what messages take");
}

int machine_read_props(struct machine *machine, struct machine_props *props, struct sim_error *error)
{
    struct loading loading = {.machine = *machine, .props = props, .compute_scale = 1.0};
    struct cost_model *costs = &loading.machine.costs;
    costs->eager_limit = INT64_MAX;
    costs->local_eager_limit = -1;
    /* Without packets, a message keeps each link busy for one hop time; without windows, all of it is under way. */
    costs->packet_bytes = costs->window_bytes = INT64_MAX;
    int status = read_props(&loading, error);
    if (status == 0)
        status = machine_rows_check(costs, &loading.rows, props, error);
    if (status == 0)
        status = check_core(&loading, error);
    if (status == 0)
        status = check_needs(&loading, error);
    if (costs->local_eager_limit < 0)
        costs->local_eager_limit = costs->eager_limit;
    *machine = loading.machine;
    return status;
}
