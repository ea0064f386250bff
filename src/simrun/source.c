/* Joins call sites, "heat.c:41 in exchange", with the lines of source files.
 *
 * A page has the whole of a short file, of a long one what is around its calls; it joins them with the tables `sites`
 * and `site_waits` itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/source.h"

#include "base/builder.h"
#include "base/memory.h"
#include "base/sort.h"
#include "os/data.h"
#include "simrun/source_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE_FILE = 400, AROUND = 15, MOST_SHOWN = 20000, SHOWN_NAMES = 5, TEXT_WIDTH = 44 };

/* A line that calls the message library, of whatever functions. */
struct call_line {
    char *file; /* its name */
    long line;
    wide_int time_ps, idle_ps;
    const struct site_waits_row *most; /* what it waits for most; NULL: nothing */
    const char *function;              /* that it calls, the first of several; borrowed */
    bool lacks_call;                   /* the file has no such line, or none with the name of the function */
};

struct source {
    const struct study_run *run;
    struct call_line *lines; /* by file and line */
    size_t n_lines, capacity;
    size_t n_without; /* sites that have no line */
    struct source_file *files;
    size_t n_files, n_shown;
    bool is_application; /* whose lines do not name what they call */
};

/* --- lines --- */

/* "heat.c:41 in exchange" is line 41 of heat.c; `line->file` is to be freed. */
static bool parse_site(struct call_line *line, const char *site)
{
    const char *in = strstr(site, " in ");
    const char *colon = memrchr(site, ':', in == NULL ? strlen(site) : (size_t)(in - site));
    char *end;
    if (colon == NULL || colon == site)
        return false;
    *line = (struct call_line){.line = strtol(colon + 1, &end, 10)};
    if (end == colon + 1 || line->line < 1 || (*end != '\0' && *end != ' '))
        return false;
    line->file = xformat("%.*s", (int)(colon - site), site);
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct call_line *left = a, *right = b;
    int order = strcmp(left->file, right->file);
    return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

/* Sort the lines; those that are the same become one. */
static void join_lines(struct source *self)
{
    size_t n = 0;
    sort_stable(self->lines, self->n_lines, sizeof *self->lines, by_place);
    for (size_t i = 0; i < self->n_lines; i++) {
        if (n == 0 || by_place(&self->lines[n - 1], &self->lines[i]) != 0) {
            self->lines[n++] = self->lines[i];
            continue;
        }
        self->lines[n - 1].time_ps += self->lines[i].time_ps;
        self->lines[n - 1].idle_ps += self->lines[i].idle_ps;
        free(self->lines[i].file);
    }
    self->n_lines = n;
}

static void read_sites(struct source *self)
{
    size_t n_sites, n_waits;
    const struct sites_row *sites = result_sites(&self->run->result, &n_sites);
    const struct site_waits_row *waits = result_site_waits(&self->run->result, &n_waits);
    struct call_line line;
    for (size_t i = 0; i < n_sites; i++) {
        if (!parse_site(&line, sites[i].site)) {
            self->n_without++;
            continue;
        }
        line.function = self->is_application ? "" : sites[i].function;
        line.time_ps = sites[i].time_ps;
        line.idle_ps = sites[i].idle_ps;
        self->lines = xgrow(self->lines, self->n_lines, &self->capacity, sizeof *self->lines);
        self->lines[self->n_lines++] = line;
    }
    join_lines(self);
    for (size_t i = 0; i < n_waits; i++) {
        if (!parse_site(&line, waits[i].site))
            continue;
        struct call_line *found = bsearch(&line, self->lines, self->n_lines, sizeof line, by_place);
        if (found != NULL && (found->most == NULL || waits[i].time_ps > found->most->time_ps))
            found->most = &waits[i];
        free(line.file);
    }
}

static void list_files(struct source *self)
{
    self->files = xcalloc(self->n_lines + 1, sizeof *self->files);
    for (size_t i = 0; i < self->n_lines; i++)
        if (i == 0 || strcmp(self->lines[i].file, self->lines[i - 1].file) != 0)
            self->files[self->n_files++].name = self->lines[i].file;
}

/* --- what is shown --- */

static struct table *add_lines_table(struct document *document)
{
    static const struct column columns[] = {
        {.id = "line", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "waiting", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "mostly", .unit = UNIT_TEXT, .flags = COLUMN_LEFT},
        {.id = "source", .unit = UNIT_TEXT, .flags = COLUMN_LEFT},
    };
    struct table *table =
        document_table(document, "source_lines", "Source: lines that call, times summed over ranks", FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    return table;
}

/* "late sender, for rank 3" */
static const char *name_wait(struct document *document, const struct site_waits_row *most)
{
    if (most == NULL)
        return "";
    const char *wait = wait_state_names[most->wait];
    return most->for_rank < 0 ? wait : document_format(document, "%s, for rank %d", wait, (int)most->for_rank);
}

/* Where a text has the name of a function, or what a language makes of it: MPI_Send, mpi_send, comm.Send; or NULL. */
static const char *find_call(const char *text, const char *function)
{
    const char *found = strcasestr(text, function);
    const char *bare = strncmp(function, "MPI_", 4) == 0 ? function + 4 : function;
    return found != NULL ? found : strcasestr(text, bare);
}

/* The text of a line that fits, with its call. */
static const char *cut_text(struct document *document, const char *text, const char *call)
{
    text += strspn(text, " ");
    if (call == NULL || strchr(call, '(') == NULL || strchr(call, '(') - text < TEXT_WIDTH)
        return document_format(document, "%.*s", TEXT_WIDTH, text);
    return document_format(document, "... %.*s", TEXT_WIDTH - 4, call);
}

static void add_line(struct table *table, const struct call_line *line, const char *text)
{
    table_text(table, document_format(table->document, "%s:%ld", line->file, line->line));
    table_real(table, units_seconds(line->time_ps));
    table_real(table, line->idle_ps > 0 ? units_seconds(line->idle_ps) : (double)NAN);
    table_text(table, name_wait(table->document, line->most));
    table_text(table, cut_text(table->document, text, find_call(text, line->function)));
}

/* The lines of a file that a page has: of the calls from `first` to before `end`. */
static void add_excerpt(struct table *table, struct source *self, size_t first, size_t end,
                        const struct source_line *text, size_t n_text)
{
    size_t call = first;
    for (size_t i = 0; i < n_text && self->n_shown < MOST_SHOWN; i++) {
        long line = (long)i + 1;
        while (call < end && self->lines[call].line + AROUND < line)
            call++;
        if (n_text > WHOLE_FILE && (call == end || self->lines[call].line - AROUND > line))
            continue;
        table_text(table, self->lines[first].file);
        table_integer(table, line);
        table_text(table, document_format(table->document, "%s", text[i].text));
        self->n_shown++;
    }
}

static void add_files(struct document *document, struct source *self, bool are_told)
{
    struct table *lines = are_told ? add_lines_table(document) : NULL;
    struct table *page = document_table(document, "source", NULL, FOR_PAGE);
    table_column(page, (struct column){.id = "file", .unit = UNIT_TEXT});
    table_column(page, (struct column){.id = "line", .unit = UNIT_COUNT});
    table_column(page, (struct column){.id = "text", .unit = UNIT_TEXT});
    for (size_t first = 0, end, f = 0; f < self->n_files; first = end, f++) {
        size_t n_text = 0;
        const char *path = self->files[f].path;
        struct source_line *text = path == NULL ? NULL : source_file_read(&n_text, path);
        for (end = first; end < self->n_lines && strcmp(self->lines[end].file, self->files[f].name) == 0; end++) {
            struct call_line *line = &self->lines[end];
            const char *its = line->line <= (long)n_text ? text[line->line - 1].text : "";
            if (are_told)
                add_line(lines, line, its);
            line->lacks_call = find_call(its, line->function) == NULL && strlen(its) + 1 < sizeof text->text;
        }
        add_excerpt(page, self, first, end, text, n_text);
        free(text);
    }
}

/* --- notes --- */

/* "Not found: a.c, b.c", of the files for which that holds. */
static void note_files(struct document *document, const struct source *self, const char *what, bool is_several)
{
    struct builder text = {0};
    int n = 0;
    for (size_t f = 0; f < self->n_files; f++) {
        const struct source_file *file = &self->files[f];
        if (is_several ? file->n_found < 2 : file->path != NULL)
            continue;
        if (n++ < SHOWN_NAMES)
            builder_add(&text, "%s%s", n > 1 ? ", " : what, is_several ? file->path : file->name);
    }
    if (n > SHOWN_NAMES)
        builder_add(&text, " and %d more", n - SHOWN_NAMES);
    if (n > 0)
        builder_add(&text, ".");
    char *note = builder_take(&text);
    if (n > 0)
        document_note(document, note);
    else
        free(note);
}

/* Files of which half of the lines or more lack their call, as those of another version do. Some always may: a call may
 * come from a macro, or from a method of another name. */
static void note_versions(struct document *document, const struct source *self)
{
    for (size_t first = 0, end, f = 0; f < self->n_files; first = end, f++) {
        size_t n_lacking = 0;
        for (end = first; end < self->n_lines && strcmp(self->lines[end].file, self->files[f].name) == 0; end++)
            n_lacking += self->lines[end].lacks_call;
        if (self->files[f].path != NULL && 2 * n_lacking >= end - first)
            document_note(document, xformat("--source: %s: %zu of %zu lines do not exist or lack the name of what they "
                                            "call; is it the version that was traced?",
                                            self->files[f].path, n_lacking, end - first));
    }
}

static void add_notes(struct document *document, const struct source *self)
{
    note_versions(document, self);
    note_files(document, self, "--source: not found: ", false);
    note_files(document, self, "--source: several files have the same name; shown: ", true);
    if (self->n_without > 0)
        document_note(document,
                      xformat("--source: %zu call sites have no line; compile the program with -g.", self->n_without));
    if (self->n_shown == MOST_SHOWN)
        document_note(document, xformat("--source: the page has the first %d lines only.", MOST_SHOWN));
}

static void dispose(struct source *self, struct document *document)
{
    for (size_t f = 0; f < self->n_files; f++)
        free(self->files[f].path);
    for (size_t i = 0; i < self->n_lines; i++)
        document_own(document, self->lines[i].file);
    free(self->files);
    free(self->lines);
}

int source_add(struct document *document, const struct study_run *run, const char *folders, struct sim_error *error)
{
    struct source self = {.run = run};
    if (result_find_table(&run->result, TABLE_SITES) == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "--source: the trace has no call sites; record it with EPPA_SITES=1");
    read_sites(&self);
    list_files(&self);
    int status = source_files_find(self.files, self.n_files, folders, error);
    if (status == 0) {
        document->are_asked = true;
        add_files(document, &self, true);
        add_notes(document, &self);
        document->are_asked = false;
    }
    dispose(&self, document);
    return status;
}

void source_add_application(struct document *document, const struct study_run *run, bool is_asked)
{
    struct source self = {.run = run, .is_application = true};
    struct sim_error error;
    if (result_find_table(&run->result, TABLE_SITES) == NULL)
        return;
    read_sites(&self);
    list_files(&self);
    char *folder = data_apps();
    if (source_files_find(self.files, self.n_files, folder, &error) == 0) {
        document->are_asked = true;
        add_files(document, &self, is_asked);
        document->are_asked = false;
    }
    free(folder);
    dispose(&self, document);
}
