/* The profile for readers: the answer in a sentence, then tables of what is largest, on one page.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/profile/destination.h"
#include "eppa/profile/numbers.h"
#include "eppa/profile/profile.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_ROWS = 10, MOST_RANKS = 8, MOST_SIZES = 10, MOST_COLUMNS = 16, MOST_TEXT = 64 };

#define LEAST_IMBALANCE 1.05 /* that is worth a word */
#define LEAST_REST 0.02      /* likewise, of the time: MPI without communication */

/* A table is written when all of it is known: columns are as wide as what is in them. The first is on the left. */
struct sheet {
    int n_columns, n_rows;
    char cells[MOST_ROWS + 4][MOST_COLUMNS][MOST_TEXT];
    int n_left; /* columns that are words */
};

static void set(struct sheet *sheet, int column, const char *text)
{
    utf8_copy(sheet->cells[sheet->n_rows - 1][column], MOST_TEXT, text);
}

static struct sheet new_sheet(int n_left, const char *const heads[], int n_columns)
{
    struct sheet sheet = {.n_columns = n_columns, .n_rows = 1, .n_left = n_left};
    for (int c = 0; c < n_columns; c++)
        set(&sheet, c, heads[c]);
    return sheet;
}

static void write_sheet(FILE *stream, const struct sheet *sheet)
{
    int widths[MOST_COLUMNS] = {0};
    for (int r = 0; r < sheet->n_rows; r++)
        for (int c = 0; c < sheet->n_columns; c++)
            if (utf8_width(sheet->cells[r][c]) > widths[c])
                widths[c] = utf8_width(sheet->cells[r][c]);
    for (int r = 0; r < sheet->n_rows; r++) {
        int owed = 0; /* spaces, if anything follows */
        for (int c = 0; c < sheet->n_columns; c++) {
            const char *text = sheet->cells[r][c];
            int gap = widths[c] - utf8_width(text);
            owed += 2 + (c < sheet->n_left ? 0 : gap);
            if (text[0] != '\0')
                fprintf(stream, "%*s%s", owed, "", text);
            owed = (text[0] != '\0' ? 0 : owed) + (c < sheet->n_left ? gap : 0);
        }
        fputc('\n', stream);
    }
    fputc('\n', stream);
}

/* --- the answer --- */

static void write_largest(FILE *stream, const struct profile *profile, const struct profile_sums *sums)
{
    char share[NUMBER_SIZE];
    size_t n, n_sites = 0;
    const struct profile_row **functions = profile_sort(profile->functions, N_REGIONS, &n);
    const struct profile_row **sites = profile_sort(profile->sites, profile->n_sites, &n_sites);
    if (n > 0) {
        fprintf(stream, "; %s takes %s", regions[functions[0]->region].name,
                number_share(share, functions[0]->calls.time_ns, sums->all_ns));
        for (size_t i = 0; i < n_sites; i++)
            if (sites[i]->region == functions[0]->region) {
                fprintf(stream, ", most at %s", sites[i]->site);
                break;
            }
    }
    free(functions);
    free(sites);
}

static void write_balance(FILE *stream, const struct profile *profile, const struct profile_sums *sums)
{
    char ratio[NUMBER_SIZE];
    double mean_ns = (double)sums->state_ns[TALLY_USEFUL] / profile->n_rows;
    if (profile->n_rows == 1 || mean_ns <= 0)
        return;
    if ((double)sums->most_useful_ns < LEAST_IMBALANCE * mean_ns)
        fputs("All ranks compute for about the same time", stream);
    else
        fprintf(stream, "Rank %d computes longest, %.4s times the mean", profile->ranks[sums->most_useful].rank,
                number_ratio(ratio, (double)sums->most_useful_ns, mean_ns));
    fprintf(stream, "; rank %d spends the most time in MPI.\n", profile->ranks[sums->most_mpi].rank);
}

/* ", of that 21.7 % in files and 11.1 % in calls that move nothing": what of it is worth a word. */
static void write_rest(FILE *stream, const struct profile_sums *sums)
{
    char share[NUMBER_SIZE];
    bool has_io = (double)sums->io_ns >= LEAST_REST * (double)sums->all_ns;
    bool has_library = (double)sums->library_ns >= LEAST_REST * (double)sums->all_ns;
    if (has_io)
        fprintf(stream, ", %s in files", number_share(share, sums->io_ns, sums->all_ns));
    if (has_library)
        fprintf(stream, "%s %s in calls that move nothing", has_io ? " and" : ",",
                number_share(share, sums->library_ns, sums->all_ns));
}

