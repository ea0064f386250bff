/* The elements of a scenario, and the attributes of each: reads them, and says on which line they are wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/scenario/xml.h"

#include "base/known.h"
#include "base/memory.h"
#include "sim/scenario/document_internal.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENARIO_NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."

/* An attribute: the field of struct scenario_element that it goes to, and what it may be. */
struct attribute_row {
    const char *name;
    bool required;
    bool (*fits)(const char *value);
    const char *allowed;
    size_t offset;
};

/* An element below the root: where it goes in struct scenario_text. A repeated one goes to the list of parameters. */
struct element_row {
    const char *name;
    bool required, repeated;
    const struct attribute_row *attributes;
    size_t offset;
};

static bool is_name(const char *value)
{
    return *value != '\0' && value[strspn(value, SCENARIO_NAME_CHARACTERS)] == '\0';
}

static bool is_filled(const char *value)
{
    return *value != '\0';
}

static bool is_criterion(const char *value)
{
    return scenario_criterion(value) != NULL;
}

static const struct attribute_row scenario_attributes[] = {
    {"name", true, is_name, "letters, digits, '-', '_' and '.'", offsetof(struct scenario_element, name)},
    {"title", false, NULL, "one line of text", offsetof(struct scenario_element, title)},
    {NULL, false, NULL, NULL, 0},
};
static const struct attribute_row file_attributes[] = {
    {"file", true, is_filled, "a file name", offsetof(struct scenario_element, file)},
    {NULL, false, NULL, NULL, 0},
};
static const struct attribute_row application_attributes[] = {
    {"name", true, is_filled, "the name of an application", offsetof(struct scenario_element, name)},
    {"file", false, is_filled, "a file name", offsetof(struct scenario_element, file)},
    {"from", false, is_filled, "a time, or a scope's n-th occurrence", offsetof(struct scenario_element, from)},
    {"to", false, is_filled, "a time, or a scope's n-th occurrence", offsetof(struct scenario_element, to)},
    {"ranks", false, is_filled, "a list of ranks", offsetof(struct scenario_element, ranks)},
    {NULL, false, NULL, NULL, 0},
};
static const struct attribute_row param_attributes[] = {
    {"name", true, is_filled, "the name of a parameter", offsetof(struct scenario_element, name)},
    {"value", true, is_filled, "one value, or several separated by commas", offsetof(struct scenario_element, value)},
    {NULL, false, NULL, NULL, 0},
};
static const struct attribute_row decision_attributes[] = {
    {"by", false, is_criterion, "time, bytes or processors", offsetof(struct scenario_element, by)},
    {NULL, false, NULL, NULL, 0},
};
static const struct attribute_row what_if_attributes[] = {
    {"causes", false, is_filled, "names of causes separated by commas", offsetof(struct scenario_element, causes)},
    {NULL, false, NULL, NULL, 0},
};
static const struct element_row elements[] = {
    {"platform", true, false, file_attributes, offsetof(struct scenario_text, platform)},
    {"application", true, false, application_attributes, offsetof(struct scenario_text, application)},
    {"param", false, true, param_attributes, 0},
    {"broadcast", false, false, file_attributes, offsetof(struct scenario_text, broadcast)},
    {"reference", false, false, file_attributes, offsetof(struct scenario_text, reference)},
    {"decision", false, false, decision_attributes, offsetof(struct scenario_text, decision)},
    {"what-if", false, false, what_if_attributes, offsetof(struct scenario_text, what_if)},
    {NULL, false, false, NULL, 0},
};

static const char *attribute_name_at(const void *table, int i)
{
    return ((const struct attribute_row *)table)[i].name;
}

static const char *element_name_at(const void *table, int i)
{
    return ((const struct element_row *)table)[i].name;
}

static char **field_at(struct scenario_element *element, const struct attribute_row *row)
{
    return (char **)(void *)((char *)element + row->offset);
}

static struct scenario_element *element_at(struct scenario_text *text, const struct element_row *row)
{
    return (struct scenario_element *)(void *)((char *)text + row->offset);
}

/* A name as the file has it: with its prefix, if it is in a namespace; no name of ours is. */
static void qualified_name(char *text, size_t size, const xmlNs *namespace, const xmlChar *name)
{
    if (namespace == NULL)
        snprintf(text, size, "%.80s", chars(name));
    else if (namespace->prefix == NULL)
        snprintf(text, size, "%.80s xmlns='%.80s'", chars(name), chars(namespace->href));
    else
        snprintf(text, size, "%.80s:%.80s", chars(namespace->prefix), chars(name));
}

/* Control characters of Unicode (category Cc): those of ASCII, and U+0080 to U+009F. */
static bool has_control_character(const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++)
        if (*p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0))
            return true;
    return false;
}

static int read_attribute(struct scenario_element *element, const struct attribute_row *rows, const xmlNode *node,
                          const xmlAttr *attribute, const struct xml_report *report)
{
    char name[200], known[200];
    long line = xmlGetLineNo(node);
    const struct attribute_row *row = rows;
    qualified_name(name, sizeof name, attribute->ns, attribute->name);
    while (row->name != NULL && strcmp(row->name, name) != 0)
        row++;
    if (row->name == NULL) {
        known_format(known, sizeof known, name, attribute_name_at, rows);
        return FAIL(report, line, "<%s> unknown attribute '%s'%s", chars(node->name), name, known);
    }
    xmlChar *content = xmlNodeListGetString(node->doc, attribute->children, 1);
    char *value = xstrdup(content == NULL ? "" : chars(content));
    xmlFree(content);
    *field_at(element, row) = value;
    if (has_control_character(value))
        return FAIL(report, line, "<%s> %s: a control character found; must be one line of text", chars(node->name),
                    name);
    if (row->fits != NULL && !row->fits(value))
        return FAIL(report, line, "<%s> %s: '%.80s' found; must be %s", chars(node->name), name, value, row->allowed);
    return 0;
}

