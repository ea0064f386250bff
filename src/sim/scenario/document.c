/* Parses a scenario's XML by libxml2, and checks it against the RelaxNG schema.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/scenario/document_internal.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

extern const char scenario_rng[]; /* src/sim/scenario/scenario.rng, embedded by the build */

int scenario_refuse_platform(const struct xml_report *report, long line)
{
    return FAIL(report, line,
                "is a platform file, not a scenario; name it in a scenario's <platform file=\"...\"/>, or query it "
                "with simrun forecast");
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
    finding->platform = strcmp(chars(name), "platform") == 0;
    finding->line = xmlSAX2GetLineNumber(parser);
    xmlStopParser(parser);
}

/* The caller frees. NULL, and an error, where the bytes are not well-formed XML without DOCTYPE. */
static xmlDoc *parse_document(const char *bytes, size_t size, struct finding *finding, const struct xml_report *report)
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
        scenario_refuse_platform(report, finding->line);
    else if (finding->doctype)
        FAIL(report, finding->line, "a scenario must not have a DOCTYPE");
    else if (finding->found || document == NULL)
        FAIL(report, finding->line, "not well-formed XML: %s", finding->message);
    else
        return document;
    xmlFreeDoc(document);
    return NULL;
}

static int check_schema(xmlDoc *document, struct finding *finding, const struct xml_report *report)
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

/* libxml2 reports some faults only to a handler of the thread, and prints them if there is none; so there is one,
 * meanwhile. */
int scenario_document_read(const char *bytes, size_t size,
                           int (*take)(void *self, const xmlNode *root, const struct xml_report *report), void *self,
                           const struct xml_report *report)
{
    struct finding finding = {.message = ""};
    xmlStructuredErrorFunc previous = xmlStructuredError;
    void *previous_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&finding, note_finding);
    xmlDoc *document = parse_document(bytes, size, &finding, report);
    int status = document == NULL ? -1 : 0;
    if (status == 0 && take != NULL)
        status = take(self, xmlDocGetRootElement(document), report);
    if (status == 0)
        status = check_schema(document, &finding, report);
    xmlFreeDoc(document);
    xmlSetStructuredErrorFunc(previous_context, previous);
    return status;
}
