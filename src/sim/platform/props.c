/* Platform files: their props, read with their line numbers, those of costs_from with them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "base/memory.h"
#include "os/file_kind.h"
#include "os/path.h"
#include "os/prolog.h"
#include "os/reserved_outputs.h"
#include "sim/platform/plain_internal.h"
#include "sim/platform/table.h"

#include <errno.h>
#include <libxml/tree.h>
#include <stdbool.h>
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
        if (!is_element(node, "zone") && !is_element(node, "AS") && !is_element(node, "cluster"))
            continue;
        if (found != NULL) {
            sim_error_set(error, SIM_BAD_INPUT, file, xmlGetLineNo(node), "a second root <zone>; allowed: one");
            return NULL;
        }
        found = node;
    }
    if (found == NULL)
        sim_error_set(error, SIM_BAD_INPUT, file, xmlGetLineNo(root), "<platform> has no <zone>, and no <cluster>");
    return found;
}

static int add_prop(struct machine_props *props, const char *file, long line, const char *id, const char *value,
                    struct sim_error *error)
{
    if (id == NULL || value == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, file, line, "<prop> lacks the attribute %s",
                             id == NULL ? "id" : "value");
    const struct machine_prop *first = machine_props_find(props, id);
    machine_props_append(props, file, line, id, value);
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

static int read_document(struct platform_file *file, xmlDocPtr document, struct sim_error *error)
{
    struct machine_props *props = &file->props;
    const xmlNode *zone = find_root_zone(document, props->file, error);
    if (zone == NULL)
        return -1;
    props->zone_line = xmlGetLineNo(zone);
    const xmlNode *root = xmlDocGetRootElement(document);
    if (file->profiles != NULL &&
        (machine_units_check(root, props->file, error) != 0 || machine_size_check(root, props->file, error) != 0 ||
         machine_profiles_read(file->profiles, root, props->file, error) != 0))
        return -1;
    return add_zone_props(props, props->file, zone, error);
}

static int read_as_document(struct platform_file *file, const char *text, size_t size, struct sim_error *error)
{
    xmlDocPtr document = machine_document_read(text, size, file->props.file, error);
    if (document == NULL)
        return -1;
    int result = machine_foreign_drop(&file->props, document, error);
    if (result == 0)
        result = read_document(file, document, error);
    if (result == 0 && file->profiles != NULL)
        file->document = document;
    else
        xmlFreeDoc(document);
    return result;
}

/* False if it is not plain, or SimGrid has to say what is wrong with its routes. */
static bool read_as_plain(struct platform_file *file, const char *text, size_t size)
{
    char why[256];
    struct graph graph;
    if (!plain_read(&graph, &file->props, text, size))
        return false;
    file->routes = graph_routes(&graph, why, sizeof why);
    if (file->routes != NULL)
        return true;
    char *name = xstrdup(file->props.file);
    machine_props_dispose(&file->props);
    file->props.file = name;
    return false;
}

/* Read what one file alone says. props.file must be set, because the props point to it. */
static int read_own(struct platform_file *file, enum platform_use use, struct sim_error *error)
{
    char *text = NULL;
    size_t size = 0;
    if (file_kind_check(file->props.file, FILE_PLATFORM, "a platform", error) != 0 ||
        machine_file_read(&text, &size, file->props.file, error) != 0)
        return -1;
    prolog_mend(text, size);
    int result = use == USE_AS_PLAIN && read_as_plain(file, text, size) ? 0 : read_as_document(file, text, size, error);
    free(text);
    return result;
}

/* ---- costs_from ---- */

/* Rows of a formula make sense only together. */
enum { N_ROW_FAMILIES = 2 };
static const char *const row_families[N_ROW_FAMILIES] = {"message.", "local."};

static bool is_of(const char *id, const char *family)
{
    return strncmp(id, family, strlen(family)) == 0;
}

static bool has_rows(const struct machine_props *props, const char *family)
{
    for (size_t i = 0; i < props->count; i++)
        if (is_of(props->items[i].id, family))
            return true;
    return false;
}

/* Geometry is not a cost. has_own: of which families the file itself has rows. */
static bool is_taken(const struct machine_props *props, const char *id, const bool has_own[N_ROW_FAMILIES])
{
    if (machine_prop_is_own(id))
        return false;
    for (int i = 0; i < N_ROW_FAMILIES; i++)
        if (has_own[i] && is_of(id, row_families[i]))
            return false;
    return machine_props_find(props, id) == NULL;
}

static int take_costs(struct machine_props *props, const struct machine_prop *from, struct sim_error *error)
{
    struct platform_file costs = {.props.file = path_beside(from->file, from->value, strlen(from->value))};
    const char *file = costs.props.file;
    int result = -1;
    if (access(file, R_OK) != 0) {
        machine_prop_error(from, NULL, error, "cannot read '%.200s': %s", from->value, strerror(errno));
    } else if (reserved_outputs_check(file, from->file, error) == 0 && read_own(&costs, USE_AS_PLAIN, error) == 0) {
        const struct machine_prop *next = machine_props_find(&costs.props, "costs_from");
        if (next != NULL)
            machine_prop_error(next, NULL, error, "not allowed in a file that is itself named by costs_from");
        else
            result = 0;
    }
    if (result == 0) {
        bool has_own[N_ROW_FAMILIES];
        for (int i = 0; i < N_ROW_FAMILIES; i++)
            has_own[i] = has_rows(props, row_families[i]);
        props->costs_file = xstrdup(file);
        for (size_t i = 0; i < costs.props.count; i++) {
            const struct machine_prop *prop = &costs.props.items[i];
            if (is_taken(props, prop->id, has_own))
                machine_props_append(props, props->costs_file, prop->line, prop->id, prop->value);
        }
    }
    platform_file_dispose(&costs);
    return result;
}

int platform_file_read(struct platform_file *file, const char *name, enum platform_use use, struct sim_error *error)
{
    struct platform_file read = {.props.file = xstrdup(name), .profiles = machine_profiles_new()};
    int result = reserved_outputs_check(name, NULL, error) == 0 ? read_own(&read, use, error) : -1;
    const struct machine_prop *from = result == 0 ? machine_props_find(&read.props, "costs_from") : NULL;
    if (from != NULL)
        result = take_costs(&read.props, from, error);
    if (result == 0)
        *file = read;
    else
        platform_file_dispose(&read);
    return result;
}

void platform_file_dispose(struct platform_file *file)
{
    machine_props_dispose(&file->props);
    machine_profiles_free(file->profiles);
    machine_routes_close(file->routes);
    if (file->document != NULL)
        xmlFreeDoc(file->document);
    *file = (struct platform_file){.profiles = NULL};
}

void machine_visit_files(const char *file, void (*visit)(void *self, const char *named), void *self)
{
    struct platform_file platform;
    struct sim_error ignored;
    if (platform_file_read(&platform, file, USE_AS_PLAIN, &ignored) != 0)
        return;
    if (platform.props.costs_file != NULL)
        visit(self, platform.props.costs_file);
    for (size_t i = 0; i < platform.props.count; i++)
        if (machine_is_table(&platform.props.items[i])) {
            char *table = table_file(&platform.props.items[i]);
            visit(self, table);
            free(table);
        }
    platform_file_dispose(&platform);
}