static int read_attributes(struct scenario_element *element, const struct attribute_row *rows, const xmlNode *node,
                           const struct xml_report *report)
{
    element->line = xmlGetLineNo(node);
    for (const xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next)
        if (read_attribute(element, rows, node, attribute, report) != 0)
            return -1;
    for (const struct attribute_row *row = rows; row->name != NULL; row++)
        if (row->required && *field_at(element, row) == NULL)
            return FAIL(report, element->line, "<%s> %s: missing; must be %s", chars(node->name), row->name,
                        row->allowed);
    return 0;
}

/* Refuse text that is more than blanks. libxml2 knows the line where a text ends; wanted is where it begins. */
static int refuse_text(const xmlNode *node, const struct xml_report *report)
{
    const char *text = node->content == NULL ? "" : chars(node->content);
    size_t blank = strspn(text, " \t\r\n");
    if (text[blank] == '\0' && node->type == XML_TEXT_NODE)
        return 0;
    long line = xmlGetLineNo(node->prev != NULL ? node->prev : node->parent);
    for (size_t i = 0; i < blank; i++)
        line += text[i] == '\n';
    size_t length = strcspn(text + blank, "\r\n");
    return FAIL(report, line, "<%s> text: '%.*s' found; no text is allowed here", chars(node->parent->name),
                length < 40 ? (int)length : 40, text + blank);
}

/* Move on to the next child that is an element. Comments are passed over, text is an error. */
static int next_element(const xmlNode **child, const struct xml_report *report)
{
    for (; *child != NULL && (*child)->type != XML_ELEMENT_NODE; *child = (*child)->next) {
        bool text = (*child)->type == XML_TEXT_NODE || (*child)->type == XML_CDATA_SECTION_NODE;
        if (text && refuse_text(*child, report) != 0)
            return -1;
    }
    return 0;
}

static int refuse_content(const xmlNode *node, const struct xml_report *report)
{
    const xmlNode *child = node->children;
    if (next_element(&child, report) != 0)
        return -1;
    if (child == NULL)
        return 0;
    return FAIL(report, xmlGetLineNo(child), "unknown element <%.80s> in <%s>; it holds no elements",
                chars(child->name), chars(node->name));
}

static int read_element(struct scenario_text *text, const xmlNode *node, const struct xml_report *report)
{
    char name[200], known[200];
    const struct element_row *row = elements;
    qualified_name(name, sizeof name, node->ns, node->name);
    while (row->name != NULL && strcmp(row->name, name) != 0)
        row++;
    if (row->name == NULL) {
        known_format(known, sizeof known, name, element_name_at, elements);
        return FAIL(report, xmlGetLineNo(node), "unknown element <%s> in <scenario>%s", name, known);
    }
    struct scenario_element *element = element_at(text, row);
    if (row->repeated) {
        text->params = xgrow(text->params, text->n_params, &text->params_capacity, sizeof *text->params);
        element = &text->params[text->n_params++];
        *element = (struct scenario_element){0};
    } else if (element->line != 0) {
        return FAIL(report, xmlGetLineNo(node), "<%s>: a second one found, the first is on line %ld; one is allowed",
                    name, element->line);
    }
    return read_attributes(element, row->attributes, node, report) != 0 ? -1 : refuse_content(node, report);
}

/* Read the root element, for scenario_document_read(). */
static int read_root(void *data, const xmlNode *root, const struct xml_report *report)
{
    struct scenario_text *text = data;
    char name[200];
    qualified_name(name, sizeof name, root->ns, root->name);
    if (strcmp(name, "platform") == 0)
        return scenario_refuse_platform(report, xmlGetLineNo(root));
    if (strcmp(name, "scenario") != 0)
        return FAIL(report, xmlGetLineNo(root), "root element <%s> found; must be <scenario>", name);
    if (read_attributes(&text->scenario, scenario_attributes, root, report) != 0)
        return -1;
    const xmlNode *child = root->children;
    for (;; child = child->next) {
        if (next_element(&child, report) != 0)
            return -1;
        if (child == NULL)
            break;
        if (read_element(text, child, report) != 0)
            return -1;
    }
    for (const struct element_row *row = elements; row->name != NULL; row++)
        if (row->required && element_at(text, row)->line == 0)
            return FAIL(report, text->scenario.line, "<scenario>: no <%s> found; exactly one is required", row->name);
    return 0;
}

int scenario_xml_read(struct scenario_text *text, const char *bytes, size_t size, const char *label,
                      struct sim_error *error)
{
    struct xml_report report = {label, error};
    *text = (struct scenario_text){0};
    int status = scenario_document_read(bytes, size, read_root, text, &report);
    if (status != 0)
        scenario_xml_dispose(text);
    return status;
}

int scenario_xml_check_schema(const char *bytes, size_t size, const char *label, struct sim_error *error)
{
    struct xml_report report = {label, error};
    return scenario_document_read(bytes, size, NULL, NULL, &report);
}

static void element_dispose(struct scenario_element *element)
{
    free(element->name);
    free(element->title);
    free(element->file);
    free(element->value);
    free(element->by);
    free(element->causes);
    free(element->from);
    free(element->to);
    free(element->ranks);
}

void scenario_xml_dispose(struct scenario_text *text)
{
    element_dispose(&text->scenario);
    for (const struct element_row *row = elements; row->name != NULL; row++)
        if (!row->repeated)
            element_dispose(element_at(text, row));
    for (size_t i = 0; i < text->n_params; i++)
        element_dispose(&text->params[i]);
    free(text->params);
    *text = (struct scenario_text){0};
}
