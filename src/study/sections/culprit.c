/* Why a rank is late that others wait for: what it does longer than they do. */
#include "study/sections/sections.h"

#include <math.h>
#include <string.h>

/* It computes so many times as long as the mean. */
#define LEAST_LOAD 1.05
/* Another reason takes so much more of the time than it does of the others. */
#define LEAST_REASON 0.02

static const struct {
    const char *time, *function, *does; /* columns of rank_waits; "writes a file" by the function */
} reasons[] = {{"reading_s", "reads_by", "reads a file by"},
               {"writing_s", "writes_by", "writes a file by"},
               {"library_s", "library_by", "is in"}};
enum { READS, WRITES, IN_LIBRARY, N_REASONS };

/* The table of the ranks, if it has the reasons: one of an older store has not. */
static const struct result_table *find_ranks(const struct study_run *run)
{
    const struct result_table *ranks = result_find_table(&run->result, "rank_waits");
    for (size_t c = 0; ranks != NULL && c < ranks->n_columns; c++)
        if (strcmp(ranks->columns[c].name, reasons[IN_LIBRARY].function) == 0 && ranks->n_rows == (size_t)run->ranks)
            return ranks;
    return NULL;
}

/* What it sleeps, or is blocked, outside of the library; of older traces also what it lacks of a processor. */
static double asleep_of(const struct study_run *run, int rank)
{
    const struct result_table *processors = result_find_table(&run->result, "processors");
    if (processors == NULL || (size_t)rank >= processors->n_rows)
        return 0;
    return named_number(processors, (size_t)rank, "asleep_s") + named_number(processors, (size_t)rank, "off_s");
}

/* It computes, no longer than it had a processor; files that are read and written by other means than the library are
 * part of that. Or it sleeps. */
double culprit_busy_s(const struct study_run *run, int rank)
{
    const struct result_table *ranks = find_ranks(run), *processors = result_find_table(&run->result, "processors");
    const int64_t *state_ps = run->result.state_ps[rank];
    double busy_s = (double)state_ps[STATE_USEFUL] / 1e12;
    if (processors != NULL && (size_t)rank < processors->n_rows && processors_are_known(processors))
        busy_s = fmin(busy_s, named_number(processors, (size_t)rank, "processor_s")); /* skips NAN */
    if (ranks != NULL)
        busy_s += (double)state_ps[STATE_IO] / 1e12 - named_number(ranks, (size_t)rank, reasons[READS].time) -
                  named_number(ranks, (size_t)rank, reasons[WRITES].time);
    return busy_s + asleep_of(run, rank);
}

double culprit_load(const struct study_run *run, int rank)
{
    double sum_s = 0;
    for (int i = 0; i < run->ranks; i++)
        sum_s += culprit_busy_s(run, i);
    return sum_s > 0 ? culprit_busy_s(run, rank) * run->ranks / sum_s : 1;
}

const char *culprit_word(const struct study_run *run, int rank)
{
    double asleep_s = asleep_of(run, rank), all_s = culprit_busy_s(run, rank);
    if (asleep_s >= 0.95 * all_s)
        return "sleeps";
    return 20 * asleep_s < all_s ? "computes" : 2 * asleep_s < all_s ? "computes or sleeps" : "sleeps or computes";
}

static double value_of(const struct study_run *run, const struct result_table *ranks, int rank, int reason)
{
    return reason == N_REASONS ? culprit_busy_s(run, rank) : named_number(ranks, (size_t)rank, reasons[reason].time);
}

/* How much longer than the mean of all ranks; N_REASONS: it computes. */
static double more_than_mean(const struct study_run *run, const struct result_table *ranks, int rank, int reason)
{
    double sum_s = 0;
    for (int i = 0; i < run->ranks; i++)
        sum_s += value_of(run, ranks, i, reason);
    return value_of(run, ranks, rank, reason) - sum_s / run->ranks;
}

static void add_load(struct builder *line, const struct study_run *run, int rank)
{
    double load = culprit_load(run, rank);
    if (load >= LEAST_LOAD)
        builder_add(line, ", which %s %.2g times as long as the mean", culprit_word(run, rank), load);
}

void culprit_add_reason(struct builder *line, const struct study_run *run, int rank)
{
    const struct result_table *ranks = find_ranks(run);
    int largest = N_REASONS;
    double most_s = more_than_mean(run, ranks, rank, N_REASONS);
    for (int reason = 0; ranks != NULL && reason < N_REASONS; reason++) {
        double more_s = more_than_mean(run, ranks, rank, reason);
        if (more_s <= most_s || more_s < LEAST_REASON * run_program_time(run))
            continue;
        largest = reason;
        most_s = more_s;
    }
    if (largest == N_REASONS) {
        add_load(line, run, rank);
        return;
    }
    builder_add(line, ", which %s %s for ", reasons[largest].does,
                named_text(ranks, (size_t)rank, reasons[largest].function));
    builder_add_time(line, named_number(ranks, (size_t)rank, reasons[largest].time));
}