/* The rank from which other programs took most, if that is worth a word. */
static void write_foreign(FILE *stream, const struct profile *profile)
{
    char share[NUMBER_SIZE];
    const struct profile_rank *most = &profile->ranks[0];
    for (int i = 1; i < profile->n_rows; i++)
        if (profile->ranks[i].state_ns[TALLY_FOREIGN] > most->state_ns[TALLY_FOREIGN])
            most = &profile->ranks[i];
    if (most->state_ns[TALLY_FOREIGN] * 50 >= most->time_ns && most->time_ns > 0)
        fprintf(stream, "Other programs used rank %d's processor for %s of its time.\n", most->rank,
                number_share(share, most->state_ns[TALLY_FOREIGN], most->time_ns));
}

static void write_answer(FILE *stream, const struct profile *profile, const struct profile_sums *sums)
{
    char share[NUMBER_SIZE], time[NUMBER_SIZE], program[MOST_TEXT];
    utf8_copy(program, sizeof program, profile->program);
    fprintf(stream, "%s, %d rank%s in %s: MPI takes %s of the time", program, profile->n_ranks,
            profile->n_ranks == 1 ? "" : "s", number_time(time, sums->time_ns),
            number_share(share, sums->state_ns[TALLY_MPI], sums->all_ns));
    write_rest(stream, sums);
    write_largest(stream, profile, sums);
    fputs(".\n", stream);
    write_balance(stream, profile, sums);
    if (profile->library[0] != '\0')
        fprintf(stream, "The library is %.*s.\n", (int)strcspn(profile->library, ","), profile->library);
    write_foreign(stream, profile);
    if (!profile->is_complete)
        fprintf(stream, "The run was aborted: this is rank %d alone, up to its call of MPI_Abort.\n",
                profile->ranks[0].rank);
    if (sums->off_ns > 0)
        fprintf(stream, "Recording was off for %s of the ranks' time, which is in none of these figures.\n",
                number_share(share, sums->off_ns, sums->all_ns + sums->off_ns));
    if (profile->n_others > 0)
        fprintf(stream,
                "Other threads made %" PRId64
                " calls, %s of the time: tables of calls and messages have them, those of "
                "ranks do not.\n",
                profile->n_others, number_share(share, profile->others_ns, sums->all_ns));
    if (profile->n_unrecorded > 0)
        fprintf(stream, "%" PRIu64 " calls by other threads are not included.\n", profile->n_unrecorded);
    fputc('\n', stream);
}

/* --- ranks --- */

static const char *const state_heads[N_TALLY_STATES] = {"useful",       "control", "idle",          "MPI",
                                                        "no processor", "asleep",  "off processor", "other programs"};

/* In terms of states that occur; useful and MPI always do. */
static int list_states(const struct profile_sums *sums, int states[N_TALLY_STATES])
{
    int n = 0;
    for (int s = 0; s < N_TALLY_STATES; s++)
        if (s == TALLY_USEFUL || s == TALLY_MPI || sums->state_ns[s] > 0)
            states[n++] = s;
    return n;
}

static int by_mpi(const void *a, const void *b)
{
    const struct profile_rank *left = *(const struct profile_rank *const *)a;
    const struct profile_rank *right = *(const struct profile_rank *const *)b;
    if (left->state_ns[TALLY_MPI] != right->state_ns[TALLY_MPI])
        return left->state_ns[TALLY_MPI] > right->state_ns[TALLY_MPI] ? -1 : 1;
    return left->rank - right->rank;
}

static void add_rank(struct sheet *sheet, const char *name, const struct profile_rank *rank, const int *states, int n)
{
    char text[NUMBER_SIZE];
    int column = 0;
    sheet->n_rows++;
    set(sheet, column++, name);
    set(sheet, column++, number_time(text, rank->time_ns));
    for (int i = 0; i < n; i++)
        set(sheet, column++, number_time(text, rank->state_ns[states[i]]));
    set(sheet, column++, number_share(text, rank->state_ns[TALLY_MPI], rank->time_ns));
    set(sheet, column++, number_time(text, rank->processor_ns));
    set(sheet, column++, number_share(text, rank->processor_ns, rank->time_ns));
    set(sheet, column, rank->host);
}

