/* The profiles that a platform file mentions: as attributes of hosts and links, and as <trace>s that are connected.
 * They are read here once more, because SimGrid does not reveal what it has read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "base/memory.h"
#include "base/sort.h"
#include "os/path.h"
#include "os/reserved_outputs.h"

#include <errno.h>
#include <libxml/tree.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_TRACES 10000
#define MAX_BYTES (256 << 20)

/* A <trace>, which becomes a profile when it is connected. */
struct trace_element {
    char *id;
    const xmlNode *node;
    long connected; /* line; 0: not yet */
};

struct profile_reader {
    struct machine_profiles *profiles;
    struct trace_element *traces;
    size_t n_traces, capacity;
    size_t bytes; /* of profile files so far */
    const char *file;
    struct sim_error *error;
};

static const char *const kind_names[N_PROFILE_KINDS] = {
    [PROFILE_SPEED] = "speed",
    [PROFILE_BANDWIDTH] = "bandwidth",
    [PROFILE_LATENCY] = "latency",
};

/* ---- One profile ---- */

static void add_profile(struct profile_reader *reader, char *element, long line, struct profile profile)
{
    struct machine_profiles *profiles = reader->profiles;
    profiles->items = xgrow(profiles->items, profiles->count, &profiles->capacity, sizeof *profiles->items);
    profiles->items[profiles->count++] = (struct machine_profile){element, line, profile};
}

/* SimGrid looks for a file from the working directory first, then from the folder of the platform. */
char *machine_profile_file(const char *name, const char *platform)
{
    return access(name, F_OK) == 0 ? xstrdup(name) : path_beside(platform, name, strlen(name));
}

static int read_profile_file(struct profile *profile, enum profile_kind kind, const char *name, const xmlNode *node,
                             struct profile_reader *reader)
{
    char *file = machine_profile_file(name, reader->file), *text = NULL;
    size_t size = 0;
    int status = -1;
    if (access(file, R_OK) != 0)
        sim_error_set(reader->error, SIM_BAD_INPUT, reader->file, xmlGetLineNo(node),
                      "<%s>: cannot read the profile '%.200s': %s", (const char *)node->name, name, strerror(errno));
    else if (reserved_outputs_check(file, reader->file, reader->error) == 0)
        status = machine_file_read(&text, &size, file, reader->error);
    reader->bytes += size;
    if (status == 0 && reader->bytes > MAX_BYTES)
        status = sim_error_set(reader->error, SIM_BAD_INPUT, file, 0,
                               "the profiles up to this one have more than %d MiB", MAX_BYTES >> 20);
    if (status == 0 && strlen(text) != size)
        status = sim_error_set(reader->error, SIM_BAD_INPUT, file, 0, "is not text: it contains a zero byte");
    if (status == 0)
        status = profile_parse(profile, kind, text, file, 1, 0, reader->error);
    free(text);
    free(file);
    return status;
}

/* ---- Attributes ---- */

static char *attribute(const xmlNode *node, const char *name)
{
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    char *copy = value != NULL && *value != '\0' ? xstrdup((const char *)value) : NULL;
    xmlFree(value);
    return copy;
}

/* The attributes that name files of profiles, with the kind of each. */
static const struct {
    const char *element, *attribute;
    enum profile_kind kind;
} attributes[] = {
    {"host", "speed_file", PROFILE_SPEED},         {"host", "availability_file", PROFILE_SPEED},
    {"peer", "speed_file", PROFILE_SPEED},         {"peer", "availability_file", PROFILE_SPEED},
    {"link", "bandwidth_file", PROFILE_BANDWIDTH}, {"link", "latency_file", PROFILE_LATENCY},
};

static int read_attribute(struct profile_reader *reader, const xmlNode *node, const char *name, enum profile_kind kind)
{
    char *file = attribute(node, name), *id = attribute(node, "id");
    struct profile profile;
    int status = 0;
    if (file != NULL && id != NULL) {
        status = read_profile_file(&profile, kind, file, node, reader);
        if (status == 0) {
            add_profile(reader, id, xmlGetLineNo(node), profile);
            id = NULL;
        }
    }
    free(file);
    free(id);
    return status;
}

static int read_attributes(struct profile_reader *reader, const xmlNode *node)
{
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        if (strcmp(attributes[i].element, (const char *)node->name) == 0 &&
            read_attribute(reader, node, attributes[i].attribute, attributes[i].kind) != 0)
            return -1;
    return 0;
}

/* ---- Traces ---- */

static int add_trace(struct profile_reader *reader, const xmlNode *node)
{
    char *id = attribute(node, "id");
    if (id == NULL)
        return sim_error_set(reader->error, SIM_BAD_INPUT, reader->file, xmlGetLineNo(node),
                             "<trace> lacks the attribute id");
    if (reader->n_traces == MAX_TRACES) {
        free(id);
        return sim_error_set(reader->error, SIM_BAD_INPUT, reader->file, xmlGetLineNo(node), "more than %d <trace>s",
                             MAX_TRACES);
    }
    reader->traces = xgrow(reader->traces, reader->n_traces, &reader->capacity, sizeof *reader->traces);
    reader->traces[reader->n_traces++] = (struct trace_element){.id = id, .node = node};
    return 0;
}

