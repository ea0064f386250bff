/* The profile for programs: one JSON object, numbers in SI units, names as simrun's reports have them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/profile/destination.h"
#include "eppa/profile/numbers.h"
#include "eppa/profile/profile.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const state_names[N_TALLY_STATES] = {"useful",       "control", "idle",          "mpi",
                                                        "no_processor", "asleep",  "off_processor", "other_programs"};

static void write_text(FILE *stream, const char *text)
{
    char clean[1024];
    utf8_copy(clean, sizeof clean, text);
    fputc('"', stream);
    for (const char *c = clean; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', stream);
        fputc(*c, stream);
    }
    fputc('"', stream);
}

static void write_seconds(FILE *stream, const char *name, int64_t time_ns)
{
    char text[NUMBER_SIZE];
    fprintf(stream, "\"%s\": %s", name, number_seconds(text, time_ns));
}

static void write_ratio(FILE *stream, const char *name, double part, double whole)
{
    char text[NUMBER_SIZE];
    fprintf(stream, "\"%s\": %s", name, number_ratio(text, part, whole));
}

static void write_states(FILE *stream, const int64_t state_ns[N_TALLY_STATES])
{
    fputs("\"state_s\": {", stream);
    for (int s = 0; s < N_TALLY_STATES; s++) {
        fputs(s > 0 ? ", " : "", stream);
        write_seconds(stream, state_names[s], state_ns[s]);
    }
    fputc('}', stream);
}

static void write_head(FILE *stream, const struct profile *profile, const struct profile_sums *sums)
{
    double mean_ns = (double)sums->state_ns[TALLY_USEFUL] / profile->n_rows;
    fputs("{\n  \"creator\": \"" PROFILE_MARK "\",\n  \"program\": ", stream);
    write_text(stream, profile->program);
    fputs(",\n  \"mpi_library\": ", stream);
    write_text(stream, profile->library);
    fprintf(stream, ",\n  \"complete\": %s,\n  \"ranks\": %d,\n  \"unrecorded_calls\": %" PRIu64 ",\n  ",
            profile->is_complete ? "true" : "false", profile->n_ranks, profile->n_unrecorded);
    write_seconds(stream, "time_s", sums->time_ns);
    fputs(",\n  ", stream);
    write_seconds(stream, "not_recorded_s", sums->off_ns);
    fputs(",\n  ", stream);
    write_ratio(stream, "not_recorded_share", (double)sums->off_ns, (double)(sums->all_ns + sums->off_ns));
    fputs(",\n  ", stream);
    write_ratio(stream, "mpi_share", (double)sums->state_ns[TALLY_MPI], (double)sums->all_ns);
    fputs(",\n  ", stream);
    write_states(stream, sums->state_ns);
    fprintf(stream, ",\n  \"other_threads\": {\"calls\": %" PRId64 ", ", profile->n_others);
    write_seconds(stream, "time_s", profile->others_ns);
    fputs("},\n  \"mpi_s\": {", stream);
    write_seconds(stream, "communication", sums->mpi_ns - sums->io_ns - sums->library_ns);
    fputs(", ", stream);
    write_seconds(stream, "io", sums->io_ns);
    fputs(", ", stream);
    write_seconds(stream, "library", sums->library_ns);
    fputs("},\n  ", stream);
    write_seconds(stream, "processor_s", sums->processor_ns);
    fputs(",\n  \"pop\": {", stream);
    write_ratio(stream, "parallel_efficiency", mean_ns, (double)sums->time_ns);
    fputs(", ", stream);
    write_ratio(stream, "load_balance", mean_ns, (double)sums->most_useful_ns);
    fputs(", ", stream);
    write_ratio(stream, "communication_efficiency", (double)sums->most_useful_ns, (double)sums->time_ns);
    fputc('}', stream);
}

/* least_s, most_s: of the ranks that call it. */
static void write_row(FILE *stream, const struct profile_row *row, const struct profile_sums *sums)
{
    const struct tally_calls *calls = &row->calls;
    const struct {
        const char *name;
        int64_t time_ns;
    } times[] = {{"time_s", calls->time_ns},
                 {"shortest_s", calls->shortest_ns},
                 {"mean_s", calls->time_ns / calls->n_calls},
                 {"longest_s", calls->longest_ns},
                 {"least_s", row->least_ns},
                 {"most_s", row->most_ns}};
    fprintf(stream, "\"function\": \"%s\", \"calls\": %" PRId64 ", ", regions[row->region].name, calls->n_calls);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        write_seconds(stream, times[i].name, times[i].time_ns);
        fputs(", ", stream);
    }
    write_ratio(stream, "share", (double)calls->time_ns, (double)sums->all_ns);
    fputs(", ", stream);
    write_ratio(stream, "mpi_share", (double)calls->time_ns, (double)sums->mpi_ns);
    fprintf(stream, ", \"sent_bytes\": %" PRId64 ", \"received_bytes\": %" PRId64 ", \"ranks\": %d, \"most_rank\": %d",
            calls->sent, calls->received, row->n_ranks, row->most_rank);
}

