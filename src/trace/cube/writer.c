/* Writes the totals of a run as a profile in Cube's format 4 (.cubex), for Cube, Extra-P, Hatchet and the like; the
 * format is described in cube/cube.h.
 *
 * The call tree has the program, its scopes, and in each the functions of the message library; a simulation has no such
 * functions, and in their place what ranks do: send, receive, ... Metrics are the time, the calls, the bytes that are
 * sent and received, and of each wait state the time that is lost in it, which is a part of the time. All are of a node
 * alone (EXCLUSIVE). In memory are 8 bytes for each location, node and metric that it has.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/writer.h"
#include "base/builder.h"
#include "base/map.h"
#include "base/memory.h"
#include "os/output.h"
#include "trace/cube/tar.h"

#include <stdlib.h>
#include <string.h>

enum metric {
    METRIC_TIME,
    METRIC_VISITS,
    METRIC_SENT,
    METRIC_RECEIVED,
    METRIC_WAITS,
    N_METRICS = METRIC_WAITS + N_WAIT_STATES
};

/* A scope, or what is done in it. Times are in picoseconds. */
struct node {
    char *name;
    uint8_t scope;
    bool is_scope, is_mpi;
    int64_t *values[N_METRICS]; /* of each location; NULL: all are 0 */
};

struct profile {
    struct output output;
    const struct interval_setup *setup;
    struct map map; /* scope, function, state -> node */
    struct node *nodes;
    size_t n_nodes, capacity;
    int32_t *order; /* nodes as the file has them, n_order of them: a scope, and then what is done in it */
    size_t n_order;
};

static void *profile_open(const char *file, struct sim_error *error)
{
    struct output output;
    if (output_open(&output, file, error) != 0)
        return NULL;
    struct profile *self = xcalloc(1, sizeof *self);
    self->output = output;
    return self;
}

static uint32_t add_node(struct profile *self, const char *name, uint8_t scope, bool is_scope, bool is_mpi)
{
    self->nodes = xgrow(self->nodes, self->n_nodes, &self->capacity, sizeof *self->nodes);
    self->nodes[self->n_nodes] =
        (struct node){.name = xstrdup(name), .scope = scope, .is_scope = is_scope, .is_mpi = is_mpi};
    return (uint32_t)self->n_nodes++;
}

static void profile_begin(void *data, const struct interval_setup *setup)
{
    struct profile *self = data;
    self->setup = setup;
    for (int i = 0; i < setup->n_scopes || i == 0; i++) {
        const char *name = i < setup->n_scopes && setup->scopes[i][0] != '\0' ? setup->scopes[i] : "outside";
        map_add(&self->map, map_key(i, 0, 0, 0))->index = add_node(self, name, (uint8_t)i, true, false);
    }
}

/* Computation is the scope's own. */
static struct node *node_of(struct profile *self, const struct interval *interval)
{
    int state = interval->function > 0 || interval->state == STATE_USEFUL ? 0 : interval->state;
    uint32_t index;
    struct map_key key = map_key(interval->scope, interval->function, state, 0);
    if (!map_get(&self->map, key, &index)) {
        bool is_function = interval->function > 0;
        const char *name = is_function ? self->setup->functions[interval->function] : location_state_names[state];
        bool is_mpi = is_function || state == STATE_SEND || state == STATE_RECEIVE || state == STATE_LIBRARY;
        index = add_node(self, name, interval->scope, false, is_mpi);
        map_add(&self->map, key)->index = index;
    }
    return &self->nodes[index];
}

static void add(const struct profile *self, struct node *node, int metric, int32_t location, int64_t value)
{
    if (value == 0)
        return;
    if (node->values[metric] == NULL)
        node->values[metric] = xcalloc((size_t)self->setup->n_locations, sizeof *node->values[metric]);
    node->values[metric][location] += value;
}

static void profile_write(void *data, const struct interval *interval)
{
    struct profile *self = data;
    struct node *node = node_of(self, interval);
    int64_t length_ps = interval->end_ps - interval->start_ps;
    add(self, node, METRIC_TIME, interval->location, length_ps);
    add(self, node, METRIC_VISITS, interval->location, interval->n_calls);
    if (interval->wait != WAIT_NONE)
        add(self, node, METRIC_WAITS + interval->wait, interval->location, length_ps);
    if (interval->is_message)
        add(self, node, METRIC_SENT, interval->location, interval->bytes);
    if (interval->is_receipt)
        add(self, node, METRIC_RECEIVED, interval->location, interval->bytes);
}

/* --- the archive --- */

static bool is_time(int metric)
{
    return metric == METRIC_TIME || metric >= METRIC_WAITS;
}

