/* The call tree of a traced program, in words: where its time is and where it waits, by call path.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Paths with a smaller share of the time are left out. */
#define LEAST_SHARE 0.01
enum { MOST_ROWS = 20, INDENT = 2, MOST_INDENT = 24 };

/* The largest wait of each path, of itself or of those within it; NULL: it has none. */
static const struct call_path_waits_row **find_waits(const struct call_paths_row *paths, size_t n_paths,
                                                     const struct study_run *run)
{
    const struct result_table *waits = result_find_table(&run->result, TABLE_CALL_PATH_WAITS);
    const struct call_path_waits_row **largest = xcalloc(n_paths + 1, sizeof *largest);
    for (size_t i = 0; waits != NULL && i < waits->n_rows; i++) {
        const struct call_path_waits_row *row = (const struct call_path_waits_row *)waits->rows + i;
        if (largest[row->id] == NULL || row->time_ps > largest[row->id]->time_ps)
            largest[row->id] = row;
    }
    for (size_t i = n_paths; i > 0; i--) {
        const struct call_path_waits_row *own = largest[i], **outer = &largest[paths[i - 1].outer];
        if (own != NULL && (*outer == NULL || own->time_ps > (*outer)->time_ps))
            *outer = own;
    }
    return largest;
}

/* "late sender, for rank 3", where a rank stands out among those that are waited for. */
static const char *name_wait(struct document *document, const struct study_run *run,
                             const struct call_path_waits_row *wait)
{
    struct builder text = {0};
    if (wait == NULL)
        return "";
    builder_add(&text, "%s", wait_state_names[wait->wait]);
    if (wait->for_rank >= 0 && 2 * wait->for_rank_ps * run->ranks >= 3 * wait->time_ps)
        builder_add(&text, ", for rank %d", (int)wait->for_rank);
    return document_own(document, builder_take(&text));
}

static const char *indent(struct document *document, const struct call_paths_row *path)
{
    struct builder text = {0};
    int64_t blanks = INDENT * (path->depth - 1);
    builder_add(&text, "%*s%s", (int)(blanks < MOST_INDENT ? blanks : MOST_INDENT), "", path->function);
    return document_own(document, builder_take(&text));
}

static struct table *add_table(struct document *document, const struct study *study, const struct study_run *run,
                               size_t n_shown, size_t n_all)
{
    static const struct column columns[] = {
        {.id = "call path", .unit = UNIT_TEXT, .flags = COLUMN_KEY | COLUMN_LEFT},
        {.id = "calls", .unit = UNIT_COUNT},
        {.id = "time", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "of all", .unit = UNIT_SHARE},
        {.id = "waiting", .unit = UNIT_SECONDS, .flags = COLUMN_OWN_UNIT},
        {.id = "mostly", .unit = UNIT_TEXT, .flags = COLUMN_LEFT},
    };
    struct builder title = {0};
    builder_add(&title, "Call tree: times with those of inner functions, summed over ranks");
    if (study->n_runs > 1) {
        builder_add(&title, ", ");
        study_name_run(&title, study, run);
    }
    if (n_shown < n_all)
        builder_add(&title, " (%zu of %zu paths%s)", n_shown, n_all, study->verbose ? "" : "; all: -v");
    struct table *table = document_table(document, table_specs[TABLE_CALL_PATHS].name,
                                         document_own(document, builder_take(&title)), FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    return table;
}

/* The paths that are shown: of a share that counts, and of these not too many. They come before those within them. */
static size_t choose(bool *is_shown, const struct study *study, const struct call_paths_row *paths, size_t n_paths,
                     double all_s)
{
    size_t n_shown = 0;
    for (size_t i = 0; i < n_paths; i++) {
        double share = units_seconds(paths[i].time_ps) / all_s;
        is_shown[i] = study->verbose || (share >= LEAST_SHARE && n_shown < MOST_ROWS);
        n_shown += is_shown[i];
    }
    return n_shown;
}

static void add_tree(struct document *document, const struct study *study, const struct study_run *run)
{
    size_t n_paths;
    const struct call_paths_row *paths = result_call_paths(&run->result, &n_paths);
    double all_s = run_all_processors(run) * run_time(run);
    bool *is_shown = xcalloc(n_paths + 1, sizeof *is_shown);
    size_t n_shown = choose(is_shown, study, paths, n_paths, all_s);
    const struct call_path_waits_row **waits = find_waits(paths, n_paths, run);
    struct table *table = n_shown == 0 ? NULL : add_table(document, study, run, n_shown, n_paths);
    for (size_t i = 0; i < n_paths; i++) {
        const struct call_paths_row *path = &paths[i];
        if (!is_shown[i])
            continue;
        table_text(table, indent(document, path));
        table_real(table, (double)path->calls);
        table_real(table, units_seconds(path->time_ps));
        table_real(table, units_seconds(path->time_ps) / all_s);
        table_real(table, path->idle_ps > 0 ? units_seconds(path->idle_ps) : (double)NAN);
        table_text(table, name_wait(document, run, waits[path->id]));
    }
    free(waits);
    free(is_shown);
}

/* The places of calls are recorded only on request, so a user who has them recorded wants to see the tree. */
void section_call_tree(struct document *document, const struct study *study)
{
    for (int i = 0; i < study->n_runs; i++) {
        const struct result *result = &study->runs[i].result;
        document->are_asked = result_find_table(result, TABLE_SITES) != NULL;
        if (result_find_table(result, TABLE_CALL_PATHS) != NULL)
            add_tree(document, study, &study->runs[i]);
    }
    document->are_asked = false;
}
