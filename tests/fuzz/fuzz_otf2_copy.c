/* Fuzzing of copies of OTF2 archives: what is read, written and read again is the same, record for record.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "in_process.h"
#include "trace/analysis/analysis.h"
#include "trace/formats.h"
#include "trace/record/record.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

static void check_group(const struct record_reader *a, int group_a, const struct record_reader *b, int group_b)
{
    const struct record_group *x = &a->info.groups[group_a], *y = &b->info.groups[group_b];
    fuzz_check(x->n_members == y->n_members);
    fuzz_check(memcmp(x->members, y->members, (size_t)x->n_members * sizeof *x->members) == 0);
}

/* All but the places in the files and the numbers of requests. */
static void check_record(const struct record *a, const struct record *b)
{
    fuzz_check(a->kind == b->kind && a->start_ps == b->start_ps && a->end_ps == b->end_ps);
    fuzz_check(a->bytes == b->bytes && a->idle_ps == b->idle_ps && a->peer == b->peer && a->tag == b->tag);
    fuzz_check(a->operations == b->operations && a->quantums == b->quantums);
    fuzz_check(a->collective == b->collective && a->call == b->call);
    fuzz_check(a->synchronous == b->synchronous && a->control == b->control && a->sleep == b->sleep);
}

static void check_rank(struct record_reader *a, struct record_reader *b, int rank)
{
    struct record x, y;
    struct sim_error error;
    int status;
    while ((status = record_next(a, rank, &x, &error)) == 1) {
        fuzz_check(record_next(b, rank, &y, &error) == 1);
        check_record(&x, &y);
        if (x.kind == RECORD_COLLECTIVE)
            check_group(a, x.group, b, y.group);
        if (x.kind == RECORD_ENTER)
            fuzz_check(strcmp(a->info.scopes[x.scope], b->info.scopes[y.scope]) == 0);
    }
    fuzz_check(status == 0 && record_next(b, rank, &y, &error) == 0);
}

static void check_copy(struct record_reader *reader, const char *copy)
{
    struct record_reader again;
    struct sim_error error;
    fuzz_check(record_rewind(reader, &error) == 0);
    fuzz_check(record_open(&again, copy, &error) == 0);
    fuzz_check(again.info.n_ranks == reader->info.n_ranks);
    fuzz_check(again.info.end_ps <= reader->info.end_ps); /* a last event that leaves no record is not copied */
    for (int rank = 0; rank < reader->info.n_ranks; rank++)
        check_rank(reader, &again, rank);
    record_close(&again);
}

/* True if there is anything to copy: only traces that can be analyzed are copied. */
static bool is_sound(struct record_reader *reader, const char *file)
{
    struct analysis_scopes scopes;
    struct analysis_stats stats;
    struct sim_error error;
    analysis_scopes_init(&scopes, &reader->info);
    int status = analysis_run(&stats, reader, file, &scopes, NULL, 0, &error);
    analysis_scopes_dispose(&scopes);
    return fuzz_has_read(status, &error) && stats.records > 0;
}

static void copy_trace(struct record_reader *reader, const char *copy)
{
    struct trace trace;
    struct sim_error error;
    fuzz_check(trace_open(&trace, copy, &error) == 0);
    if (!fuzz_has_read(trace_copy(&trace, reader, &error), &error))
        trace_abandon(&trace);
    else if (fuzz_has_read(trace_close(&trace, &error), &error))
        check_copy(reader, copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record_reader reader;
    struct sim_error error;
    fuzz_check_quiet();
    const char *file = in_process_write(data, size);
    if (fuzz_has_read(record_open(&reader, file, &error), &error)) {
        char *copy = fuzz_path("copy.otf2");
        if (is_sound(&reader, file))
            copy_trace(&reader, copy);
        free(copy);
        record_close(&reader);
    }
    fuzz_check_quiet();
    return 0;
}