static void write_rows(FILE *stream, const char *name, const struct profile_row *rows, size_t n,
                       const struct profile_sums *sums)
{
    size_t n_used;
    const struct profile_row **sorted = profile_sort(rows, n, &n_used);
    fprintf(stream, ",\n  \"%s\": [", name);
    for (size_t i = 0; i < n_used; i++) {
        fputs(i > 0 ? ",\n    {" : "\n    {", stream);
        if (sorted[i]->site != NULL) {
            fputs("\"site\": ", stream);
            write_text(stream, sorted[i]->site);
            fputs(", ", stream);
        }
        write_row(stream, sorted[i], sums);
        fputc('}', stream);
    }
    fputs(n_used > 0 ? "\n  ]" : "]", stream);
    free(sorted);
}

static void write_classes(FILE *stream, const char *name, const char *count,
                          const struct tally_class classes[N_SIZE_CLASSES])
{
    const char *comma = "\n    ";
    fprintf(stream, ",\n  \"%s\": [", name);
    for (int c = 0; c < N_SIZE_CLASSES; c++) {
        int64_t from = c == 0 ? 0 : INT64_C(1) << (c - 1), to = c == 0 ? 0 : from + (from - 1);
        if (classes[c].n == 0)
            continue;
        fprintf(stream,
                "%s{\"from_bytes\": %" PRId64 ", \"to_bytes\": %" PRId64 ", \"%s\": %" PRId64 ", \"bytes\": %" PRId64
                "}",
                comma, from, to, count, classes[c].n, classes[c].bytes);
        comma = ",\n    ";
    }
    fputs("]", stream);
}

static void write_processor(FILE *stream, const struct profile_rank *rank)
{
    const struct define_cores *cores = &rank->cores;
    write_seconds(stream, "processor_s", rank->processor_ns);
    fputs(", ", stream);
    write_ratio(stream, "processor_share", (double)rank->processor_ns, (double)(rank->time_ns + rank->off_ns));
    if (rank->delay_ns >= 0) {
        fputs(", ", stream);
        write_seconds(stream, "run_delay_s", rank->delay_ns);
    }
    if (cores->n_own > 0)
        fprintf(stream,
                ", \"cores\": %d, \"cores_of_host\": %d, \"ranks_of_host\": %d, \"shared_cores\": %d, "
                "\"sharing_ranks\": %d",
                cores->n_own, cores->n_host, cores->n_ranks, cores->n_shared, cores->n_sharing);
}

static void write_ranks(FILE *stream, const struct profile *profile)
{
    fputs(",\n  \"rank_times\": [", stream);
    for (int i = 0; i < profile->n_rows; i++) {
        const struct profile_rank *rank = &profile->ranks[i];
        fprintf(stream, "%s{\"rank\": %d, \"host\": ", i > 0 ? ",\n    " : "\n    ", rank->rank);
        write_text(stream, rank->host);
        fputs(", ", stream);
        write_seconds(stream, "time_s", rank->time_ns);
        fputs(", ", stream);
        write_seconds(stream, "not_recorded_s", rank->off_ns);
        fputs(", ", stream);
        write_ratio(stream, "mpi_share", (double)rank->state_ns[TALLY_MPI], (double)rank->time_ns);
        fputs(", ", stream);
        write_states(stream, rank->state_ns);
        fputs(", ", stream);
        write_processor(stream, rank);
        fputc('}', stream);
    }
    fputs("\n  ]", stream);
}

void profile_write_json(FILE *stream, const struct profile *profile)
{
    struct profile_sums sums = profile_sum(profile);
    write_head(stream, profile, &sums);
    write_rows(stream, "functions", profile->functions, N_REGIONS, &sums);
    if (profile->has_sites)
        write_rows(stream, "sites", profile->sites, profile->n_sites, &sums);
    write_classes(stream, "message_sizes", "messages", profile->messages);
    write_classes(stream, "collective_volumes", "calls", profile->collectives);
    write_ranks(stream, profile);
    fputs("\n}\n", stream);
}
