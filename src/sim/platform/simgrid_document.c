/* The document that SimGrid reads of a platform: not the file, but what has been checked of it, written anew into
 * memory. So it sees neither what a file becomes after it was checked, nor what its parser makes of one and ours does
 * not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/platform/internal.h"

#include "base/memory.h"

#include <errno.h>
#include <libxml/tree.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Files in memory ---- */

FILE *machine_memory_open(struct sim_error *error)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of its write */
    int descriptor = memfd_create("simrun-platform.xml", MFD_CLOEXEC);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (stream == NULL)
        sim_error_set(error, SIM_UNFINISHED, NULL, 0, "no memory for the platform: %s", strerror(errno));
    return stream;
}

int machine_memory_flush(FILE *stream, struct sim_error *error)
{
    if (fflush(stream) == 0 && !ferror(stream))
        return 0;
    return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "the platform cannot be written into memory: %s",
                         strerror(errno));
}

void machine_memory_name(char name[MACHINE_MEMORY_NAME], FILE *stream)
{
    snprintf(name, MACHINE_MEMORY_NAME, "/proc/self/fd/%d", fileno(stream));
}

/* ---- The document ---- */

struct writer {
    FILE *stream;
    const char *file; /* of the document */
    long line;        /* that is being written */
};

/* Elements stand on the lines on which they stand in the file, since SimGrid's messages name lines. */
static void reach_line(struct writer *writer, long line)
{
    for (; writer->line < line; writer->line++)
        putc('\n', writer->stream);
}

static long count_lines(const xmlChar *text)
{
    long n = 0;
    for (; text != NULL && *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

static void write_text(struct writer *writer, const xmlChar *text)
{
    xmlChar *safe = xmlEncodeSpecialChars(NULL, text != NULL ? text : (const xmlChar *)"");
    if (safe == NULL)
        abort();
    fputs((const char *)safe, writer->stream);
    writer->line += count_lines(safe);
    xmlFree(safe);
}

static bool names_file(const char *attribute)
{
    const char *end = strrchr(attribute, '_');
    return strcmp(end != NULL ? end + 1 : attribute, "file") == 0;
}

/* "../../" as often as it leads from the working directory to the root. The caller frees it. */
static char *way_to_root(void)
{
    char *folder = getcwd(NULL, 0), *way = xstrdup("");
    for (const char *c = folder; c != NULL && c[0] == '/' && c[1] != '\0'; c += 1 + strcspn(c + 1, "/")) {
        char *further = xformat("../%s", way);
        free(way);
        way = further;
    }
    free(folder);
    return way;
}

/* A profile as SimGrid finds it: it looks in the working directory, and fails over absolute names. The caller frees
 * it. */
static char *profile_name(const char *name, const char *platform)
{
    char *found = machine_profile_file(name, platform);
    if (found[0] != '/')
        return found;
    char *way = way_to_root(), *relative = xformat("%s%s", way, found + 1);
    free(way);
    free(found);
    return relative;
}

static void write_attribute(struct writer *writer, const xmlAttr *attribute)
{
    const char *name = (const char *)attribute->name;
    xmlChar *value = xmlNodeListGetString(attribute->doc, attribute->children, 1);
    bool has_prefix = attribute->ns != NULL && attribute->ns->prefix != NULL;
    fprintf(writer->stream, " %s%s%s=\"", has_prefix ? (const char *)attribute->ns->prefix : "", has_prefix ? ":" : "",
            name);
    if (value != NULL && *value != '\0' && names_file(name)) {
        char *found = profile_name((const char *)value, writer->file);
        write_text(writer, (const xmlChar *)found);
        free(found);
    } else {
        write_text(writer, value);
    }
    putc('"', writer->stream);
    xmlFree(value);
}

/* SimGrid's Dijkstra never ends where there is no way, but its Floyd finds the same lengths and ends. */
static bool has_routing_replaced(const xmlNode *zone)
{
    return zone_searches(zone) && !zone_is_connected(zone);
}

/* SimGrid 3.32 says of links that it is too late to connect them; nothing here asks it how they change. */
static bool is_left_out(const xmlNode *element)
{
    xmlChar *kind = xmlGetNoNsProp(element, (const xmlChar *)"kind");
    bool is = strcmp((const char *)element->name, "trace_connect") == 0 && kind != NULL &&
              strcmp((const char *)kind, "SPEED") != 0;
    xmlFree(kind);
    return is;
}

static void write_element(struct writer *writer, const xmlNode *element);

static void write_node(struct writer *writer, const xmlNode *node)
{
    if (node->type == XML_ELEMENT_NODE && is_left_out(node))
        return;
    if (node->type == XML_ELEMENT_NODE)
        write_element(writer, node);
    else if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE)
        write_text(writer, node->content);
    else
        reach_line(writer, writer->line + count_lines(node->content));
}

/* libxml2 has bounded the depth. */
static void write_element(struct writer *writer, const xmlNode *element)
{
    const char *name = (const char *)element->name;
    reach_line(writer, xmlGetLineNo(element));
    fprintf(writer->stream, "<%s", name);
    bool is_replaced = has_routing_replaced(element);
    for (const xmlAttr *attribute = element->properties; attribute != NULL; attribute = attribute->next)
        if (is_replaced && strcmp((const char *)attribute->name, "routing") == 0)
            fputs(" routing=\"Floyd\"", writer->stream);
        else
            write_attribute(writer, attribute);
    putc('>', writer->stream);
    for (const xmlNode *node = element->children; node != NULL; node = node->next)
        write_node(writer, node);
    fprintf(writer->stream, "</%s>", name);
}

int machine_simgrid_write(FILE **stream, struct _xmlDoc *document, const char *file, struct sim_error *error)
{
    struct writer writer = {.stream = machine_memory_open(error), .file = file, .line = 1};
    if (writer.stream == NULL)
        return -1;
    fputs("<?xml version=\"1.0\"?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">", writer.stream);
    write_element(&writer, xmlDocGetRootElement(document));
    if (machine_memory_flush(writer.stream, error) == 0) {
        *stream = writer.stream;
        return 0;
    }
    fclose(writer.stream);
    return -1;
}
