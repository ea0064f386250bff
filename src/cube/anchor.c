/* Reads anchor.xml, element by element.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "cube/cube.h"

#include "base/map.h"
#include "base/memory.h"

#include <libxml/xmlreader.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 24 }; /* of each kind */

/* The element whose names are read. */
enum within { WITHIN_OTHER, WITHIN_METRIC, WITHIN_REGION, WITHIN_GROUP, WITHIN_LOCATION };

struct anchor {
    struct cube *cube;
    xmlTextReader *reader;
    enum within within;
    char *text; /* of the element that has begun last */
    char *group;
    struct map regions; /* identifier -> index */
    int32_t node;       /* the innermost that is open; -1: none */
    const char *fault;  /* NULL: none */
};

static void add_text(struct anchor *anchor, const char *more)
{
    char *both = anchor->text != NULL ? xformat("%s%s", anchor->text, more) : xstrdup(more);
    free(anchor->text);
    anchor->text = both;
}

/* An attribute as a number, or as -1. */
static int64_t number_of(struct anchor *anchor, const char *name)
{
    char *text = (char *)xmlTextReaderGetAttribute(anchor->reader, (const xmlChar *)name), *end = NULL;
    long long number = text != NULL ? strtoll(text, &end, 10) : -1;
    bool is_number = end != NULL && end != text && *end == '\0' && number >= 0 && number <= INT32_MAX;
    xmlFree(text);
    return is_number ? number : -1;
}

static bool attribute_is(struct anchor *anchor, const char *name, const char *value)
{
    char *text = (char *)xmlTextReaderGetAttribute(anchor->reader, (const xmlChar *)name);
    bool is = text != NULL && strcmp(text, value) == 0;
    xmlFree(text);
    return is;
}

/* --- what begins --- */

static void begin_metric(struct anchor *anchor)
{
    struct cube *cube = anchor->cube;
    cube->metrics = xgrow(cube->metrics, cube->n_metrics, &cube->metrics_capacity, sizeof *cube->metrics);
    cube->metrics[cube->n_metrics++] =
        (struct cube_metric){.id = number_of(anchor, "id"), .is_inclusive = attribute_is(anchor, "type", "INCLUSIVE")};
    if (!attribute_is(anchor, "type", "INCLUSIVE") && !attribute_is(anchor, "type", "EXCLUSIVE"))
        cube->metrics[cube->n_metrics - 1].id = -1;
    anchor->within = WITHIN_METRIC;
}

static void begin_region(struct anchor *anchor)
{
    struct cube *cube = anchor->cube;
    cube->regions = xgrow(cube->regions, cube->n_regions, &cube->regions_capacity, sizeof *cube->regions);
    cube->regions[cube->n_regions++] = (struct cube_region){0};
    map_add(&anchor->regions, map_key_64((uint64_t)number_of(anchor, "id")))->index = (uint32_t)cube->n_regions - 1;
    anchor->within = WITHIN_REGION;
}

static void begin_node(struct anchor *anchor)
{
    struct cube *cube = anchor->cube;
    uint32_t region;
    if (!map_get(&anchor->regions, map_key_64((uint64_t)number_of(anchor, "calleeId")), &region)) {
        anchor->fault = "a cnode whose calleeId is that of no region before it";
        return;
    }
    cube->nodes = xgrow(cube->nodes, cube->n_nodes, &cube->nodes_capacity, sizeof *cube->nodes);
    cube->nodes[cube->n_nodes++] = (struct cube_node){.region = (int32_t)region, .parent = anchor->node};
    if (anchor->node >= 0)
        cube->nodes[anchor->node].n_children++;
    if (!xmlTextReaderIsEmptyElement(anchor->reader))
        anchor->node = (int32_t)cube->n_nodes - 1;
}

static void begin_location(struct anchor *anchor)
{
    struct cube *cube = anchor->cube;
    cube->locations = xgrow(cube->locations, cube->n_locations, &cube->locations_capacity, sizeof *cube->locations);
    cube->locations[cube->n_locations++] =
        (struct cube_location){.group = anchor->group != NULL ? xstrdup(anchor->group) : NULL};
    anchor->within = WITHIN_LOCATION;
}

