/* Finds the ranks that take longer, and who waits for them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/compare/reason_ranks.h"

#include "base/memory.h"

#include <math.h>

double reason_change(const struct reason *self, const struct compare_part *part)
{
    return self->sign * part_change(self->parts, part, self->version);
}

void reason_add_change(struct builder *line, double change_s)
{
    builder_add_time(line, fabs(change_s));
    builder_add(line, change_s > 0 ? " longer" : " less");
}

const struct compare_part *reason_find(const struct reason *self, enum compare_axis by, const char *function,
                                       const struct compare_part *but)
{
    const struct compare_part *largest = NULL;
    double most = 0;
    for (size_t i = 0; i < self->parts->count; i++) {
        const struct compare_part *part = &self->parts->list[i];
        if (part->by != by || part == but || (function != NULL && part->function != function))
            continue;
        double change = reason_change(self, part); /* NAN is not more */
        if (change > most) {
            largest = part;
            most = change;
        }
    }
    return largest;
}

/* --- ranks --- */

bool ranks_stand_out(const struct ranks *ranks)
{
    return ranks->n_late > 0 && 2 * ranks->n_late <= ranks->n_ranks;
}

struct ranks ranks_find(const struct reason *self, enum compare_axis by, const char *place)
{
    struct ranks ranks = {0};
    for (int v = 0; v < self->parts->n_versions; v++)
        ranks.n_ranks = self->parts->versions[v].middle->ranks > ranks.n_ranks ? self->parts->versions[v].middle->ranks
                                                                               : ranks.n_ranks;
    ranks.change_s = xcalloc((size_t)ranks.n_ranks + 1, sizeof *ranks.change_s);
    for (size_t i = 0; i < self->parts->count; i++) {
        const struct compare_part *part = &self->parts->list[i];
        if (part->by != by || (by != BY_RANK && part->place != place))
            continue;
        double change_s = part_change(self->parts, part, self->version);
        ranks.change_s[part->rank] = change_s;
        ranks.most_s = fmax(ranks.most_s, self->sign * change_s);
        ranks.sum_s += isnan(change_s) ? 0 : change_s;
    }
    for (int rank = 0; rank < ranks.n_ranks; rank++)
        if (self->sign * ranks.change_s[rank] >= ranks.most_s / 2 && ranks.most_s > 0) {
            ranks.n_late++;
            ranks.late_s += ranks.change_s[rank];
        }
    ranks.late_s /= ranks.n_late > 0 ? ranks.n_late : 1;
    return ranks;
}

void ranks_add_names(struct builder *line, const struct reason *self, const struct ranks *ranks, const char *does,
                     const char *do_)
{
    enum { MOST_NAMED = 4 };
    bool few = ranks->n_late <= MOST_NAMED && ranks_stand_out(ranks);
    const char *before = ranks->n_late == 1 ? "rank " : "ranks ";
    for (int rank = 0; few && rank < ranks->n_ranks; rank++)
        if (self->sign * ranks->change_s[rank] >= ranks->most_s / 2) {
            builder_add(line, "%s%d", before, rank);
            before = ", ";
        }
    builder_add(line, "%s %s ", few ? "" : "ranks", few && ranks->n_late == 1 ? does : do_);
}

/* ", for which the others wait 1.5 s longer in MPI_Allreduce": where waiting has changed most. Profiles know how long
 * ranks are in a function, not what for; nor do traces, where a rank that computes does not take a message in. */
void ranks_add_waiting(struct builder *line, const struct reason *self, const struct ranks *ranks)
{
    const struct compare_part *wait = reason_find(self, BY_WAIT, NULL, NULL),
                              *function = reason_find(self, BY_FUNCTION, NULL, NULL);
    bool knows_waits =
        wait != NULL && (function == NULL || 2 * reason_change(self, wait) >= reason_change(self, function));
    wait = knows_waits ? wait : function;
    int n_others = ranks->n_ranks - ranks->n_late;
    if (wait == NULL || !ranks_stand_out(ranks))
        return;
    double change_s = part_change(self->parts, wait, self->version) * ranks->n_ranks / n_others;
    if (fabs(change_s) < LEAST_SHARE * fabs(self->difference_s))
        return;
    builder_add(line, ", for which the others %s ", knows_waits ? "wait" : "are");
    reason_add_change(line, change_s);
    if (wait->function[0] != '\0' || wait->place[0] != '\0')
        builder_add(line, " in %s", wait->function[0] != '\0' ? wait->function : wait->place);
    else
        builder_add(line, " (%s)", wait->name);
}
