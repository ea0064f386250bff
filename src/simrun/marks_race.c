/* Races broadcasts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/marks_race.h"

#include "base/memory.h"
#include "base/sort.h"
#include "simrun/marks_alike.h"
#include "simrun/marks_simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct racer {
    const struct lab *lab;
    const struct submission *submission;
    char *name;  /* of a contestant; "" for the lines that stand in the experiment */
    char *plain; /* the lines without comments: equal ones are simulated once */
    struct contest_runs runs;
    bool owns_runs;
    const char *fault; /* NULL: none; of the document */
    double mean_s;     /* geometric; INFINITY with a fault */
    bool is_ranked;    /* the best of its submission, the first of equal ones */
    int64_t n_fastest; /* in how many runs nobody is faster */
};

struct race {
    struct document *document;
    const char *platforms;
    struct racer *racers;
    size_t n_racers, n_ranked, capacity; /* when they are sorted, the ranked ones stand first */
};

static const struct lab_block *find_contest(const struct lab *lab)
{
    for (size_t i = 0; i < lab->n_blocks; i++)
        if (lab->blocks[i].kind == LAB_EXPERIMENT && lab_row(&lab->blocks[i], "lines") != NULL)
            return &lab->blocks[i];
    return NULL;
}

static double mean_of(const struct contest_runs *runs)
{
    double sum = 0;
    for (size_t i = 0; i < runs->n_runs; i++)
        sum += log(runs->runs[i].time_s);
    return runs->n_runs > 0 ? exp(sum / (double)runs->n_runs) : INFINITY;
}

/* One that has been in the race of this lab with the same lines; NULL: none. */
static const struct racer *find_same(const struct race *race, const struct racer *racer)
{
    for (size_t i = 0; i < race->n_racers; i++)
        if (race->racers[i].lab == racer->lab && strcmp(race->racers[i].plain, racer->plain) == 0)
            return &race->racers[i];
    return NULL;
}

static void add_racer(struct race *race, const struct lab_block *contest, struct racer racer, const char *lines)
{
    const struct racer *same = find_same(race, &racer);
    struct sim_error error;
    if (same != NULL) {
        racer.runs = same->runs;
        racer.fault = same->fault;
    } else if (marks_race(&racer.runs, contest, race->platforms, lines, &error) == 0)
        racer.owns_runs = true;
    else
        racer.fault = document_format(race->document, "%s", error.message);
    racer.mean_s = racer.fault == NULL ? mean_of(&racer.runs) : INFINITY;
    race->racers = xgrow(race->racers, race->n_racers, &race->capacity, sizeof *race->racers);
    race->racers[race->n_racers++] = racer;
}

/* Lines of a block of a submission; none of those that come with simrun. */
static void enter_block(struct race *race, const struct lab *lab, const struct lab_block *contest,
                        const struct submission *submission, const struct json_node *block)
{
    const char *lines = submission_lines(submission, block);
    char *plain = lines != NULL ? marks_plain_lines(lines) : NULL;
    if (plain != NULL && !marks_are_given_lines(plain))
        add_racer(race, contest,
                  (struct racer){.lab = lab,
                                 .submission = submission,
                                 .name = submission_text(submission, block, "name"),
                                 .plain = plain},
                  lines);
    else
        free(plain);
}

/* The lines that stand in the experiment, and all contestants of the lab; of these the best one is ranked. */
static void enter(struct race *race, const struct lab *lab, const struct lab_block *contest,
                  const struct submission *submission)
{
    size_t first = race->n_racers, best = first;
    enter_block(race, lab, contest, submission, submission_block(submission, lab->name, "values", contest->number));
    for (int i = 1; i <= MOST_CONTESTANTS; i++)
        enter_block(race, lab, contest, submission, submission_block(submission, lab->name, "contestants", i));
    for (size_t i = first; i < race->n_racers; i++)
        if (race->racers[i].mean_s < race->racers[best].mean_s)
            best = i;
    if (best < race->n_racers)
        race->racers[best].is_ranked = true;
    race->n_ranked += best < race->n_racers;
}

