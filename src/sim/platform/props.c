/* The props of a platform file's root zone, read with their line numbers. */
#include "sim/platform/internal.h"

#include "os/claims.h"
#include "base/memory.h"

#include <errno.h>
#include <libxml/tree.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The props ---- */

static bool is_element(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* NULL, and the error, where there is not exactly one. */
static const xmlNode *find_root_zone(xmlDocPtr document, const char *file, struct sim_error *error)
{
    const xmlNode *root = xmlDocGetRootElement(document), *found = NULL;
    for (const xmlNode *node = root->children; node != NULL; node = node->next) {
        if (!is_element(node, "zone") && !is_element(node, "AS"))
            continue;
        if (found != NULL) {
            sim_error_set(error, SIM_BAD_INPUT, file, xmlGetLineNo(node), "a second root <zone>; allowed: one");
            return NULL;
        }
        found = node;
    }
    if (found == NULL)
        sim_error_set(error, SIM_BAD_INPUT, file, xmlGetLineNo(root), "<platform> has no <zone>");
    return found;
}

int machine_prop_error(const struct machine_prop *prop, const char *key, struct sim_error *error, const char *format,
                       ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sim_error_set(error, SIM_BAD_INPUT, prop->file, prop->line, "<prop> %.60s%s%s: %s", prop->id,
                         key != NULL ? " " : "", key != NULL ? key : "", text);
}

const struct machine_prop *machine_props_find(const struct machine_props *props, const char *id)
{
    for (size_t i = 0; i < props->count; i++)
        if (strcmp(props->items[i].id, id) == 0)
            return &props->items[i];
    return NULL;
}

static void append_prop(struct machine_props *props, const char *file, long line, const char *id, const char *value)
{
    props->items = xgrow(props->items, props->count, &props->capacity, sizeof *props->items);
    props->items[props->count++] = (struct machine_prop){xstrdup(id), xstrdup(value), file, line};
}

static int add_prop(struct machine_props *props, const char *file, long line, const char *id, const char *value,
                    struct sim_error *error)
{
    if (id == NULL || value == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, line, "<prop> lacks the attribute %s",
                             id == NULL ? "id" : "value");
    const struct machine_prop *first = machine_props_find(props, id);
    append_prop(props, file, line, id, value);
    if (first == NULL)
        return 0;
    /* The list may have moved when it grew, so the earlier prop is looked up again. */
    return machine_prop_error(&props->items[props->count - 1], NULL, error, "given twice; first on line %ld",
                              machine_props_find(props, id)->line);
}

static int add_zone_props(struct machine_props *props, const char *file, const xmlNode *zone, struct sim_error *error)
{
    int result = 0;
    for (const xmlNode *node = zone->children; node != NULL && result == 0; node = node->next) {
        if (!is_element(node, "prop"))
            continue;
        xmlChar *id = xmlGetNoNsProp(node, (const xmlChar *)"id");
        xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)"value");
        result = add_prop(props, file, xmlGetLineNo(node), (const char *)id, (const char *)value, error);
        xmlFree(id);
        xmlFree(value);
    }
    return result;
}

static int read_document(struct machine_props *props, xmlDocPtr document, struct sim_error *error)
{
    const xmlNode *zone = find_root_zone(document, props->file, error);
    if (zone == NULL)
        return -1;
    props->zone_line = xmlGetLineNo(zone);
    const xmlNode *root = xmlDocGetRootElement(document);
    if (props->profiles != NULL &&
        (machine_units_check(root, props->file, error) != 0 || machine_size_check(root, props->file, error) != 0 ||
         machine_profiles_read(props->profiles, root, props->file, error) != 0))
        return -1;
    return add_zone_props(props, props->file, zone, error);
}

/* The props of one file alone. props->file must be set, because the props point to it. */
static int read_own_props(struct machine_props *props, struct sim_error *error)
{
    xmlDocPtr document = machine_document_read(props->file, error);
    if (document == NULL)
        return -1;
    int result = read_document(props, document, error);
    if (result == 0 && props->profiles != NULL)
        result = machine_simgrid_write(&props->document, document, props->file, error);
    xmlFreeDoc(document);
    return result;
}

/* ---- costs_from ---- */

char *machine_file_beside(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    if (slash == NULL || name[0] == '/')
        return xstrdup(name);
    return xformat("%.*s/%s", (int)(slash - file), file, name);
}

bool machine_prop_is_geometry(const char *id)
{
    return strcmp(id, "mesh") == 0 || strcmp(id, "mesh_pitch") == 0 || strcmp(id, "topology") == 0;
}

/* Geometry is not a cost, and rows of the message formula make sense only together. */
static bool is_taken(const struct machine_props *props, const char *id, bool has_rows)
{
    if (machine_prop_is_geometry(id))
        return false;
    if (has_rows && strncmp(id, "message.", 8) == 0)
        return false;
    return machine_props_find(props, id) == NULL;
}

static bool has_message_rows(const struct machine_props *props)
{
    for (size_t i = 0; i < props->count; i++)
        if (strncmp(props->items[i].id, "message.", 8) == 0)
            return true;
    return false;
}

static int take_costs(struct machine_props *props, const struct machine_prop *from, struct sim_error *error)
{
    struct machine_props costs = {.file = machine_file_beside(from->file, from->value)};
    int result = -1;
    if (access(costs.file, R_OK) != 0) {
        machine_prop_error(from, NULL, error, "'%.200s' cannot be opened: %s", from->value, strerror(errno));
    } else if (claims_check(costs.file, from->file, error) == 0 && read_own_props(&costs, error) == 0) {
        const struct machine_prop *next = machine_props_find(&costs, "costs_from");
        if (next != NULL)
            machine_prop_error(next, NULL, error, "not allowed in a file that is itself named by costs_from");
        else
            result = 0;
    }
    if (result == 0) {
        bool has_rows = has_message_rows(props);
        props->costs_file = xstrdup(costs.file);
        for (size_t i = 0; i < costs.count; i++)
            if (is_taken(props, costs.items[i].id, has_rows))
                append_prop(props, props->costs_file, costs.items[i].line, costs.items[i].id, costs.items[i].value);
    }
    machine_props_dispose(&costs);
    return result;
}

int machine_props_read(struct machine_props *props, const char *file, struct sim_error *error)
{
    struct machine_props read = {.file = xstrdup(file), .profiles = machine_profiles_new()};
    int result = claims_check(file, NULL, error) == 0 ? read_own_props(&read, error) : -1;
    const struct machine_prop *from = result == 0 ? machine_props_find(&read, "costs_from") : NULL;
    if (from != NULL)
        result = take_costs(&read, from, error);
    if (result == 0)
        *props = read;
    else
        machine_props_dispose(&read);
    return result;
}

void machine_props_dispose(struct machine_props *props)
{
    for (size_t i = 0; i < props->count; i++) {
        free(props->items[i].id);
        free(props->items[i].value);
    }
    free(props->items);
    free(props->file);
    free(props->costs_file);
    machine_profiles_free(props->profiles);
    if (props->document != NULL)
        fclose(props->document);
    *props = (struct machine_props){0};
}

char *machine_costs_file(const char *file)
{
    struct machine_props props;
    struct sim_error ignored;
    if (machine_props_read(&props, file, &ignored) != 0)
        return NULL;
    char *costs = props.costs_file != NULL ? xstrdup(props.costs_file) : NULL;
    machine_props_dispose(&props);
    return costs;
}
