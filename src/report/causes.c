/* Who made whom wait, in sentences: a path of the table "causes" each, the longest waits first. */
#include "report/carnival.h"

#include "report/text_parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8, SHOWN_CAUSES = 4, LINE_WIDTH = 118, INDENT = 6 }; /* SHOWN: if not verbose */

static const struct {
    const char *category, *does;
} doings[] = {
    {"Comp", "computing"},
    {"Extra", "keeping memory coherent"},
    {"Wait", "waiting for answers"},
    {"Prste", "serving others"},
};
enum { N_DOINGS = sizeof doings / sizeof doings[0] };

/* The rows first ... first + n - 1 of the table are one path. */
struct path_rows {
    size_t first, n;
    double wait_s;
};

static double number(const struct result_table *causes, size_t row, const char *column)
{
    return result_cell_value(causes, row, result_column(causes, column));
}

static const char *text(const struct result_table *causes, size_t row, const char *column)
{
    return result_cell(causes, row, result_column(causes, column))->text;
}

static bool same_path(const struct result_table *causes, size_t a, size_t b)
{
    return number(causes, a, "path") == number(causes, b, "path") &&
           strcmp(text(causes, a, "scope"), text(causes, b, "scope")) == 0 &&
           strcmp(text(causes, a, "operation"), text(causes, b, "operation")) == 0;
}

static int by_wait(const void *a, const void *b)
{
    const struct path_rows *left = a, *right = b;
    if (left->wait_s != right->wait_s)
        return left->wait_s < right->wait_s ? 1 : -1;
    return (left->first > right->first) - (left->first < right->first);
}

/* To be freed. */
static struct path_rows *find_paths(const struct result_table *causes, size_t *n_paths)
{
    struct path_rows *paths = NULL;
    size_t capacity = 0;
    *n_paths = 0;
    for (size_t row = 0; row < causes->n_rows; row++) {
        if (row > 0 && same_path(causes, row - 1, row)) {
            paths[*n_paths - 1].n++;
            continue;
        }
        paths = xgrow(paths, *n_paths, &capacity, sizeof *paths);
        paths[(*n_paths)++] = (struct path_rows){row, 1, number(causes, row, "wait_s")};
    }
    qsort(paths, *n_paths, sizeof *paths, by_wait);
    return paths;
}

/* --- the causes within a path: what any of the ranks did in one scope and category --- */

struct cause {
    const char *scope, *category;
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

/* Those of the path, the largest first; there is room for one each row. */
static size_t find_causes(struct cause *found, const struct result_table *causes, const struct path_rows *path)
{
    size_t count = 0;
    for (size_t row = path->first; row < path->first + path->n; row++) {
        bool pruned = number(causes, row, "pruned") > 0;
        const char *scope = pruned ? "" : text(causes, row, "cause_scope");
        const char *category = pruned ? "rest" : text(causes, row, "cause_category");
        size_t c = 0;
        while (c < count && (strcmp(found[c].scope, scope) != 0 || strcmp(found[c].category, category) != 0))
            c++;
        if (c == count)
            found[count++] = (struct cause){.scope = scope, .category = category};
        found[c].share += number(causes, row, "share");
        add_rank(&found[c], (int)number(causes, row, "cause_rank"));
    }
    qsort(found, count, sizeof *found, by_share);
    return count;
}

/* How much of a wait something explains: "83 %", or, if wait_s is above 0, "4.578 ms", "less 4.578 ms". */
static int name_amount(char *item, size_t size, double share, double wait_s)
{
    char time[32];
    if (wait_s <= 0)
        return snprintf(item, size, "%.0f %% ", 100 * share);
    return snprintf(item, size, "%s%s ", share < 0 ? "less " : "",
                    text_format_time(fabs(share) * wait_s, time, sizeof time));
}

/* "83 % for rank 0 computing in elimination" */
static void name_cause(char *item, size_t size, const struct cause *cause, double wait_s)
{
    bool many = strchr(cause->ranks, ',') != NULL;
    int d = 0;
    while (d < N_DOINGS && strcmp(doings[d].category, cause->category) != 0)
        d++;
    int used = name_amount(item, size, cause->share, wait_s);
    if (d < N_DOINGS)
        snprintf(item + used, size - (size_t)used, "for rank%s %s %s in %s", many ? "s" : "", cause->ranks,
                 doings[d].does, cause->scope);
    else if (strcmp(cause->category, "rest") == 0)
        snprintf(item + used, size - (size_t)used, "for lesser causes");
    else
        snprintf(item + used, size - (size_t)used, "for the protocol itself");
}

/* Write an item, on a new line if it does not fit; the column after it. */
static int write_item(FILE *stream, int column, const char *before, const char *item)
{
    int length = (int)strlen(before) + (int)strlen(item);
    if (column + length > LINE_WIDTH) {
        fprintf(stream, "%s\n%*s", before[0] == ',' ? "," : "", INDENT, "");
        column = INDENT + fprintf(stream, "%s", item);
    } else {
        column += fprintf(stream, "%s%s%s", before, before[0] == ',' ? " " : "", item);
    }
    return column;
}

/* Those that are too many or too small to be named, and those that are not known one by one, are taken together: they
 * become the last, and their number is what is left. */
static size_t lump_causes(struct cause *found, size_t count, size_t shown)
{
    struct cause left = {.category = "rest"};
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == shown || fabs(found[i].share) < 0.005 || strcmp(found[i].category, "rest") == 0)
            left.share += found[i].share;
        else
            found[kept++] = found[i];
    if (fabs(left.share) >= 0.005)
        found[kept++] = left;
    return kept;
}