static bool is_used(const struct profile *self, int metric)
{
    for (size_t i = 0; i < self->n_nodes; i++)
        if (self->nodes[i].values[metric] != NULL)
            return true;
    return metric <= METRIC_VISITS;
}

static bool has_values(const struct node *node)
{
    for (int m = 0; m < N_METRICS; m++)
        if (node->values[m] != NULL)
            return true;
    return false;
}

/* Order the nodes so that the contents of a scope follow it; leave out nodes without values. */
static void put_in_order(struct profile *self)
{
    self->order = xmalloc((self->n_nodes + 1) * sizeof *self->order);
    for (size_t s = 0; s < self->n_nodes; s++) {
        size_t first = self->n_order;
        if (!self->nodes[s].is_scope)
            continue;
        self->order[self->n_order++] = (int32_t)s;
        for (size_t i = 0; i < self->n_nodes; i++)
            if (!self->nodes[i].is_scope && self->nodes[i].scope == self->nodes[s].scope && has_values(&self->nodes[i]))
                self->order[self->n_order++] = (int32_t)i;
        if (self->n_order == first + 1 && !has_values(&self->nodes[s]))
            self->n_order = first;
    }
}

/* The region of the i-th node of the file: the first node of that name. */
static size_t region_of(const struct profile *self, size_t i)
{
    size_t r = 0;
    while (strcmp(self->nodes[self->order[r]].name, self->nodes[self->order[i]].name) != 0)
        r++;
    return r;
}

/* Text between elements. */
static void add_text(struct builder *xml, const char *text)
{
    for (; *text != '\0'; text++)
        builder_add(xml, *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : *text == '>' ? "&gt;" : "%c", *text);
}

static void add_metric(struct builder *xml, int metric)
{
    static const char *const names[] = {"time", "visits", "bytes_sent", "bytes_received"};
    static const char *const units[] = {"sec", "occ", "bytes", "bytes"};
    bool waits = metric >= METRIC_WAITS;
    const char *name = waits ? wait_state_names[metric - METRIC_WAITS] : names[metric];
    builder_add(xml, "<metric id=\"%d\" type=\"EXCLUSIVE\">\n<disp_name>%s</disp_name>\n<uniq_name>%s", metric, name,
                waits && strncmp(name, "wait ", 5) != 0 ? "wait_" : "");
    for (const char *c = name; *c != '\0'; c++)
        builder_add(xml, "%c", *c == ' ' ? '_' : *c);
    builder_add(xml, "</uniq_name>\n<dtype>%s</dtype>\n<uom>%s</uom>\n<url></url>\n<descr></descr>\n</metric>\n",
                is_time(metric) ? "DOUBLE" : "UINT64", waits ? "sec" : units[metric]);
}

static void add_regions(struct builder *xml, const struct profile *self)
{
    for (size_t i = 0; i < self->n_order; i++) {
        const struct node *node = &self->nodes[self->order[i]];
        if (region_of(self, i) < i)
            continue;
        builder_add(xml, "<region id=\"%zu\" mod=\"\" begin=\"-1\" end=\"-1\">\n<name>", i);
        add_text(xml, node->name);
        builder_add(xml, "</name>\n<mangled_name>");
        add_text(xml, node->name);
        builder_add(xml,
                    "</mangled_name>\n<paradigm>%s</paradigm>\n<role>function</role>\n<url></url>\n<descr></descr>\n"
                    "</region>\n",
                    node->is_mpi ? "mpi" : "user");
    }
}

/* The program around all, of no time of its own, and the nodes. */
static void add_tree(struct builder *xml, const struct profile *self)
{
    builder_add(xml, "<cnode id=\"0\" calleeId=\"%zu\">\n", self->n_order);
    for (size_t i = 0; i < self->n_order; i++) {
        bool is_scope = self->nodes[self->order[i]].is_scope;
        if (is_scope && i > 0)
            builder_add(xml, "</cnode>\n");
        builder_add(xml, "<cnode id=\"%zu\" calleeId=\"%zu\">%s\n", i + 1, region_of(self, i),
                    is_scope ? "" : "</cnode>");
    }
    builder_add(xml, "</cnode>\n</cnode>\n");
}

static void add_system(struct builder *xml, const struct interval_setup *setup)
{
    builder_add(xml, "<system>\n<systemtreenode Id=\"0\">\n<name>machine</name>\n<class>machine</class>\n");
    int n = 0;
    for (int rank = 0; rank < setup->n_ranks; rank++) {
        builder_add(xml, "<locationgroup Id=\"%d\">\n<name>rank %d</name>\n<rank>%d</rank>\n<type>process</type>\n",
                    rank, rank, rank);
        for (int l = rank, thread = 0; l < setup->n_locations; l += setup->n_ranks, thread++) {
            char name[LOCATION_NAME];
            interval_name_location(name, setup, l);
            builder_add(xml,
                        "<location Id=\"%d\">\n<name>%s</name>\n<rank>%d</rank>\n<type>thread</type>\n</location>\n",
                        n++, thread == 0 ? "Master thread" : name, thread);
        }
        builder_add(xml, "</locationgroup>\n");
    }
    builder_add(xml, "</systemtreenode>\n</system>\n");
}

