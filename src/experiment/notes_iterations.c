/* Notes on the iterations of a trace: how long they take, which stand out, and why.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/notes.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* "rank 3 computes longer in solve", "ranks wait longer". */
static void describe_cause(char *text, size_t size, const struct iteration_findings_row *row)
{
    static const char *const longer[N_LOCATION_STATES] = {
        [STATE_USEFUL] = "ranks compute longer",    [STATE_CONTROL] = "ranks do more control work",
        [STATE_IO] = "files take longer",           [STATE_SEND] = "sending takes longer",
        [STATE_RECEIVE] = "receiving takes longer", [STATE_LIBRARY] = "the message library takes longer",
        [STATE_IDLE] = "ranks wait longer",
    };
    if (row->rank >= 0)
        snprintf(text, size, "rank %d computes longer in %.36s", (int)row->rank, row->scope);
    else
        snprintf(text, size, "%s", longer[row->cause]);
}

static void describe_finding(char *text, size_t size, const struct iteration_findings_row *row, size_t n_rows)
{
    char cause[96], more[32] = "";
    describe_cause(cause, sizeof cause, row);
    if (n_rows > 1)
        snprintf(more, sizeof more, "; %zu more", n_rows - 1);
    if (row->of_rank)
        snprintf(text, size, "in iteration %lld, rank %d computes %.3g times as long as usual, in %.36s%s",
                 (long long)row->iteration, (int)row->rank, row->factor, row->scope, more);
    else if (row->iteration > 0)
        snprintf(text, size, "iteration %lld takes %.3g times the usual: %s%s", (long long)row->iteration, row->factor,
                 cause, more);
    else
        snprintf(text, size, "they %s by %.2g %% each: %s%s", row->factor > 1 ? "grow" : "shrink",
                 100 * fabs(row->factor - 1), cause, more);
}

/* If more than a tenth of the iterations stand out, they are not outliers: say so, and return true. */
static bool describe_kinds(char *text, size_t size, const struct iteration_findings_row *rows, size_t n_findings,
                           size_t n_iterations)
{
    size_t n = 0;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < n_findings; i++) {
        if (rows[i].iteration == 0 || rows[i].of_rank)
            continue;
        n++;
        least = fmin(least, rows[i].factor);
        most = fmax(most, rows[i].factor);
    }
    if (n <= 1 || 10 * n <= n_iterations)
        return false;
    snprintf(text, size, "%zu take %.3g to %.3g times the usual: no outliers, but iterations of another kind", n, least,
             most);
    return true;
}

void notes_on_iterations(struct study_run *run, const char *name)
{
    size_t n_rows, n_findings;
    char text[240] = "none stands out, and there is no trend";
    const struct iterations_row *rows = result_iterations(&run->result, &n_rows);
    const struct iteration_findings_row *findings = result_iteration_findings(&run->result, &n_findings);
    if (name == NULL || n_rows == 0) {
        run_note(run, NOTE_ITERATIONS, "no iterations were found: no scope or call repeats on all ranks");
        return;
    }
    if (n_findings > 0 && !describe_kinds(text, sizeof text, findings, n_findings, n_rows))
        describe_finding(text, sizeof text, findings, n_findings);
    double usual_s = rows[0].time_s / rows[0].of_median;
    bool is_short = usual_s < 1e-4;
    bool is_cut = run_note_text(run, NOTE_KEPT)[0] != '\0' || run_note_text(run, NOTE_OFF)[0] != '\0';
    run_note(run, NOTE_ITERATIONS, "%zu iterations by %.36s%s, usually %.4g %s; %s", n_rows, name,
             is_cut ? " (numbered as recorded, from 1)" : "", usual_s * (is_short ? 1e6 : 1e3), is_short ? "us" : "ms",
             text);
}
