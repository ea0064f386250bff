/* A platform file as a document: found, read and taken apart.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "base/memory.h"
#include "os/unpack.h"
#include "sim/platform/xml_error.h"

#include <errno.h>
#include <fcntl.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILE_BYTES (INT64_C(64) << 20)

/* ---- The file ---- */

static int read_all(char *bytes, size_t size, int descriptor)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = read(descriptor, bytes + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        done += (size_t)n;
    }
    return 0;
}

static int read_open_file(char **text, size_t *size, int descriptor, const char *file, struct sim_error *error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is not a regular file");
    if (status.st_size > MAX_FILE_BYTES)
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "is larger than 64 MiB");
    char *buffer = xmalloc((size_t)status.st_size + 1);
    buffer[status.st_size] = '\0';
    if (read_all(buffer, (size_t)status.st_size, descriptor) != 0) {
        free(buffer);
        return sim_error_set(error, SIM_BAD_INPUT, file, 0, "cannot be read");
    }
    *text = buffer;
    *size = (size_t)status.st_size;
    if (!unpack_is_packed(buffer, *size))
        return 0;
    free(buffer);
    return unpack_text(text, size, MAX_FILE_BYTES, file, error);
}

/* The file is read here and not by libxml2, which would also take URLs, and unpack without a limit. O_NONBLOCK keeps
 * the opening of a pipe without writer from waiting. */
int machine_file_read(char **text, size_t *size, const char *file, struct sim_error *error)
{
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return sim_error_set(error, errno == EMFILE || errno == ENFILE ? SIM_UNFINISHED : SIM_BAD_INPUT, file, 0,
                             "cannot read: %s", strerror(errno));
    int result = read_open_file(text, size, descriptor, file, error);
    close(descriptor);
    return result;
}

/* ---- The document ---- */

struct first_fault {
    long line;
    char message[256];
};

static void remember_first_fault(void *context, xml_error fault)
{
    struct first_fault *first = context;
    if (first->message[0] != '\0' || fault->level < XML_ERR_ERROR || fault->message == NULL)
        return;
    first->line = fault->line;
    snprintf(first->message, sizeof first->message, "%s", fault->message);
    first->message[strcspn(first->message, "\n")] = '\0';
}

/* libxml2 tells some faults only to a handler of the thread, and prints them if there is none; so there is one,
 * meanwhile. */
static xmlDocPtr parse_text(const char *text, size_t size, const char *file, struct sim_error *error)
{
    struct first_fault fault = {0, ""};
    xmlParserCtxtPtr parser = xmlNewParserCtxt();
    if (parser == NULL)
        abort();
    xmlStructuredErrorFunc former = xmlStructuredError;
    void *former_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(&fault, remember_first_fault);
    xmlDocPtr document = xmlCtxtReadMemory(parser, text, (int)size, file, NULL, XML_PARSE_NONET | XML_PARSE_BIG_LINES);
    if (document == NULL)
        sim_error_set(error, SIM_BAD_INPUT, file, fault.line, "not well-formed XML: %s",
                      fault.message[0] != '\0' ? fault.message : "no element found");
    xmlFreeParserCtxt(parser);
    xmlSetStructuredErrorFunc(former_context, former);
    return document;
}

/* SimGrid knows no entities, and a document that declares some may be out to grow without bound. */
static int check_entities(xmlDocPtr document, const char *file, struct sim_error *error)
{
    const xmlDtd *declarations = document->intSubset;
    if (declarations != NULL && (declarations->entities != NULL || declarations->pentities != NULL))
        return sim_error_set(error, SIM_BAD_INPUT, file, 0,
                             "declares XML entities, which are not allowed in platforms");
    return 0;
}

static int check_document(xmlDocPtr document, const char *file, struct sim_error *error)
{
    const xmlNode *root = xmlDocGetRootElement(document);
    if (check_entities(document, file, error) != 0)
        return -1;
    if (strcmp((const char *)root->name, "platform") != 0)
        return sim_error_set(error, SIM_BAD_INPUT, file, xmlGetLineNo(root),
                             "the root element is <%.40s>; allowed: <platform>", (const char *)root->name);
    return 0;
}

struct _xmlDoc *machine_document_read(const char *text, size_t size, const char *file, struct sim_error *error)
{
    xmlDocPtr document = parse_text(text, size, file, error);
    if (document == NULL || check_document(document, file, error) == 0)
        return document;
    xmlFreeDoc(document);
    return NULL;
}