static char *make_anchor(const struct profile *self)
{
    struct builder xml = {0};
    builder_add(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n"
                      "<attr key=\"Creator\" value=\"simrun " SIMRUN_VERSION "\"/>\n<metrics>\n");
    for (int m = 0; m < N_METRICS; m++)
        if (is_used(self, m))
            add_metric(&xml, m);
    builder_add(&xml, "</metrics>\n<program>\n");
    add_regions(&xml, self);
    builder_add(&xml,
                "<region id=\"%zu\" mod=\"\" begin=\"-1\" end=\"-1\">\n<name>run</name>\n"
                "<mangled_name>run</mangled_name>\n<paradigm>user</paradigm>\n<role>function</role>\n<url></url>\n"
                "<descr></descr>\n</region>\n",
                self->n_order);
    add_tree(&xml, self);
    builder_add(&xml, "</program>\n");
    add_system(&xml, self->setup);
    builder_add(&xml, "</cube>\n");
    return builder_take(&xml);
}

/* Numbers are written with the lowest byte first. */
static void put_number(FILE *stream, uint64_t number, int n_bytes)
{
    for (int i = 0; i < n_bytes; i++)
        putc((int)(number >> 8 * i & 255), stream);
}

static void put_index(FILE *stream, const char *name, size_t n_nodes)
{
    int64_t size = 11 + 4 + 2 + 1 + 4 + 4 * (int64_t)n_nodes;
    tar_put_head(stream, name, size);
    fputs("CUBEX.INDEX", stream);
    put_number(stream, 1, 4);
    put_number(stream, 0, 2);
    put_number(stream, 1, 1);
    put_number(stream, n_nodes, 4);
    for (size_t i = 0; i < n_nodes; i++)
        put_number(stream, i + 1, 4);
    tar_put_padding(stream, size);
}

static void put_values(FILE *stream, const struct profile *self, const char *name, int metric)
{
    const struct interval_setup *setup = self->setup;
    int64_t size = 10 + 8 * (int64_t)self->n_order * setup->n_locations;
    tar_put_head(stream, name, size);
    fputs("CUBEX.DATA", stream);
    for (size_t i = 0; i < self->n_order; i++) {
        const int64_t *values = self->nodes[self->order[i]].values[metric];
        for (int rank = 0; rank < setup->n_ranks; rank++)
            for (int l = rank; l < setup->n_locations; l += setup->n_ranks) {
                int64_t value = values != NULL ? values[l] : 0;
                double seconds = (double)value / 1e12;
                uint64_t bits = (uint64_t)value;
                if (is_time(metric))
                    memcpy(&bits, &seconds, sizeof bits);
                put_number(stream, bits, 8);
            }
    }
    tar_put_padding(stream, size);
}

static void profile_free(struct profile *self)
{
    for (size_t i = 0; i < self->n_nodes; i++) {
        free(self->nodes[i].name);
        for (int m = 0; m < N_METRICS; m++)
            free(self->nodes[i].values[m]);
    }
    free(self->nodes);
    free(self->order);
    map_dispose(&self->map);
    free(self);
}

static void profile_abandon(void *data)
{
    struct profile *self = data;
    output_abandon(&self->output);
    profile_free(self);
}

static int profile_close(void *data, int64_t end_ps, struct sim_error *error)
{
    struct profile *self = data;
    FILE *stream = self->output.stream;
    (void)end_ps;
    put_in_order(self);
    char *anchor = make_anchor(self);
    int64_t size = (int64_t)strlen(anchor);
    tar_put_head(stream, "anchor.xml", size);
    fputs(anchor, stream);
    tar_put_padding(stream, size);
    free(anchor);
    for (int m = 0; m < N_METRICS; m++) {
        char index[32], data_name[32];
        if (!is_used(self, m))
            continue;
        snprintf(index, sizeof index, "%d.index", m);
        snprintf(data_name, sizeof data_name, "%d.data", m);
        put_index(stream, index, self->n_order);
        put_values(stream, self, data_name, m);
    }
    tar_put_end(stream);
    int status = output_close(&self->output, error);
    profile_free(self);
    return status;
}

const struct trace_format trace_cube = {
    .name = "cube",
    .extension = ".cubex",
    .summary = "profile for Cube, Extra-P and the like: totals, no events",
    .open = profile_open,
    .begin = profile_begin,
    .write = profile_write,
    .close = profile_close,
    .abandon = profile_abandon,
};