static void begin(struct anchor *anchor, const char *name)
{
    free(anchor->text);
    anchor->text = NULL;
    if (strcmp(name, "metric") == 0) {
        begin_metric(anchor);
    } else if (strcmp(name, "region") == 0) {
        begin_region(anchor);
    } else if (strcmp(name, "cnode") == 0) {
        begin_node(anchor);
    } else if (strcmp(name, "location") == 0 || strcmp(name, "thread") == 0) {
        begin_location(anchor);
    } else if (strcmp(name, "locationgroup") == 0 || strcmp(name, "process") == 0) {
        anchor->within = WITHIN_GROUP;
        free(anchor->group);
        anchor->group = NULL;
    } else if (strcmp(name, "systemtreenode") == 0) {
        anchor->within = WITHIN_OTHER;
    } else if (strcmp(name, "attr") == 0 && anchor->cube->creator == NULL && attribute_is(anchor, "key", "Creator")) {
        char *value = (char *)xmlTextReaderGetAttribute(anchor->reader, (const xmlChar *)"value");
        anchor->cube->creator = value != NULL ? xstrdup(value) : NULL;
        xmlFree(value);
    }
}

/* --- what ends --- */

static void set_type(struct cube_metric *metric, const char *name)
{
    static const struct {
        const char *name;
        uint8_t type, n_bytes;
    } types[] = {{"DOUBLE", CUBE_REAL, 8},
                 {"FLOAT", CUBE_REAL, 8},
                 {"UINT64", CUBE_UNSIGNED, 8},
                 {"UINT32", CUBE_UNSIGNED, 4},
                 {"UINT16", CUBE_UNSIGNED, 2},
                 {"UINT8", CUBE_UNSIGNED, 1},
                 {"INT64", CUBE_SIGNED, 8},
                 {"INT32", CUBE_SIGNED, 4},
                 {"INT16", CUBE_SIGNED, 2},
                 {"INT8", CUBE_SIGNED, 1},
                 {"INTEGER", CUBE_SIGNED, 8},
                 {"INT", CUBE_SIGNED, 4},
                 {"UNSIGNED INTEGER", CUBE_UNSIGNED, 8},
                 {"UNSIGNED INT", CUBE_UNSIGNED, 4}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(name, types[i].name) == 0) {
            metric->type = types[i].type;
            metric->n_bytes = types[i].n_bytes;
        }
}

/* Take the text, if there is none yet in that place. */
static void take(struct anchor *anchor, char **place)
{
    if (*place == NULL) {
        *place = anchor->text;
        anchor->text = NULL;
    }
}

static void end_of_metric(struct anchor *anchor, const char *name)
{
    struct cube_metric *metric = &anchor->cube->metrics[anchor->cube->n_metrics - 1];
    if (strcmp(name, "uniq_name") == 0)
        take(anchor, &metric->name);
    else if (strcmp(name, "disp_name") == 0)
        take(anchor, &metric->title);
    else if (strcmp(name, "uom") == 0)
        take(anchor, &metric->unit);
    else if (strcmp(name, "dtype") == 0)
        set_type(metric, anchor->text);
}

static void end_of_named(struct anchor *anchor, const char *name)
{
    struct cube *cube = anchor->cube;
    bool is_name = strcmp(name, "name") == 0;
    if (anchor->within == WITHIN_REGION && is_name)
        take(anchor, &cube->regions[cube->n_regions - 1].name);
    else if (anchor->within == WITHIN_REGION && strcmp(name, "paradigm") == 0)
        take(anchor, &cube->regions[cube->n_regions - 1].paradigm);
    else if (anchor->within == WITHIN_GROUP && is_name)
        take(anchor, &anchor->group);
    else if (anchor->within == WITHIN_LOCATION && is_name)
        take(anchor, &cube->locations[cube->n_locations - 1].name);
}