static void count_fastest(struct race *race)
{
    for (size_t i = 0; i < race->n_ranked; i++)
        for (size_t run = 0; run < race->racers[i].runs.n_runs; run++) {
            bool is_fastest = true;
            for (size_t other = 0; other < race->n_ranked; other++)
                is_fastest &= race->racers[other].lab != race->racers[i].lab ||
                              run >= race->racers[other].runs.n_runs ||
                              race->racers[other].runs.runs[run].time_s >= race->racers[i].runs.runs[run].time_s;
            race->racers[i].n_fastest += is_fastest;
        }
}

static int by_mean(const void *a, const void *b)
{
    const struct racer *one = a, *other = b;
    if (one->is_ranked != other->is_ranked)
        return one->is_ranked ? -1 : 1;
    if (one->lab != other->lab)
        return one->lab < other->lab ? -1 : 1;
    return (one->mean_s > other->mean_s) - (one->mean_s < other->mean_s);
}

static void put_ranking(const struct race *race)
{
    struct table *table = document_table(race->document, "race", "Broadcasts, the fastest first", FOR_ALL);
    table_column(table, (struct column){.id = "lab", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "place", .unit = UNIT_COUNT, .flags = COLUMN_LABEL});
    table_column(table, (struct column){.id = "who", .unit = UNIT_TEXT});
    table_column(table, (struct column){.id = "file", .unit = UNIT_TEXT});
    table_column(table, (struct column){.id = "mean_time_s", .unit = UNIT_SECONDS});
    table_column(table, (struct column){.id = "fastest_in", .unit = UNIT_COUNT});
    table_column(table, (struct column){.id = "note", .unit = UNIT_TEXT});
    table_column(table, (struct column){.id = "contestant", .unit = UNIT_TEXT});
    int64_t place = 0;
    for (size_t i = 0; i < race->n_ranked; i++) {
        const struct racer *racer = &race->racers[i], *before = i > 0 ? racer - 1 : NULL;
        if (before == NULL || before->lab != racer->lab)
            place = 1;
        else if (racer->mean_s > before->mean_s)
            place++;
        table_text(table, racer->lab->name);
        if (racer->fault == NULL)
            table_integer(table, place);
        else
            table_none(table);
        table_text(table, racer->submission->who);
        table_text(table, racer->submission->file);
        table_real(table, racer->fault == NULL ? racer->mean_s : NAN);
        table_integer(table, racer->n_fastest);
        table_text(table, racer->fault != NULL ? racer->fault : "");
        table_text(table, document_format(race->document, "%s", racer->name));
    }
}

static void put_runs(const struct race *race)
{
    static const char *const texts[] = {"lab", "who", "file", "platform", "length"};
    struct table *table = document_table(race->document, "race_runs", "Their times", FOR_ALL);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        table_column(table, (struct column){.id = texts[i], .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "time_s", .unit = UNIT_SECONDS});
    for (size_t i = 0; i < race->n_ranked; i++)
        for (size_t r = 0; r < race->racers[i].runs.n_runs; r++) {
            const struct contest_run *run = &race->racers[i].runs.runs[r];
            table_text(table, race->racers[i].lab->name);
            table_text(table, race->racers[i].submission->who);
            table_text(table, race->racers[i].submission->file);
            table_text(table, document_format(race->document, "%s", run->platform));
            table_text(table, document_format(race->document, "%s", run->bytes));
            table_real(table, run->time_s);
        }
}

void marks_put_race(struct document *document, const struct lab *labs, size_t n_labs,
                    const struct submission *submissions, size_t n_submissions, const char *platforms)
{
    struct race race = {.document = document, .platforms = platforms};
    for (size_t i = 0; i < n_labs; i++) {
        const struct lab_block *contest = find_contest(&labs[i]);
        for (size_t s = 0; s < n_submissions && contest != NULL; s++)
            enter(&race, &labs[i], contest, &submissions[s]);
    }
    sort_stable(race.racers, race.n_racers, sizeof *race.racers, by_mean);
    count_fastest(&race);
    put_ranking(&race);
    put_runs(&race);
    for (size_t i = 0; i < race.n_racers; i++) {
        free(race.racers[i].name);
        free(race.racers[i].plain);
        if (race.racers[i].owns_runs)
            free(race.racers[i].runs.runs);
    }
    free(race.racers);
}
