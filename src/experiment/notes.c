/* Notes on a simulated run: memory that is exceeded, hosts that differ, dimensions outside the fitted range. */
#include "experiment/notes.h"

#include <stdbool.h>
#include <stdio.h>

void notes_on_memory(struct study_run *run, const struct memory_use *use, int64_t sequential_bytes,
                     const struct machine *machine)
{
    memory_exceeds(run->notes[NOTE_MEMORY], NOTE_SIZE, use, machine);
    if (machine->costs.memory_bytes > 0 && sequential_bytes > machine->costs.memory_bytes)
        snprintf(run->notes[NOTE_SEQUENTIAL_MEMORY], NOTE_SIZE,
                 "T_seq is of a host with more memory: the data of one rank alone take %.1f MB, a host has %.1f MB",
                 (double)sequential_bytes / 1e6, (double)machine->costs.memory_bytes / 1e6);
}

void notes_on_hosts(struct study_run *run, const struct placement *placement, const struct machine *machine)
{
    double speed = machine_host_speed(machine, placement_host(placement, 0));
    bool differ = false, change = false;
    for (int rank = 0; rank < placement->n_ranks; rank += placement->ranks_per_host) {
        int host = placement_host(placement, rank);
        double other = machine_host_speed(machine, host);
        differ |= other < speed || other > speed;
        change |= machine_host_profile(machine, host) != NULL;
    }
    if (differ || change)
        snprintf(run->notes[NOTE_HOSTS], NOTE_SIZE,
                 "the hosts %s, which simulations do not use: a kernel costs the same on all of them at any time",
                 differ && change ? "differ in speed and have profiles of it"
                 : differ         ? "differ in speed"
                                  : "have profiles of their speed");
}

static void note_check(struct study_run *run, const struct kernel_stats *stats)
{
    if (stats->checked_reads > 0)
        snprintf(run->notes[NOTE_CHECK], NOTE_SIZE, "%lld reads of a word checked, each saw the last write before it",
                 (long long)stats->checked_reads);
}

void notes_on_range(struct study_run *run, const struct kernel_stats *stats)
{
    const struct kernel_outside *outside = &stats->outside;
    char to[32] = "";
    note_check(run, stats);
    if (outside->n_calls == 0)
        return;
    if (outside->to < INT64_MAX)
        snprintf(to, sizeof to, " to %lld", (long long)outside->to);
    snprintf(
        run->notes[NOTE_RANGE], NOTE_SIZE,
        "%s is called %lld time%s outside the dimensions from %lld%s that its cost was fitted for, first m=%d n=%d "
        "k=%d",
        outside->kernel, (long long)outside->n_calls, outside->n_calls == 1 ? "" : "s", (long long)outside->from, to,
        (int)outside->m, (int)outside->n, (int)outside->k);
}
