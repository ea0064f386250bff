/* Reads a scenario's XML by libxml2, checks it against the RelaxNG schema, and says on which line it is wrong. */
#include "sim/scenario/xml.h"

#include "base/known.h"
#include "base/memory.h"
#include "sim/scenario/scenario.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <libxml/tree.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char scenario_rng[]; /* src/sim/scenario/scenario.rng, embedded by the build */

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
    {NULL, false, NULL, NULL, 0},
};
static const struct attribute_row param_attributes[] = {
    {"name", true, is_filled, "the name of a parameter", offsetof(struct scenario_element, name)},
    {"value", true, is_filled, "one value, or several with commas between", offsetof(struct scenario_element, value)},
    {NULL, false, NULL, NULL, 0},
};
static const struct attribute_row decision_attributes[] = {
    {"by", false, is_criterion, "time, bytes or processors", offsetof(struct scenario_element, by)},
    {NULL, false, NULL, NULL, 0},
};
static const struct attribute_row what_if_attributes[] = {
    {"causes", false, is_filled, "names of causes with commas between", offsetof(struct scenario_element, causes)},
    {NULL, false, NULL, NULL, 0},
};
static const struct element_row elements[] = {
    {"platform", true, false, file_attributes, offsetof(struct scenario_text, platform)},
    {"application", true, false, application_attributes, offsetof(struct scenario_text, application)},
    {"param", false, true, param_attributes, 0},
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

/* Where an error is put: the file's name and the caller's struct. */
struct report {
    const char *label;
    struct sim_error *error;
};

#define FAIL(report, line, ...) sim_error_set((report)->error, SIM_BAD_INPUT, (report)->label, line, __VA_ARGS__)

static const char *chars(const xmlChar *text)
{
    return (const char *)text;
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
                          const xmlAttr *attribute, const struct report *report)
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
                           const struct report *report)
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
static int refuse_text(const xmlNode *node, const struct report *report)
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
static int next_element(const xmlNode **child, const struct report *report)
{
    for (; *child != NULL && (*child)->type != XML_ELEMENT_NODE; *child = (*child)->next) {
        bool text = (*child)->type == XML_TEXT_NODE || (*child)->type == XML_CDATA_SECTION_NODE;
        if (text && refuse_text(*child, report) != 0)
            return -1;
    }
    return 0;
}

static int refuse_content(const xmlNode *node, const struct report *report)
{
    const xmlNode *child = node->children;
    if (next_element(&child, report) != 0)
        return -1;
    if (child == NULL)
        return 0;
    return FAIL(report, xmlGetLineNo(child), "unknown element <%.80s> in <%s>; it holds no elements",
                chars(child->name), chars(node->name));
}

static int read_element(struct scenario_text *text, const xmlNode *node, const struct report *report)
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

static int refuse_platform(const struct report *report, long line)
{
    return FAIL(
        report, line,
        "is a platform file, not a scenario; name it in a scenario's <platform file=\"...\"/>, or query it with "
        "simrun forecast");
}

