/* The elements of a platform that are no part of a machine, or are of a kind of machine that is not simulated. SimGrid
 * obeys more than the description of a machine; of that, nothing is let through. Elements that may be missing are
 * passed over with a note; the rest is refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "base/known.h"

#include <libxml/tree.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* ---- Elements ---- */

/* The elements that describe a machine; the last of them is refused. */
static const char *const elements[] = {
    "platform",
    "zone",
    "AS",
    "prop",
    "host",
    "disk",
    "router",
    "link",
    "link_ctn",
    "backbone",
    "cluster",
    "cabinet",
    "peer",
    "host_link",
    "route",
    "zoneRoute",
    "ASroute",
    "bypassRoute",
    "bypassZoneRoute",
    "bypassASroute",
    "trace",
    "trace_connect",
    "include",
    NULL,
};

static const char *element_at(const void *table, int i)
{
    return ((const char *const *)table)[i];
}

static bool is_part(const xmlNode *node)
{
    for (int i = 0; elements[i] != NULL; i++)
        if (node->ns == NULL && strcmp(elements[i], (const char *)node->name) == 0)
            return true;
    return false;
}

/* ---- What is not simulated ---- */

/* NULL for an attribute: the element itself. */
static const struct {
    const char *element, *attribute, *value, *why;
} refused[] = {
    {"include", NULL, NULL, "not supported; insert the text of the named file instead"},
    {"zone", "routing", "Vivaldi", "routes get latencies from coordinates, and simrun supports only those of links"},
    {"AS", "routing", "Vivaldi", "routes get latencies from coordinates, and simrun supports only those of links"},
    {"zone", "routing", "Wifi", "stations share the air time of a cell, which is not simulated"},
    {"AS", "routing", "Wifi", "stations share the air time of a cell, which is not simulated"},
    {"link", "sharing_policy", "WIFI", "stations share the air time of a cell, which is not simulated"},
};

/* SimGrid takes capitals for small letters. */
static bool has_value(const xmlNode *node, const char *name, const char *value)
{
    xmlChar *found = xmlGetNoNsProp(node, (const xmlChar *)name);
    bool has = found != NULL && strcasecmp((const char *)found, value) == 0;
    xmlFree(found);
    return has;
}

/* Hosts and links that fail are always up. */
static const char *const failing[] = {"state_file", NULL}; /* attributes of theirs */

static bool connects_failures(const xmlNode *node)
{
    if (strcmp((const char *)node->name, "trace_connect") != 0)
        return false;
    return !xmlHasProp(node, (const xmlChar *)"kind") || has_value(node, "kind", "HOST_AVAIL") ||
           has_value(node, "kind", "LINK_AVAIL");
}

static void drop_failures(struct machine_props *props, xmlNode *node)
{
    for (int i = 0; failing[i] != NULL; i++) {
        xmlAttr *attribute = xmlHasProp(node, (const xmlChar *)failing[i]);
        if (attribute == NULL)
            continue;
        xmlRemoveProp(attribute);
        machine_props_pass_over(props, failing[i], "", xmlGetLineNo(node));
    }
}

static int check_simulated(const xmlNode *node, const char *file, struct sim_error *error)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *attribute = refused[i].attribute;
        if (strcmp(refused[i].element, (const char *)node->name) != 0 ||
            (attribute != NULL && !has_value(node, attribute, refused[i].value)))
            continue;
        return sim_error_set(error, SIM_BAD_INPUT, file, xmlGetLineNo(node), "<%s>%s%s%s%s: %s",
                             (const char *)node->name, attribute != NULL ? " " : "", attribute != NULL ? attribute : "",
                             attribute != NULL ? " " : "", attribute != NULL ? refused[i].value : "", refused[i].why);
    }
    return 0;
}

/* ---- The document ---- */

/* 1: the element is to be taken away. A misspelled one is an error, since what it stands for would be missing. */
static int judge(struct machine_props *props, xmlNode *node, struct sim_error *error)
{
    char known[512];
    const char *name = (const char *)node->name;
    if (is_part(node) && !connects_failures(node)) {
        drop_failures(props, node);
        return check_simulated(node, props->file, error);
    }
    if (node->ns == NULL && !is_part(node) && known_find_meant(name, element_at, elements) != NULL) {
        known_format(known, sizeof known, name, element_at, elements);
        return sim_error_set(error, SIM_BAD_INPUT, props->file, xmlGetLineNo(node), "unknown <%.40s>%s", name, known);
    }
    char shown[48];
    snprintf(shown, sizeof shown, "<%.40s>", name);
    machine_props_pass_over(props, shown, "", xmlGetLineNo(node));
    return 1;
}

/* libxml2 has bounded the depth. */
static int drop_from(struct machine_props *props, xmlNode *parent, struct sim_error *error)
{
    for (xmlNode *node = parent->children, *next = NULL; node != NULL; node = next) {
        next = node->next;
        if (node->type != XML_ELEMENT_NODE)
            continue;
        int verdict = judge(props, node, error);
        if (verdict < 0 || (verdict == 0 && drop_from(props, node, error) != 0))
            return -1;
        if (verdict == 1) {
            xmlUnlinkNode(node);
            xmlFreeNode(node);
        }
    }
    return 0;
}

int machine_foreign_drop(struct machine_props *props, struct _xmlDoc *document, struct sim_error *error)
{
    return drop_from(props, xmlDocGetRootElement(document), error);
}
