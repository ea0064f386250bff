/* The head of a file of trace events, and texts as JSON has them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/timeline/chrome_names.h"

#include "base/utf8.h"

static bool is_processor(const struct interval_setup *setup, int location)
{
    return location < interval_processors(setup);
}

int chrome_process(const struct interval_setup *setup, int location)
{
    return is_processor(setup, location) ? 1 : 2;
}

/* Viewers put threads in the order of their numbers: the processors of a rank side by side. */
int chrome_thread(const struct interval_setup *setup, int location)
{
    if (!is_processor(setup, location))
        return 1 + location - interval_processors(setup);
    return 1 + location % setup->n_ranks * (1 + setup->n_more_processors) + location / setup->n_ranks;
}

static void write_name_of_process(FILE *stream, int process, const char *name)
{
    fprintf(stream, "%s{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}}",
            process == 1 ? "" : ",\n", process, name);
}

static void write_name_of_location(FILE *stream, const struct interval_setup *setup, int location)
{
    char name[LOCATION_NAME];
    interval_name_location(name, setup, location);
    fprintf(stream, ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
            chrome_process(setup, location), chrome_thread(setup, location), name);
}

void chrome_write_names(FILE *stream, const struct interval_setup *setup, bool has_links)
{
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", stream);
    write_name_of_process(stream, 1, "ranks");
    if (setup->n_locations > interval_processors(setup))
        write_name_of_process(stream, 2, setup->has_progress ? "progress" : "controllers");
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