/* Where a trace names a file, its own text and periodicity do not count. */
static int read_trace(struct profile *profile, enum profile_kind kind, const xmlNode *node,
                      struct profile_reader *reader)
{
    char *file = attribute(node, "file"), *periodicity = attribute(node, "periodicity");
    double period_s = periodicity != NULL ? strtod(periodicity, NULL) : 0;
    int status;
    if (file != NULL) {
        status = read_profile_file(profile, kind, file, node, reader);
    } else if (!isfinite(period_s) || (period_s > 0 && period_s < 1e-3)) {
        status = sim_error_set(reader->error, SIM_BAD_INPUT, reader->file, xmlGetLineNo(node),
                               "<trace> periodicity: '%.40s' is out of range; allowed: 0 (once), or seconds from 0.001",
                               periodicity);
    } else {
        xmlChar *content = xmlNodeGetContent(node);
        status = profile_parse(profile, kind, (char *)content, reader->file, xmlGetLineNo(node),
                               period_s > 0 ? period_s : 0, reader->error);
        xmlFree(content);
    }
    free(file);
    free(periodicity);
    return status;
}

/* A trace is connected after it stands, so the search goes backwards and the last of its name counts. */
static struct trace_element *find_trace(const struct profile_reader *reader, const char *id)
{
    for (size_t i = reader->n_traces; id != NULL && i > 0; i--)
        if (strcmp(reader->traces[i - 1].id, id) == 0)
            return &reader->traces[i - 1];
    return NULL;
}

/* Find the kind of profile that a <trace_connect> of SimGrid's calls by that name; -1: none. */
static int find_kind(enum profile_kind *kind, const char *name)
{
    static const char *const names[N_PROFILE_KINDS] = {
        [PROFILE_SPEED] = "SPEED", [PROFILE_BANDWIDTH] = "BANDWIDTH", [PROFILE_LATENCY] = "LATENCY"};
    for (int i = 0; i < N_PROFILE_KINDS; i++)
        if (strcmp(names[i], name) == 0) {
            *kind = (enum profile_kind)i;
            return 0;
        }
    return -1;
}

static bool has_link(const xmlNode *parent, const char *id)
{
    bool found = false;
    for (const xmlNode *node = parent->children; !found && node != NULL; node = node->next) {
        if (node->type != XML_ELEMENT_NODE)
            continue;
        char *own = strcmp((const char *)node->name, "link") == 0 ? attribute(node, "id") : NULL;
        found = (own != NULL && strcmp(own, id) == 0) || has_link(node, id);
        free(own);
    }
    return found;
}

static int connect_trace(struct profile_reader *reader, const xmlNode *node, struct trace_element *trace,
                         const char *kind_name, char *element)
{
    struct profile profile;
    enum profile_kind kind;
    long line = xmlGetLineNo(node);
    if (find_kind(&kind, kind_name) != 0)
        return sim_error_set(reader->error, SIM_BAD_INPUT, reader->file, line,
                             "<trace_connect> kind: '%.40s' is unknown; known: SPEED BANDWIDTH LATENCY HOST_AVAIL "
                             "LINK_AVAIL",
                             kind_name);
    if (trace == NULL || element == NULL)
        return 0; /* SimGrid has the message for it */
    if (kind != PROFILE_SPEED && !has_link(xmlDocGetRootElement(node->doc), element))
        return sim_error_set(reader->error, SIM_BAD_INPUT, reader->file, line,
                             "<trace_connect> element: no <link> has the id '%.60s'", element);
    if (trace->connected != 0)
        return sim_error_set(reader->error, SIM_BAD_INPUT, reader->file, line,
                             "<trace_connect>: the trace '%.60s' is already connected on line %ld, and SimGrid "
                             "connects a trace only once; allowed: a <trace> for each host",
                             trace->id, trace->connected);
    trace->connected = line;
    if (read_trace(&profile, kind, trace->node, reader) != 0)
        return -1;
    add_profile(reader, xstrdup(element), line, profile);
    return 0;
}

static int read_connection(struct profile_reader *reader, const xmlNode *node)
{
    char *id = attribute(node, "trace"), *kind = attribute(node, "kind"), *element = attribute(node, "element");
    int status = connect_trace(reader, node, find_trace(reader, id), kind, element);
    free(id);
    free(kind);
    free(element);
    return status;
}

/* ---- The document ---- */

static int read_element(struct profile_reader *reader, const xmlNode *node)
{
    const char *name = (const char *)node->name;
    if (strcmp(name, "trace") == 0)
        return add_trace(reader, node);
    if (strcmp(name, "trace_connect") == 0)
        return read_connection(reader, node);
    return read_attributes(reader, node);
}

/* libxml2 has bounded the depth. */
static int read_children(struct profile_reader *reader, const xmlNode *parent)
{
    for (const xmlNode *node = parent->children; node != NULL; node = node->next)
        if (node->type == XML_ELEMENT_NODE && (read_element(reader, node) != 0 || read_children(reader, node) != 0))
            return -1;
    return 0;
}

static int check_twice(const struct profile_reader *reader)
{
    const struct machine_profile *items = reader->profiles->items;
    for (size_t i = 1; i < reader->profiles->count; i++)
        if (machine_profiles_order(&items[i - 1], &items[i]) == 0)
            return sim_error_set(reader->error, SIM_BAD_INPUT, reader->file,
                                 items[i].line > items[i - 1].line ? items[i].line : items[i - 1].line,
                                 "a second profile for the %s of '%.60s'", kind_names[items[i].profile.kind],
                                 items[i].element);
    return 0;
}

int machine_profiles_read(struct machine_profiles *profiles, const struct _xmlNode *root, const char *file,
                          struct sim_error *error)
{
    struct profile_reader reader = {.profiles = profiles, .file = file, .error = error};
    int status = read_children(&reader, root);
    if (status == 0 && profiles->count > 0) {
        sort_stable(profiles->items, profiles->count, sizeof *profiles->items, machine_profiles_order);
        status = check_twice(&reader);
    }
    for (size_t i = 0; i < reader.n_traces; i++)
        free(reader.traces[i].id);
    free(reader.traces);
    return status;
}