static struct profile_rank mean_of(const struct profile *profile, const struct profile_sums *sums)
{
    struct profile_rank mean = {.time_ns = sums->all_ns / profile->n_rows,
                                .processor_ns = sums->processor_ns / profile->n_rows};
    for (int s = 0; s < N_TALLY_STATES; s++)
        mean.state_ns[s] = sums->state_ns[s] / profile->n_rows;
    return mean;
}

/* Write the ranks; of many, those that are longest and shortest in MPI. */
static void write_ranks(FILE *stream, const struct profile *profile, const struct profile_sums *sums)
{
    const char *heads[MOST_COLUMNS] = {"rank", "time"};
    int states[N_TALLY_STATES], n_states = list_states(sums, states), n = 2;
    for (int i = 0; i < n_states; i++)
        heads[n++] = state_heads[states[i]];
    heads[n++] = "MPI of it";
    heads[n++] = "processor";
    heads[n++] = "of it";
    heads[n++] = "host";
    struct sheet sheet = new_sheet(1, heads, n);
    const struct profile_rank **sorted = malloc(((size_t)profile->n_rows + 1) * sizeof(*sorted));
    for (int i = 0; sorted != NULL && i < profile->n_rows; i++)
        sorted[i] = &profile->ranks[i];
    int shown = profile->n_rows < MOST_RANKS ? profile->n_rows : MOST_RANKS;
    if (sorted != NULL && shown < profile->n_rows)
        qsort(sorted, (size_t)profile->n_rows, sizeof(*sorted), by_mpi);
    for (int i = 0; sorted != NULL && i < shown; i++) {
        const struct profile_rank *rank = sorted[i < shown / 2 ? i : profile->n_rows - (shown - i)];
        char name[NUMBER_SIZE];
        snprintf(name, sizeof name, "%d", rank->rank);
        add_rank(&sheet, name, rank, states, n_states);
    }
    struct profile_rank mean = mean_of(profile, sums);
    if (profile->n_rows > 1)
        add_rank(&sheet, "mean", &mean, states, n_states);
    fputs("Ranks", stream);
    if (shown < profile->n_rows)
        fprintf(stream, ", the longest in MPI and the shortest (%d of %d)", shown, profile->n_rows);
    fputs(":\n", stream);
    write_sheet(stream, &sheet);
    free(sorted);
}

static void write_efficiencies(FILE *stream, const struct profile *profile, const struct profile_sums *sums)
{
    char parallel[NUMBER_SIZE], balance[NUMBER_SIZE], communication[NUMBER_SIZE];
    int64_t n = profile->n_rows;
    fprintf(stream, "Parallel efficiency %s = load balance %s x communication efficiency %s.\n",
            number_share(parallel, sums->state_ns[TALLY_USEFUL], n * sums->time_ns),
            number_share(balance, sums->state_ns[TALLY_USEFUL], n * sums->most_useful_ns),
            number_share(communication, sums->most_useful_ns, sums->time_ns));
    if (sums->n_crowded > 0)
        fprintf(stream, "%d ranks share fewer cores than there are ranks, so they also wait for processors.\n",
                sums->n_crowded);
    if (sums->state_ns[TALLY_OFF] > 0)
        fputs("The system does not say whether a rank sleeps or lacks a processor (no schedstat).\n", stream);
    fputc('\n', stream);
}

/* --- calls --- */

static void add_call(struct sheet *sheet, int column, const struct profile_row *row, const struct profile_sums *sums)
{
    const struct tally_calls *calls = &row->calls;
    char text[NUMBER_SIZE];
    snprintf(text, sizeof text, "%" PRId64, calls->n_calls);
    set(sheet, column++, text);
    set(sheet, column++, number_time(text, calls->time_ns));
    set(sheet, column++, number_share(text, calls->time_ns, sums->all_ns));
    set(sheet, column++, number_share(text, calls->time_ns, sums->mpi_ns));
    set(sheet, column++, number_time(text, calls->shortest_ns));
    set(sheet, column++, number_time(text, calls->time_ns / calls->n_calls));
    set(sheet, column++, number_time(text, calls->longest_ns));
    set(sheet, column++, number_bytes(text, calls->sent));
    set(sheet, column, number_bytes(text, calls->received));
}

