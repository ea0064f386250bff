/* The call trees of two versions as one: random trees against sums by the names of their paths.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "interval/intern.h"
#include "study/compare/tables.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 60, SIDES = 2, RANKS = 4 };

static unsigned random_state = 5;
static int64_t random_below(int64_t n)
{
    random_state = random_state * 1664525U + 1013904223U;
    return (int64_t)(random_state >> 8) % n;
}

/* A tree in the order of a run's table: siblings have different names, times are in whole ms of each rank. */
static void plant(struct study_run *run, int n)
{
    *run = (struct study_run){.ranks = RANKS};
    result_init(&run->result);
    run->result.n_processors = RANKS;
    result_add_time(&run->result, "", "time_s", 1);
    struct result_table *table = result_add_table(&run->result, TABLE_CALL_PATHS);
    int64_t open[MOST + 1] = {0}, depth = 0, n_inner[MOST + 1] = {0};
    for (int id = 1; id <= n; id++) {
        depth = random_below(depth + 1);
        int64_t outer = depth == 0 ? 0 : open[depth - 1];
        const char *around = outer == 0 ? "" : ((struct call_paths_row *)table->rows)[outer - 1].path;
        n_inner[outer] += 1 + random_below(2);
        const char *function = intern_format("f%d", (int)n_inner[outer]);
        *result_add_call_paths(table) =
            (struct call_paths_row){.id = id,
                                    .outer = outer,
                                    .depth = depth + 1,
                                    .function = function,
                                    .path = intern_format("%s%s%s", around, outer == 0 ? "" : " > ", function),
                                    .calls = random_below(9),
                                    .time_ps = RANKS * 1000000000LL * random_below(50),
                                    .idle_ps = RANKS * 1000000000LL * random_below(50)};
        open[depth++] = id;
    }
}

static const struct call_paths_row *find(const struct study_run *run, const char *path)
{
    size_t n;
    const struct call_paths_row *rows = result_call_paths(&run->result, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].path, path) == 0)
            return &rows[i];
    return NULL;
}

static double number(const struct table *table, size_t row, const char *column)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->columns[c].id, column) == 0)
            return cell_value(table_at(table, row, c));
    CU_FAIL("no such column");
    return 0;
}

static void check_side(const struct table *table, size_t row, const struct call_paths_row *expected, const char *side)
{
    static const char *const columns[] = {"_s", "_idle_s", "_calls"};
    double values[3] = {(double)NAN, (double)NAN, (double)NAN};
    if (expected != NULL) {
        values[0] = (double)expected->time_ps / RANKS / 1e12;
        values[1] = (double)expected->idle_ps / RANKS / 1e12;
        values[2] = (double)expected->calls;
    }
    for (int i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s%s", side, columns[i]);
        double found = number(table, row, name);
        CU_ASSERT(isnan(values[i]) ? isnan(found) : fabs(found - values[i]) < 1e-12);
    }
}

static double sum_of(const struct table *table, size_t row)
{
    return fmax(number(table, row, "first_s"), 0) + fmax(number(table, row, "second_s"), 0);
}

/* Each row has what the two trees have under its path; siblings are in falling order, and come right behind each
 * other's inner paths. */
static void check_table(const struct table *table, const struct study_run *runs)
{
    size_t n = table_n_rows(table), last_of[2 * MOST + 1] = {0};
    const char *paths[2 * MOST + 1] = {""};
    for (size_t row = 0; row < n; row++) {
        size_t outer = (size_t)number(table, row, "outer");
        CU_ASSERT_FATAL(outer <= row);
        CU_ASSERT_EQUAL((size_t)number(table, row, "id"), row + 1);
        paths[row + 1] = intern_format("%s%s%s", paths[outer], outer == 0 ? "" : " > ", table_at(table, row, 4)->text);
        const struct call_paths_row *first = find(&runs[0], paths[row + 1]), *second = find(&runs[1], paths[row + 1]);
        CU_ASSERT(first != NULL || second != NULL);
        check_side(table, row, first, "first");
        check_side(table, row, second, "second");
        double change_s = fmax(number(table, row, "second_s"), 0) - fmax(number(table, row, "first_s"), 0);
        CU_ASSERT(fabs(number(table, row, "change_s") - change_s) < 1e-12);
        if (last_of[outer] > 0)
            CU_ASSERT(sum_of(table, last_of[outer] - 1) >= sum_of(table, row) - 1e-12);
        last_of[outer] = row + 1;
        CU_ASSERT_EQUAL(number(table, row, "depth"), outer == 0 ? 1 : number(table, outer - 1, "depth") + 1);
        if (row > 0) { /* it lies in the path before it, or beside one around that */
            size_t around = row;
            while (around != outer && around > 0)
                around = (size_t)number(table, around - 1, "outer");
            CU_ASSERT_EQUAL(around, outer);
        }
    }
}

static size_t count_union(const struct study_run *runs)
{
    size_t n[SIDES], count;
    const struct call_paths_row *rows[SIDES];
    for (int side = 0; side < SIDES; side++)
        rows[side] = result_call_paths(&runs[side].result, &n[side]);
    count = n[0];
    for (size_t i = 0; i < n[1]; i++)
        count += find(&runs[0], rows[1][i].path) == NULL;
    return count;
}

static void test_random(void)
{
    for (int round = 0; round < 200; round++) {
        struct study_run runs[SIDES];
        struct compare_version versions[SIDES];
        struct document document;
        for (int side = 0; side < SIDES; side++) {
            plant(&runs[side], 1 + (int)random_below(MOST));
            versions[side] = (struct compare_version){"v", &runs[side], 1, &runs[side], NULL};
        }
        document_init(&document, FOR_PROGRAMS);
        comparison_add_call_tree(&document, &(struct comparison){.versions = versions, .n_versions = SIDES}, 1);
        CU_ASSERT_EQUAL_FATAL(document.n_items, 1);
        CU_ASSERT_EQUAL(table_n_rows(document.items[0].table), count_union(runs));
        check_table(document.items[0].table, runs);
        document_dispose(&document);
        for (int side = 0; side < SIDES; side++)
            result_dispose(&runs[side].result);
    }
}

/* Rows of a damaged store that lie in later ones, or in none. */
static void test_hostile(void)
{
    struct study_run runs[SIDES];
    struct compare_version versions[SIDES];
    struct document document;
    for (int side = 0; side < SIDES; side++) {
        plant(&runs[side], 3);
        versions[side] = (struct compare_version){"v", &runs[side], 1, &runs[side], NULL};
    }
    size_t n;
    struct call_paths_row *rows = (struct call_paths_row *)result_call_paths(&runs[0].result, &n);
    rows[0].outer = INT64_MAX;
    rows[1].outer = 3;
    rows[2].outer = -7;
    document_init(&document, FOR_PROGRAMS);
    comparison_add_call_tree(&document, &(struct comparison){.versions = versions, .n_versions = SIDES}, 1);
    CU_ASSERT_EQUAL_FATAL(document.n_items, 1);
    for (size_t row = 0; row < table_n_rows(document.items[0].table); row++)
        CU_ASSERT(number(document.items[0].table, row, "outer") <= (double)row);
    document_dispose(&document);
    for (int side = 0; side < SIDES; side++)
        result_dispose(&runs[side].result);
}

int main(void)
{
    static const struct test tests[] = {
        {"random trees", test_random},
        {"damaged rows", test_hostile},
        {NULL, NULL},
    };
    return testing_run("compare_tree", tests);
}
