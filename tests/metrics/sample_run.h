/* A run that has one of each, and whether two are the same to the last bit.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_SAMPLE_RUN_H
#define TESTS_SAMPLE_RUN_H

#include "base/memory.h"
#include "interval/intern.h"
#include "study/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- a run that has one of each --- */

static wide_int power(int exponent)
{
    wide_int number = 1;
    while (exponent-- > 0)
        number *= 10;
    return number;
}

static void add_measures(struct result *result)
{
    result_add_time(result, "", "time_s", 123456789);
    result_add_time(result, "critical_path_s", "long", power(37) + 7);
    result_add_time(result, "critical_path_s", "negative", -power(25) - 3);
    result_add_count(result, "", "edge", INT64_MAX);
    result_add_count(result, "", "beyond", (wide_int)INT64_MAX + 1);
    result_add_count(result, "", "below", (wide_int)INT64_MIN - 1);
    result_add_ratio(result, "b_ratio", "third", 1.0 / 3);
    result_add_ratio(result, "b_ratio", "whole", 2);
    result_add_ratio(result, "b_ratio", "none", (double)NAN);
    result_add_ratio(result, "b_ratio", "infinite", -(double)INFINITY);
    result_add_ratio(result, "b_ratio", "tiny", 4.9e-324);
}

static void add_tables(struct result *result)
{
    static const char name[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    struct result_table *table = result_add_table(result, TABLE_CAUSES);
    for (int i = 0; i < 100; i++)
        *result_add_causes(table) = (struct causes_row){.scope = result_name(&name[i % 48]),
                                                        .operation = (enum operation)(i % N_OPERATIONS),
                                                        .path = -i,
                                                        .ranks = result_name(""),
                                                        .count = i % 2 == 0 ? INT64_MAX : INT64_MIN,
                                                        .wait_ps = power(i % 37) * (i % 2 == 0 ? 1 : -1),
                                                        .cause_scope = result_name(&name[47 - i % 48]),
                                                        .cause_category = (enum category)(i % N_CATEGORIES),
                                                        .share = 1.0 / (i + 1),
                                                        .pruned = i % 2 == 0};
    result_leave_out(table, offsetof(struct causes_row, time_ps));
    result_add_table(result, TABLE_FUNCTIONS);
}

static struct study_run new_run(struct study_parameter parameters[3], int number)
{
    struct study_run run = {.parameters = parameters,
                            .n_parameters = 3,
                            .platform = "none",
                            .network = "quiet",
                            .ranks = 3,
                            .wall_s = 0.1,
                            .events = INT64_MAX,
                            .peak_rss_bytes = 1};
    parameters[0] = (struct study_parameter){.name = "ranks", .is_number = true, .number = 3, .text = "3"};
    parameters[1] = (struct study_parameter){.name = "n", .is_number = true, .number = number};
    parameters[2] = (struct study_parameter){.name = "mode", .number = 1, .text = "standard"};
    parameters[1].text = intern_format("%d", number);
    run_note(&run, NOTE_RANGE, "weit außerhalb, 'quoted' and \"quoted\"");
    run.result.n_processors = 3;
    run.result.state_ps = xcalloc(3, sizeof *run.result.state_ps);
    for (int rank = 0; rank < 3; rank++)
        run.result.state_ps[rank][STATE_IDLE] = rank == 2 ? INT64_MIN : rank;
    add_measures(&run.result);
    add_tables(&run.result);
    return run;
}

static bool same_number(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static bool same_measures(const struct result *a, const struct result *b)
{
    bool same = a->n_measures == b->n_measures;
    for (size_t i = 0; same && i < a->n_measures; i++) {
        const struct measure *x = &a->measures[i], *y = &b->measures[i];
        same =
            strcmp(x->of->group, y->of->group) == 0 && strcmp(x->of->name, y->of->name) == 0 &&
            x->of->type == y->of->type &&
            (x->of->type == MEASURE_RATIO ? same_number(x->ratio, y->ratio) : measure_number(x) == measure_number(y));
        if (!same)
            printf("\n  %s.%s", x->of->group, x->of->name);
    }
    return same;
}

static bool same_cell(struct result_cell a, struct result_cell b)
{
    return a.type == b.type && strcmp(a.text, b.text) == 0 && same_number(a.ratio, b.ratio) && a.number == b.number;
}

static bool same_tables(const struct result *a, const struct result *b)
{
    bool same = a->n_tables == b->n_tables;
    for (size_t t = 0; same && t < a->n_tables; t++) {
        const struct result_table *x = &a->tables[t], *y = &b->tables[t];
        uint32_t absent = (UINT32_C(1) << table_specs[x->id].n_columns) - 1;
        same = x->id == y->id && x->n_rows == y->n_rows && (x->absent & absent) == (y->absent & absent);
        for (size_t c = 0; same && c < table_specs[x->id].n_columns; c++)
            for (size_t r = 0; same && r < x->n_rows; r++)
                same = same_cell(result_cell(x, r, c), result_cell(y, r, c));
    }
    return same;
}

static bool same_notes(const struct study_run *a, const struct study_run *b)
{
    bool same = true;
    for (int note = 0; note < N_NOTES; note++)
        same &= strcmp(run_note_text(a, (enum note)note), run_note_text(b, (enum note)note)) == 0;
    return same;
}

/* But for what the run has cost, which a store does not keep. */
static bool same_run(const struct study_run *a, const struct study_run *b)
{
    const char *reason = a->discarded != NULL ? a->discarded : "", *other = b->discarded != NULL ? b->discarded : "";
    return strcmp(a->platform, b->platform) == 0 && strcmp(a->network, b->network) == 0 && a->ranks == b->ranks &&
           same_notes(a, b) && strcmp(reason, other) == 0 && a->events == b->events &&
           a->result.n_processors == b->result.n_processors &&
           memcmp(a->result.state_ps, b->result.state_ps, 3 * sizeof *a->result.state_ps) == 0 &&
           same_measures(&a->result, &b->result) && same_tables(&a->result, &b->result);
}

#endif
