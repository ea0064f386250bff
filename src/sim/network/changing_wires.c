/* Wires that follow their profiles.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/network/changing_wires.h"

#include "base/memory.h"
#include "base/units.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Past the end of the clock nothing changes. */
static int64_t moment_of(const struct wire_change *change)
{
    const struct profile *profile = change->profile;
    if (change->point == profile->n_points)
        return INT64_MAX;
    double at_ps = (change->round_s + profile->points[change->point].time_s) * 1e12;
    return at_ps < (double)PS_MAX ? llround(at_ps) : INT64_MAX;
}

static void go_on(struct wire_change *change)
{
    const struct profile *profile = change->profile;
    if (++change->point == profile->n_points && profile->period_s > 0) {
        change->point = 0;
        change->round_s += profile->period_s;
    }
    assert(moment_of(change) >= change->at_ps);
    change->at_ps = moment_of(change);
}

static void apply(struct wire *wire, enum profile_kind kind, double value)
{
    if (kind == PROFILE_BANDWIDTH)
        wire->byte_ps = 1e12 / value;
    else
        wire->latency_ps = llround(value * 1e12);
}

static void find_next(struct changing_wires *self)
{
    self->next_ps = INT64_MAX;
    for (size_t i = 0; i < self->n_changes; i++)
        if (self->changes[i].at_ps < self->next_ps)
            self->next_ps = self->changes[i].at_ps;
}

static void ignore(void *listener, int32_t link)
{
    (void)listener;
    (void)link;
}

void changing_wires_init(struct changing_wires *self, const struct machine *machine)
{
    static const enum profile_kind kinds[] = {PROFILE_BANDWIDTH, PROFILE_LATENCY};
    *self =
        (struct changing_wires){.wires = machine->net->wires, .one_wire = machine->net->one_wire, .next_ps = INT64_MAX};
    if (!machine_has_profiles(machine))
        return;
    int n_links = machine_link_count(machine);
    self->own = xmalloc((size_t)n_links * sizeof *self->own);
    self->changes = xmalloc((size_t)n_links * 2 * sizeof *self->changes);
    for (int32_t link = 0; link < n_links; link++) {
        self->own[link] = *machine_wire(machine, link);
        for (int k = 0; k < 2; k++) {
            struct wire_change change = {link, machine_link_profile(machine, link, kinds[k]), 0, 0, 0};
            if (change.profile == NULL || change.profile->n_points == 0)
                continue;
            change.at_ps = moment_of(&change);
            self->changes[self->n_changes++] = change;
        }
    }
    self->wires = self->own;
    self->one_wire = false;
    find_next(self);
    changing_wires_move(self, 0, ignore, NULL);
}

void changing_wires_dispose(struct changing_wires *self)
{
    free(self->own);
    free(self->changes);
}

void changing_wires_move(struct changing_wires *self, int64_t now, void (*notify)(void *listener, int32_t link),
                         void *listener)
{
    if (now < self->next_ps)
        return;
    for (size_t i = 0; i < self->n_changes; i++) {
        struct wire_change *change = &self->changes[i];
        if (change->at_ps > now)
            continue;
        while (change->at_ps <= now) {
            apply(&self->own[change->link], change->profile->kind, change->profile->points[change->point].value);
            go_on(change);
        }
        notify(listener, change->link);
    }
    find_next(self);
    assert(self->next_ps > now);
}