/* Functions, or with is_site functions at sites. */
static void write_calls(FILE *stream, const char *title, const struct profile_row *rows, size_t n_rows, bool is_site,
                        const struct profile_sums *sums)
{
    static const char *const heads[] = {"site",     "function", "calls",   "time", "of all",  "of MPI",
                                        "shortest", "mean",     "longest", "sent", "received"};
    size_t n;
    const struct profile_row **sorted = profile_sort(rows, n_rows, &n);
    int shown = n < MOST_ROWS ? (int)n : MOST_ROWS, first = is_site ? 2 : 1;
    struct sheet sheet = new_sheet(first, heads + 2 - first, 9 + first);
    for (int i = 0; i < shown; i++) {
        sheet.n_rows++;
        if (is_site)
            set(&sheet, 0, sorted[i]->site);
        set(&sheet, first - 1, regions[sorted[i]->region].name);
        add_call(&sheet, first, sorted[i], sums);
    }
    free(sorted);
    if (shown == 0)
        return;
    fputs(title, stream);
    if ((size_t)shown < n)
        fprintf(stream, " (%d of %zu; all are in JSON)", shown, n);
    fputs(":\n", stream);
    write_sheet(stream, &sheet);
}

/* --- sizes --- */

/* Classes that are merged to one row: so many that all fit. */
static int merge_classes(const struct profile *profile)
{
    int step = 0, n_rows;
    do {
        step++;
        n_rows = 0;
        for (int from = 0; from < N_SIZE_CLASSES; from += from == 0 ? 1 : step) {
            int64_t n = 0;
            for (int c = from; c < N_SIZE_CLASSES && c < from + (from == 0 ? 1 : step); c++)
                n += profile->messages[c].n + profile->collectives[c].n;
            n_rows += n > 0;
        }
    } while (n_rows > MOST_SIZES);
    return step;
}

static void add_class(struct sheet *sheet, int column, const struct tally_class *class)
{
    char text[NUMBER_SIZE] = "-";
    if (class->n > 0)
        snprintf(text, sizeof text, "%" PRId64, class->n);
    set(sheet, column, text);
    set(sheet, column + 1, number_bytes(text, class->bytes));
}

static void add_sizes(struct sheet *sheet, const struct profile *profile, int from, int to)
{
    struct tally_class messages = {0}, collectives = {0};
    char text[NUMBER_SIZE];
    for (int c = from; c < to && c < N_SIZE_CLASSES; c++) {
        messages.n += profile->messages[c].n;
        messages.bytes += profile->messages[c].bytes;
        collectives.n += profile->collectives[c].n;
        collectives.bytes += profile->collectives[c].bytes;
    }
    if (messages.n + collectives.n == 0)
        return;
    sheet->n_rows++;
    set(sheet, 0, from == 0 ? "0 B" : number_bytes(text, INT64_C(1) << (from - 1)));
    set(sheet, 1, from == 0 ? "" : number_bytes(text, to > 62 ? INT64_MAX : INT64_C(1) << (to - 1)));
    add_class(sheet, 2, &messages);
    add_class(sheet, 4, &collectives);
}

static void write_sizes(FILE *stream, const struct profile *profile)
{
    static const char *const heads[] = {"from", "below", "messages", "bytes", "collectives", "bytes"};
    struct sheet sheet = new_sheet(0, heads, 6);
    int step = merge_classes(profile);
    add_sizes(&sheet, profile, 0, 1);
    for (int from = 1; from < N_SIZE_CLASSES; from += step)
        add_sizes(&sheet, profile, from, from + step);
    if (sheet.n_rows == 1)
        return;
    fputs("Messages sent, and calls of collectives by the larger of what a rank sends and receives:\n", stream);
    write_sheet(stream, &sheet);
}

void profile_write_text(FILE *stream, const struct profile *profile)
{
    struct profile_sums sums = profile_sum(profile);
    write_answer(stream, profile, &sums);
    write_calls(stream, "MPI functions, with the times of all ranks; time per call, shortest and longest call",
                profile->functions, N_REGIONS, false, &sums);
    write_calls(stream, "Call sites", profile->sites, profile->n_sites, true, &sums);
    write_ranks(stream, profile, &sums);
    write_efficiencies(stream, profile, &sums);
    write_sizes(stream, profile);
    fputs("From MPI_Init to MPI_Finalize; a " PROFILE_MARK ".\n", stream);
}
