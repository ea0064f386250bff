/* The head of a file of trace events, and texts as JSON has them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/timeline/chrome_names.h"

#include "base/utf8.h"

static bool is_rank(const struct interval_setup *setup, int location)
{
    return location < setup->n_ranks;
}

int chrome_process(const struct interval_setup *setup, int location)
{
    return is_rank(setup, location) ? 1 : 2;
}

int chrome_thread(const struct interval_setup *setup, int location)
{
    return 1 + (is_rank(setup, location) ? location : location - setup->n_ranks);
}

static void write_name_of_process(FILE *stream, int process, const char *name)
{
    fprintf(stream, "%s{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}}",
            process == 1 ? "" : ",\n", process, name);
}

static void write_name_of_location(FILE *stream, const struct interval_setup *setup, int location)
{
    int thread = chrome_thread(setup, location);
    fprintf(stream, ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"%s %d\"}}",
            chrome_process(setup, location), thread, is_rank(setup, location) ? "rank" : "controller", thread - 1);
}

void chrome_write_names(FILE *stream, const struct interval_setup *setup, bool has_links)
{
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", stream);
    write_name_of_process(stream, 1, "ranks");
    if (setup->n_locations > setup->n_ranks)
        write_name_of_process(stream, 2, "controllers");
    if (has_links)
        write_name_of_process(stream, 3, "links");
    for (int location = 0; location < setup->n_locations; location++)
        write_name_of_location(stream, setup, location);
}

char *chrome_put_text(char *to, const char *text)
{
    char shown[256];
    utf8_copy(shown, sizeof shown, text);
    *to++ = '"';
    for (const char *c = shown; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            *to++ = '\\';
        *to++ = *c;
    }
    *to++ = '"';
    return to;
}
