/* The topologies that are compared: the time with each beside what it is made of.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/sections/sections.h"

#include "base/memory.h"
#include "base/sort.h"
#include "study/ranking.h"

#include <stdlib.h>

/* Runs of the largest problem on the most ranks; of each topology the fastest. */
struct compared {
    const struct study_run **runs; /* the fastest first */
    int count;
};

/* The order of two runs by the size of the problem, then by the number of ranks. */
static int compare_sizes(const struct study_run *a, const struct study_run *b)
{
    int order = run_compare_problems(a, b);
    return order != 0 ? order : (a->ranks > b->ranks) - (a->ranks < b->ranks);
}

static int by_time(const void *left, const void *right)
{
    const struct study_run *a = *(const struct study_run *const *)left, *b = *(const struct study_run *const *)right;
    double x = run_time(a), y = run_time(b);
    return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

static bool is_known(const struct study_run *run)
{
    return run->topology != NULL && !run_is_discarded(run);
}

/* True if two runs, on as many ranks, have the same topology. */
static bool same_topology(const struct study_run *a, const struct study_run *b)
{
    bool same = a->topology->hosts == b->topology->hosts;
    for (int i = 0; i < a->n_parameters; i++)
        if (a->parameters[i].subject == SUBJECT_TOPOLOGY || a->parameters[i].subject == SUBJECT_DIMENSIONS)
            same &= a->parameters[i].number == b->parameters[i].number;
    return same;
}

static struct compared find_compared(const struct study *study)
{
    struct compared found = {.runs = xcalloc((size_t)study->n_runs + 1, sizeof *found.runs)};
    const struct study_run *largest = NULL;
    int n_kept = 0;
    for (int i = 0; i < study->n_runs; i++)
        if (is_known(&study->runs[i]) && (largest == NULL || compare_sizes(&study->runs[i], largest) > 0))
            largest = &study->runs[i];
    for (int i = 0; i < study->n_runs; i++)
        if (is_known(&study->runs[i]) && compare_sizes(&study->runs[i], largest) == 0)
            found.runs[found.count++] = &study->runs[i];
    sort_stable(found.runs, (size_t)found.count, sizeof *found.runs, by_time);
    for (int i = 0; i < found.count; i++) {
        int same = 0;
        while (same < n_kept && !same_topology(found.runs[same], found.runs[i]))
            same++;
        if (same == n_kept)
            found.runs[n_kept++] = found.runs[i];
    }
    found.count = n_kept;
    return found;
}

static bool is_size(const struct study_parameter *parameter)
{
    return parameter->is_problem || parameter->subject == SUBJECT_RANKS;
}

static void add_table(struct document *document, const struct study *study, const struct compared *compared)
{
    static const struct column columns[] = {
        {.id = "topology", .unit = UNIT_TEXT, .flags = COLUMN_KEY},
        {.id = "time", .unit = UNIT_SECONDS},
        {.id = "diameter", .unit = UNIT_COUNT},
        {.id = "bisection", .unit = UNIT_COUNT},
        {.id = "wires", .unit = UNIT_COUNT},
        {.id = "degree", .unit = UNIT_COUNT},
    };
    struct builder title = {0};
    builder_add(&title, "Topologies, by the time of the fastest run");
    study_name_varied(&title, study, compared->runs[0], is_size, " with ");
    struct table *table =
        document_table(document, "topologies", document_own(document, builder_take(&title)), FOR_READERS);
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (int i = 0; i < compared->count; i++) {
        const struct study_topology *topology = compared->runs[i]->topology;
        table_text(table, topology->name);
        table_real(table, run_time(compared->runs[i]));
        table_integer(table, topology->diameter);
        table_integer(table, topology->bisection);
        table_integer(table, topology->wires);
        table_integer(table, topology->degree);
    }
}

/* "More links than the 4 of a host's hardware: hypercube 128 (7), complete 128 (127)." */
static void add_note(struct document *document, const struct compared *compared)
{
    struct builder text = {0};
    for (int i = 0; i < compared->count; i++) {
        const struct study_topology *topology = compared->runs[i]->topology;
        if (topology->links_per_host == 0 || topology->host_degree <= topology->links_per_host)
            continue;
        if (text.length == 0)
            builder_add(&text, "More links than the %d of a host's hardware", topology->links_per_host);
        builder_add(&text, "%s %s (%lld)", text.text[text.length - 1] == ')' ? "," : ":", topology->name,
                    (long long)topology->host_degree);
    }
    if (text.length > 0) {
        builder_add(&text, ".");
        document_note(document, builder_take(&text));
    }
}

void section_topologies(struct document *document, const struct study *study)
{
    struct compared compared = find_compared(study);
    if (ranking_is_one(study) && compared.count > 1) {
        add_table(document, study, &compared);
        add_note(document, &compared);
    }
    free(compared.runs);
}

/* Each topology, with the index of its fastest run. */
static void add_facts(struct document *document, const struct study *study, const struct compared *compared)
{
    static const struct column columns[] = {
        {.id = "run"},   {.id = "name"},   {.id = "hosts"},       {.id = "diameter"},       {.id = "bisection"},
        {.id = "wires"}, {.id = "degree"}, {.id = "host_degree"}, {.id = "links_per_host"},
    };
    struct table *table = document_table(document, "topologies", NULL, FOR_PROGRAMS);
    table->is_aside = table->needs_rows = true;
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        table_column(table, columns[c]);
    for (int i = 0; i < compared->count; i++) {
        const struct study_topology *topology = compared->runs[i]->topology;
        table_integer(table, compared->runs[i] - study->runs);
        table_text(table, topology->name);
        table_integer(table, topology->hosts);
        table_integer(table, topology->diameter);
        table_integer(table, topology->bisection);
        table_integer(table, topology->wires);
        table_integer(table, topology->degree);
        table_integer(table, topology->host_degree);
        if (topology->links_per_host > 0)
            table_integer(table, topology->links_per_host);
        else
            table_blank(table);
    }
}

void section_data_topologies(struct document *document, const struct study *study)
{
    struct compared compared = find_compared(study);
    if (ranking_is_one(study) && compared.count > 1)
        add_facts(document, study, &compared);
    free(compared.runs);
}
