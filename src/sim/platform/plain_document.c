/* Reads a plain platform from its text: libxml2 tells of each element, and makes no document.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/plain_internal.h"

#include "base/memory.h"
#include "sim/platform/xml_error.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

/* The most nodes and links of a plain platform; the memory that SimGrid would take for more is counted on the document
 * (size.c). */
enum { MOST_NODES = 8192, MOST_LINKS = 1 << 18 };

struct reader {
    struct plain plain;
    bool is_plain;
    int depth;    /* of elements that have begun */
    char *values; /* of the attributes of one element */
    size_t capacity;
};

static void refuse(xmlParserCtxt *parser)
{
    struct reader *reader = parser->_private;
    reader->is_plain = false;
    xmlStopParser(parser);
}

/* ---- Elements ---- */

/* libxml2 gives five pointers for each attribute. */
enum { NAME, PREFIX, SPACE, VALUE, VALUE_END, N_POINTERS };

/* The attributes with values that end in a NUL. False if there are too many, or some of a name space. */
static bool take_attributes(struct plain_element *element, struct reader *reader, int n, const xmlChar **given)
{
    size_t bytes = 0, used = 0;
    if (n > PLAIN_MOST_ATTRIBUTES)
        return false;
    for (int i = 0; i < n; i++)
        bytes += (size_t)(given[N_POINTERS * i + VALUE_END] - given[N_POINTERS * i + VALUE]) + 1;
    if (bytes > reader->capacity)
        reader->values = xrealloc(reader->values, reader->capacity = 2 * bytes);
    for (int i = 0; i < n; i++, given += N_POINTERS) {
        size_t length = (size_t)(given[VALUE_END] - given[VALUE]);
        if (given[PREFIX] != NULL)
            return false;
        element->attributes[i].name = (const char *)given[NAME];
        element->attributes[i].value = memcpy(reader->values + used, given[VALUE], length);
        reader->values[used + length] = '\0';
        used += length + 1;
    }
    element->n_attributes = n;
    return true;
}

static void begin_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int n_spaces,
                          const xmlChar **spaces, int n_attributes, int n_defaults, const xmlChar **attributes)
{
    xmlParserCtxt *parser = context;
    struct reader *reader = parser->_private;
    struct plain_element element = {.name = (const char *)name, .line = xmlSAX2GetLineNumber(parser)};
    (void)spaces;
    if (!reader->is_plain)
        return;
    if (prefix != NULL || space != NULL || n_spaces > 0 || n_defaults > 0 ||
        !take_attributes(&element, reader, n_attributes, attributes) ||
        !plain_begin(&reader->plain, &element, reader->depth) || reader->plain.graph.n_nodes > MOST_NODES ||
        reader->plain.graph.n_links > MOST_LINKS)
        refuse(parser);
    reader->depth++;
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space)
{
    xmlParserCtxt *parser = context;
    struct reader *reader = parser->_private;
    (void)name, (void)prefix, (void)space;
    reader->depth--;
    if (reader->is_plain && !plain_end(&reader->plain, reader->depth))
        refuse(parser);
}

/* ---- What else there is in a file ---- */

static void read_text(void *context, const xmlChar *text, int length)
{
    for (int i = 0; i < length; i++)
        if (strchr(" \t\r\n", text[i]) == NULL || text[i] == '\0') {
            refuse(context);
            return;
        }
}

static void refuse_text(void *context, const xmlChar *text, int length)
{
    (void)text, (void)length;
    refuse(context);
}

static void refuse_name(void *context, const xmlChar *name)
{
    (void)name;
    refuse(context);
}

static void refuse_instruction(void *context, const xmlChar *target, const xmlChar *data)
{
    (void)target, (void)data;
    refuse(context);
}

static void refuse_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id,
                          const xmlChar *system_id, xmlChar *content)
{
    (void)name, (void)type, (void)public_id, (void)system_id, (void)content;
    refuse(context);
}

static void refuse_element(void *context, const xmlChar *name, int type, xmlElementContent *content)
{
    (void)name, (void)type, (void)content;
    refuse(context);
}

static void refuse_attribute(void *context, const xmlChar *element, const xmlChar *name, int type, int standard,
                             const xmlChar *value, xmlEnumeration *known)
{
    (void)element, (void)name, (void)type, (void)standard, (void)value;
    xmlFreeEnumeration(known);
    refuse(context);
}

/* ---- The file ---- */

static void set_handlers(xmlSAXHandler *sax)
{
    sax->startElementNs = begin_element;
    sax->endElementNs = end_element;
    sax->characters = sax->ignorableWhitespace = read_text;
    sax->cdataBlock = refuse_text;
    sax->comment = NULL;
    sax->reference = refuse_name;
    sax->processingInstruction = refuse_instruction;
    sax->entityDecl = refuse_entity;
    sax->elementDecl = refuse_element;
    sax->attributeDecl = refuse_attribute;
}

/* Pass over what is not well-formed: that is told when the file is read as a document. */
static void pass_over(void *context, xml_error error)
{
    (void)context, (void)error;
}

static void parse(struct reader *reader, const char *text, size_t size)
{
    int options =
        XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOENT; /* NOENT: values with what entities stand for */
    xmlStructuredErrorFunc former = xmlStructuredError;
    void *former_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, pass_over);
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (parser == NULL)
        abort();
    parser->_private = reader;
    set_handlers(parser->sax);
    xmlDoc *document = xmlCtxtReadMemory(parser, text, (int)size, NULL, NULL, options);
    reader->is_plain = reader->is_plain && document != NULL && reader->plain.zone != NULL;
    xmlFreeDoc(document);
    xmlFreeParserCtxt(parser);
    xmlSetStructuredErrorFunc(former_context, former);
}

bool plain_read(struct graph *graph, struct machine_props *props, const char *text, size_t size)
{
    struct machine_props own = {.file = props->file};
    struct reader reader = {.plain = {.props = &own}, .is_plain = true};
    parse(&reader, text, size);
    graph_names_free(reader.plain.names);
    free(reader.plain.zone);
    free(reader.values);
    if (reader.is_plain) {
        *graph = reader.plain.graph;
        *props = own;
        return true;
    }
    graph_dispose(&reader.plain.graph);
    own.file = NULL; /* which stays the caller's */
    machine_props_dispose(&own);
    return false;
}