static int read_root(struct scenario_text *text, const xmlNode *root, const struct report *report)
{
    char name[200];
    qualified_name(name, sizeof name, root->ns, root->name);
    if (strcmp(name, "platform") == 0)
        return refuse_platform(report, xmlGetLineNo(root));
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

/* The first thing that libxml2 finds wrong; what follows is mostly its consequence. */
struct finding {
    bool found, doctype, platform; /* platform: the DOCTYPE is that of platforms */
    long line;
    char message[200];
};

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_error;
#else
typedef xmlError *xml_error;
#endif

static void note_finding(void *context, xml_error error)
{
    struct finding *finding = context;
    if (finding->found || error->level < XML_ERR_ERROR)
        return;
    finding->found = true;
    finding->line = error->line;
    snprintf(finding->message, sizeof finding->message, "%s",
             error->message == NULL ? "unknown fault" : error->message);
    finding->message[strcspn(finding->message, "\r\n")] = '\0';
}

/* A DOCTYPE stops the parser before it has read any of its entities. */
static void stop_at_doctype(void *context, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id)
{
    xmlParserCtxt *parser = context;
    struct finding *finding = parser->_private;
    (void)public_id, (void)system_id;
    finding->doctype = true;
    finding->platform = strcmp((const char *)name, "platform") == 0;
    finding->line = xmlSAX2GetLineNumber(parser);
    xmlStopParser(parser);
}

/* The caller frees. NULL, and an error, where the bytes are not well-formed XML without DOCTYPE. */
static xmlDoc *parse_document(const char *bytes, size_t size, struct finding *finding, const struct report *report)
{
    int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES;
    xmlParserCtxt *parser = xmlNewParserCtxt();
    xmlDoc *document = NULL;
    if (parser != NULL) {
        parser->_private = finding;
        parser->sax->internalSubset = stop_at_doctype;
        document = xmlCtxtReadMemory(parser, bytes, (int)size, NULL, NULL, options);
        xmlFreeParserCtxt(parser);
    }
    if (finding->platform)
        refuse_platform(report, finding->line);
    else if (finding->doctype)
        FAIL(report, finding->line, "a scenario has no DOCTYPE");
    else if (finding->found || document == NULL)
        FAIL(report, finding->line, "not well-formed XML: %s", finding->message);
    else
        return document;
    xmlFreeDoc(document);
    return NULL;
}

static int check_schema(xmlDoc *document, struct finding *finding, const struct report *report)
{
    xmlRelaxNGParserCtxt *parser = xmlRelaxNGNewMemParserCtxt(scenario_rng, (int)strlen(scenario_rng));
    xmlRelaxNG *schema = parser == NULL ? NULL : xmlRelaxNGParse(parser);
    xmlRelaxNGValidCtxt *validator = schema == NULL ? NULL : xmlRelaxNGNewValidCtxt(schema);
    int status = validator == NULL ? -1 : xmlRelaxNGValidateDoc(validator, document);
    xmlRelaxNGFreeValidCtxt(validator);
    xmlRelaxNGFree(schema);
    xmlRelaxNGFreeParserCtxt(parser);
    if (status == 0 && !finding->found)
        return 0;
    return FAIL(report, finding->line, "not valid by the schema: %s",
                finding->found ? finding->message : "scenario.rng does not say why");
}

/* Parse, then read into *text unless that is NULL, then check the schema. libxml2 reports some faults only to a handler
 * of the thread, and prints them if there is none; so there is one, meanwhile. */
static int process(struct scenario_text *text, const char *bytes, size_t size, const struct report *report)
{
    struct finding finding = {.message = ""};
    xmlStructuredErrorFunc previous = xmlStructuredError;
    void *previous_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&finding, note_finding);
    xmlDoc *document = parse_document(bytes, size, &finding, report);
    int status = document == NULL ? -1 : 0;
    if (status == 0 && text != NULL)
        status = read_root(text, xmlDocGetRootElement(document), report);
    if (status == 0)
        status = check_schema(document, &finding, report);
    xmlFreeDoc(document);
    xmlSetStructuredErrorFunc(previous_context, previous);
    return status;
}

int scenario_xml_read(struct scenario_text *text, const char *bytes, size_t size, const char *label,
                      struct sim_error *error)
{
    struct report report = {label, error};
    *text = (struct scenario_text){0};
    int status = process(text, bytes, size, &report);
    if (status != 0)
        scenario_xml_dispose(text);
    return status;
}

int scenario_xml_check_schema(const char *bytes, size_t size, const char *label, struct sim_error *error)
{
    struct report report = {label, error};
    return process(NULL, bytes, size, &report);
}

static void element_dispose(struct scenario_element *element)
{
    free(element->name);
    free(element->title);
    free(element->file);
    free(element->value);
    free(element->by);
    free(element->causes);
}

void scenario_xml_dispose(struct scenario_text *text)
{
    element_dispose(&text->scenario);
    element_dispose(&text->platform);
    element_dispose(&text->application);
    element_dispose(&text->reference);
    element_dispose(&text->decision);
    element_dispose(&text->what_if);
    for (size_t i = 0; i < text->n_params; i++)
        element_dispose(&text->params[i]);
    free(text->params);
    *text = (struct scenario_text){0};
}
