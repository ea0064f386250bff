/* Causes of waiting, by who made whom wait: a path of the table "causes" each, the longest waits first.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8, SHOWN_CAUSES = 4 }; /* if not verbose */

/* Names of what a late rank did meanwhile, in the categories that there are chains of. */
static const char *const doings[N_CATEGORIES] = {
    [CATEGORY_COMP] = "computing",
    [CATEGORY_EXTRA] = "keeping memory coherent",
    [CATEGORY_WAIT] = "waiting for answers",
    [CATEGORY_PRSTE] = "serving others",
};

/* The rows first ... first + n - 1 of the table are one path. */
struct path_rows {
    size_t first, n;
    double wait_s;
};

static bool same_path(const struct causes_row *a, const struct causes_row *b)
{
    return a->path == b->path && a->scope == b->scope && a->operation == b->operation;
}

static int by_wait(const void *a, const void *b)
{
    const struct path_rows *left = a, *right = b;
    if (left->wait_s != right->wait_s)
        return left->wait_s < right->wait_s ? 1 : -1;
    return (left->first > right->first) - (left->first < right->first);
}

/* To be freed. */
static struct path_rows *find_paths(const struct causes_row *causes, size_t n_rows, size_t *n_paths)
{
    struct path_rows *paths = NULL;
    size_t capacity = 0;
    *n_paths = 0;
    for (size_t row = 0; row < n_rows; row++) {
        if (row > 0 && same_path(&causes[row - 1], &causes[row])) {
            paths[*n_paths - 1].n++;
            continue;
        }
        paths = xgrow(paths, *n_paths, &capacity, sizeof *paths);
        paths[(*n_paths)++] = (struct path_rows){row, 1, units_seconds(causes[row].wait_ps)};
    }
    sort_stable(paths, *n_paths, sizeof *paths, by_wait);
    return paths;
}

/* --- the causes within a path: what any of the ranks did in one scope and category --- */

enum { REST = -1 }; /* many small ones together */

struct cause {
    const char *scope;
    int category; /* enum category; CATEGORY_NONE: the protocol itself */
    double share;
    char ranks[40];
};

static int by_share(const void *a, const void *b)
{
    const struct cause *left = a, *right = b;
    return (fabs(left->share) < fabs(right->share)) - (fabs(left->share) > fabs(right->share));
}

static void add_rank(struct cause *cause, int rank)
{
    size_t used = strlen(cause->ranks);
    if (used + 10 < sizeof cause->ranks)
        snprintf(cause->ranks + used, sizeof cause->ranks - used, "%s%d", used > 0 ? "," : "", rank);
    else if (cause->ranks[used - 1] != '.')
        snprintf(cause->ranks + used, sizeof cause->ranks - used, ",...");
}

/* Find the causes of the path, the largest first; there is room for one each row. */
static size_t find_causes(struct cause *found, const struct causes_row *causes, const struct path_rows *path)
{
    size_t count = 0;
    for (const struct causes_row *row = &causes[path->first]; row < &causes[path->first + path->n]; row++) {
        const char *scope = row->pruned ? "" : row->cause_scope;
        int category = row->pruned ? REST : (int)row->cause_category;
        size_t c = 0;
        while (c < count && (found[c].scope != scope || found[c].category != category))
            c++;
        if (c == count)
            found[count++] = (struct cause){.scope = scope, .category = category};
        found[c].share += row->share;
        add_rank(&found[c], row->cause_rank);
    }
    sort_stable(found, count, sizeof *found, by_share);
    return count;
}

/* "83 % for rank 0 computing in elimination"; if wait_s is above 0 "4.578 ms for ...", "less 4.578 ms for ...". */
static void add_cause(struct builder *line, const struct cause *cause, double wait_s)
{
    bool many = strchr(cause->ranks, ',') != NULL;
    if (wait_s > 0) {
        builder_add(line, cause->share < 0 ? " less " : " ");
        builder_add_time(line, fabs(cause->share) * wait_s);
    } else
        builder_add(line, " %.0f %%", 100 * cause->share);
    if (cause->category == REST)
        builder_add(line, " for lesser causes");
    else if (doings[cause->category] != NULL)
        builder_add(line, " for rank%s %s %s in %s", many ? "s" : "", cause->ranks, doings[cause->category],
                    cause->scope);
    else
        builder_add(line, " for the protocol itself");
}

/* Take together the causes that are too many or too small to be named, and those that are not known one by one: they
 * become the last one. Returns how many are left. */
static size_t lump_causes(struct cause *found, size_t count, size_t shown)
{
    struct cause left = {.category = REST};
    size_t n_kept = 0;
    for (size_t i = 0; i < count; i++)
        if (n_kept == shown || fabs(found[i].share) < 0.005 || found[i].category == REST)
            left.share += found[i].share;
        else
            found[n_kept++] = found[i];
    if (fabs(left.share) >= 0.005)
        found[n_kept++] = left;
    return n_kept;
}

/* Parts that are far more than the whole, which is their small difference, read better as times: first what the late
 * did, then, less that, what the others did. */
static void add_causes(struct builder *line, const struct causes_row *causes, const struct path_rows *path,
                       size_t shown)
{
    struct cause *found = xcalloc(path->n + 1, sizeof *found);
    size_t count = lump_causes(found, find_causes(found, causes, path), shown);
    bool times = count > 0 && fabs(found[0].share) > 1.5;
    const char *before = ":";
    for (int less = 0; less <= times; less++)
        for (size_t i = 0; i < count; i++) {
            if (times && (found[i].share < 0) != (less == 1))
                continue;
            builder_add(line, "%s", before);
            add_cause(line, &found[i], times ? path->wait_s : 0);
            before = ",";
        }
    free(found);
}

static char *describe_path(const struct causes_row *causes, const struct path_rows *path, bool verbose)
{
    struct builder line = {0};
    const struct causes_row *row = &causes[path->first];
    const char *ranks = row->ranks;
    double count = (double)row->count;
    builder_add(&line, "rank%s %s waited ", strpbrk(ranks, ",-") != NULL ? "s" : "", ranks);
    builder_add_time(&line, path->wait_s);
    builder_add(&line, " %s in %s, %.0f time%s", row->operation == OPERATION_LOCK ? "for locks" : "at barriers",
                row->scope, count, count == 1 ? "" : "s");
    add_causes(&line, causes, path, verbose ? path->n : SHOWN_CAUSES);
    return builder_take(&line);
}

void section_wait_causes(struct document *document, const struct study_run *run, bool verbose)
{
    size_t n_rows, n_paths;
    const struct causes_row *causes = result_causes(&run->result, &n_rows);
    if (n_rows == 0)
        return;
    struct path_rows *paths = find_paths(causes, n_rows, &n_paths);
    size_t shown = verbose || n_paths < SHOWN ? n_paths : SHOWN;
    document_heading(
        document, xstrdup("Causes of waits: what late ranks did that waiting ranks did not (below 0 %: waiting ranks "
                          "did more of it)"));
    for (size_t i = 0; i < shown; i++)
        document_note(document, describe_path(causes, &paths[i], verbose));
    struct builder left = {0};
    double left_s = 0;
    for (size_t i = shown; i < n_paths; i++)
        left_s += paths[i].wait_s;
    builder_add(&left, "and %zu more, ", n_paths - shown);
    builder_add_time(&left, left_s);
    builder_add(&left, " in all; -v shows them.");
    if (shown < n_paths)
        document_note(document, builder_take(&left));
    free(left.text);
    free(paths);
}