static void end(struct anchor *anchor, const char *name)
{
    if (strcmp(name, "cnode") == 0 && anchor->node >= 0)
        anchor->node = anchor->cube->nodes[anchor->node].parent;
    else if (anchor->text != NULL && anchor->within == WITHIN_METRIC)
        end_of_metric(anchor, name);
    else if (anchor->text != NULL)
        end_of_named(anchor, name);
    if (strcmp(name, "metrics") == 0 || strcmp(name, "program") == 0)
        anchor->within = WITHIN_OTHER;
    free(anchor->text);
    anchor->text = NULL;
}

/* --- the whole --- */

/* Inclusive metrics number a node's children side by side, before what is below them; roots as they come. */
static void number_wide(struct cube *cube)
{
    int32_t next = 0;
    int32_t *first = xcalloc(cube->n_nodes + 1, sizeof *first); /* the next child of each node gets that */
    for (size_t i = 0; i < cube->n_nodes; i++) {
        struct cube_node *node = &cube->nodes[i];
        node->wide = node->parent < 0 ? next++ : first[node->parent]++;
        first[i] = next;
        next += node->n_children;
    }
    free(first);
}

static int check(const struct cube *cube, const char *fault, struct sim_error *error)
{
    if (fault == NULL && (cube->n_nodes == 0 || cube->n_locations == 0 || cube->n_metrics == 0))
        fault = "without metrics, cnodes or locations";
    for (size_t i = 0; fault == NULL && i < cube->n_regions; i++)
        if (cube->regions[i].name == NULL)
            fault = "a region without a name";
    for (size_t i = 0; fault == NULL && i < cube->n_metrics; i++)
        if (cube->metrics[i].name == NULL)
            fault = "a metric without uniq_name";
    if (fault == NULL)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, cube->tar.file, 0, "its anchor.xml is not that of a profile: %s", fault);
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *said;
#else
typedef xmlError *said;
#endif
static void ignore(void *self, said error)
{
    (void)self, (void)error;
}

static bool has_too_many(const struct cube *cube)
{
    return cube->n_metrics > MOST || cube->n_regions > MOST || cube->n_nodes > MOST || cube->n_locations > MOST;
}

static int read_elements(struct anchor *anchor)
{
    int status = 0;
    while (anchor->fault == NULL && (status = xmlTextReaderRead(anchor->reader)) == 1) {
        const char *name = (const char *)xmlTextReaderConstName(anchor->reader);
        switch (xmlTextReaderNodeType(anchor->reader)) {
        case XML_READER_TYPE_ELEMENT:
            begin(anchor, name);
            break;
        case XML_READER_TYPE_TEXT:
        case XML_READER_TYPE_CDATA:
            add_text(anchor, (const char *)xmlTextReaderConstValue(anchor->reader));
            break;
        case XML_READER_TYPE_END_ELEMENT:
            end(anchor, name);
            break;
        }
        if (has_too_many(anchor->cube))
            anchor->fault = "more than 16777216 elements of a kind";
    }
    return anchor->fault == NULL ? status : 0;
}

int cube_read_anchor(struct cube *cube, const char *text, size_t size, struct sim_error *error)
{
    struct anchor anchor = {.cube = cube, .node = -1};
    anchor.reader =
        size <= INT_MAX ? xmlReaderForMemory(text, (int)size, NULL, NULL, XML_PARSE_NONET | XML_PARSE_HUGE) : NULL;
    if (anchor.reader == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, cube->tar.file, 0, "its anchor.xml cannot be read");
    /* libxml2 reports some faults only to a handler of the thread, and prints them if there is none. */
    xmlStructuredErrorFunc previous = xmlStructuredError;
    void *previous_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, ignore);
    xmlTextReaderSetStructuredErrorHandler(anchor.reader, ignore, NULL);
    if (read_elements(&anchor) != 0)
        anchor.fault = "it is not well-formed XML";
    xmlSetStructuredErrorFunc(previous_context, previous);
    xmlFreeTextReader(anchor.reader);
    map_dispose(&anchor.regions);
    free(anchor.text);
    free(anchor.group);
    int status = check(cube, anchor.fault, error);
    if (status == 0)
        number_wide(cube);
    return status;
}