/* Parts that are far more than the whole, which is their small difference, read better as times: first what the late
 * did, then, less that, what the others did. */
static bool parts_exceed(const struct cause *found, size_t count)
{
    return count > 0 && fabs(found[0].share) > 1.5;
}

static void write_causes(FILE *stream, int column, const struct result_table *causes, const struct path_rows *path,
                         size_t shown)
{
    char item[160];
    const char *before = " ";
    struct cause *found = xcalloc(path->n + 1, sizeof *found);
    size_t count = lump_causes(found, find_causes(found, causes, path), shown);
    bool times = parts_exceed(found, count);
    for (int less = 0; less <= times; less++)
        for (size_t i = 0; i < count; i++) {
            if (times && (found[i].share < 0) != (less == 1))
                continue;
            name_cause(item, sizeof item, &found[i], times ? path->wait_s : 0);
            column = write_item(stream, column, before, item);
            before = ",";
        }
    free(found);
}

static void write_path(FILE *stream, const struct result_table *causes, const struct path_rows *path, bool verbose)
{
    char wait[32];
    size_t row = path->first;
    const char *ranks = text(causes, row, "ranks");
    bool lock = strcmp(text(causes, row, "operation"), "lock") == 0, many = strpbrk(ranks, ",-") != NULL;
    double count = number(causes, row, "count");
    int column = fprintf(stream, "    rank%s %s waited %s %s in %s, %.0f time%s:", many ? "s" : "", ranks,
                         text_format_time(path->wait_s, wait, sizeof wait), lock ? "for locks" : "at barriers",
                         text(causes, row, "scope"), count, count == 1 ? "" : "s");
    write_causes(stream, column, causes, path, verbose ? path->n : SHOWN_CAUSES);
    fputc('\n', stream);
}

void causes_write(FILE *stream, const struct report_run *run, bool verbose)
{
    const struct result_table *causes = result_find_table(&run->result, "causes");
    size_t n_paths, shown;
    if (causes->n_rows == 0)
        return;
    struct path_rows *paths = find_paths(causes, &n_paths);
    shown = verbose || n_paths < SHOWN ? n_paths : SHOWN;
    fputs("  Causes of waits: what the late did that those who waited did not (less than 0 %: they did more of it; as "
          "times\n"
          "  where a wait is the small difference of large parts)\n",
          stream);
    for (size_t i = 0; i < shown; i++)
        write_path(stream, causes, &paths[i], verbose);
    double left_s = 0;
    for (size_t i = shown; i < n_paths; i++)
        left_s += paths[i].wait_s;
    char left[32];
    if (shown < n_paths)
        fprintf(stream, "    and %zu more, %s in all; -v shows them.\n", n_paths - shown,
                text_format_time(left_s, left, sizeof left));
    free(paths);
}
