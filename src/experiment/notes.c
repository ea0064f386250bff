/* Notes on a run: where the machine is not quite the platform.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/notes.h"

#include "metrics/detail.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- where the machine is not the platform --- */

void notes_on_memory(struct study_run *run, const struct memory_use *use, int64_t sequential_bytes,
                     const struct machine *machine)
{
    char text[NOTE_SIZE];
    if (memory_exceeds(text, sizeof text, use, machine))
        run_note(run, NOTE_MEMORY, "%s", text);
    if (machine->costs.memory_bytes > 0 && sequential_bytes > machine->costs.memory_bytes)
        run_note(run, NOTE_SEQUENTIAL_MEMORY,
                 NOTE_TEXT_SEQUENTIAL_MEMORY ": the data of one rank alone take %.1f MB, a host has %.1f MB",
                 (double)sequential_bytes / 1e6, (double)machine->costs.memory_bytes / 1e6);
}

/* Replays compute at the speed of their hosts; all else costs what the platform's kernels cost. */
static void note_hosts(struct study_run *run, const struct placement *placement, const struct machine *machine,
                       bool at_their_speed)
{
    double speed = machine_host_speed(machine, placement_host(placement, 0));
    bool differ = false, change = false;
    for (int rank = 0; rank < placement->n_ranks; rank++) {
        int host = placement_host(placement, rank);
        double other = machine_host_speed(machine, host);
        differ |= !at_their_speed && (other < speed || other > speed);
        change |= machine_host_profile(machine, host) != NULL;
    }
    if (differ)
        run_note(run, NOTE_HOSTS,
                 "the hosts %s, which simulations ignore: a kernel costs the same on all of them at any time",
                 change ? "differ in speed and have profiles of their speed" : "differ in speed");
    else if (change)
        run_note(run, NOTE_HOSTS,
                 "the hosts have profiles of their speed, which simulations ignore: it is the same at any time");
}

/* The length of the name of the machine that one with another topology is made of: "t800-mesh" of "t800-mesh as torus
 * 16x8". */
static int length_of_base(const char *name)
{
    const char *topology = strstr(name, " as ");
    return (int)(topology != NULL ? (size_t)(topology - name) : strlen(name));
}

/* The length of a machine's name without the sizes of its topology: "t800-mesh as torus" of "t800-mesh as torus 16x8".
 * */
static int length_without_sizes(const char *name)
{
    const char *topology = strstr(name, " as ");
    return (int)(topology != NULL ? (size_t)(topology - name) + 4 + strcspn(topology + 4, " ") : strlen(name));
}

/* The topology was made as large as the ranks need. */
static void note_grown(struct study_run *run, const struct machine *machine, bool chooses_dimensions)
{
    if (chooses_dimensions && machine->base_hosts > 0 && machine->net->n_hosts > machine->base_hosts)
        run_note(
            run, NOTE_GROWN,
            "the topology has more hosts than %.*s, which has %d: unless dimensions are set, it is as large as the "
            "ranks need",
            length_of_base(machine->name), machine->name, machine->base_hosts);
}

/* A mean error [%] from which on readers are told of it where they read an answer. */
enum { LARGE_ERROR = 10 };

static void note_basis(struct study_run *run, const struct machine *machine)
{
    switch (machine->about.basis) {
    case BASIS_MEASURED:
        if (machine->about.error != NULL && strtod(machine->about.error, NULL) >= LARGE_ERROR)
            run_note(run, NOTE_BASIS, "against the real machine, %.60s has a mean error of %s", machine->name,
                     machine->about.error);
        break;
    case BASIS_UNMEASURED:
        run_note(run, NOTE_BASIS, "%.60s is unmeasured: there are no times of the real machine to compare with",
                 machine->name);
        break;
    case BASIS_HYPOTHETICAL:
        run_note(run, NOTE_BASIS, "%.*s is hypothetical: it was never built, and nobody has measured it",
                 length_without_sizes(machine->name), machine->name);
        break;
    case BASIS_UNKNOWN:
    case N_BASES:
        break;
    }
}

void notes_on_machine(struct study_run *run, const struct simulation *simulation, bool chooses_dimensions)
{
    const struct machine *machine = simulation->machine;
    note_basis(run, machine);
    note_grown(run, machine, chooses_dimensions);
    if (machine->passed_over != NULL)
        run_note(run, NOTE_PLATFORM, "parts of the platform are not simulated: %s", machine->passed_over);
    note_hosts(run, &simulation->placement, machine, simulation->program.traced != NULL);
}

static void note_check(struct study_run *run, const struct kernel_stats *stats)
{
    if (stats->checked_reads > 0)
        run_note(run, NOTE_CHECK, "checked %lld reads of a word: each saw the last write before it",
                 (long long)stats->checked_reads);
}

void notes_on_links(struct study_run *run, const struct simulation *simulation)
{
    if (simulation->network->is_loggp && (simulation->details & DETAIL_BIT(DETAIL_LINKS)) != 0)
        run_note(run, NOTE_WIRES,
                 "on network loggp, no message waits for a link, only on its hosts' own wires, or its ranks' in "
                 "schedules: links show what passes them, as if each message were alone");
}

void notes_on_local(struct study_run *run, const struct machine *machine, const struct kernel_stats *stats)
{
    if (stats->local_messages > 0)
        run_note(
            run, NOTE_LOCAL,
            "messages between ranks of one host take no time on %.*s: %.3g %% of the messages, %.3g %% of the bytes",
            length_without_sizes(machine->name), machine->name,
            100 * (double)stats->local_messages / (double)stats->messages,
            stats->bytes > 0 ? 100 * (double)stats->local_bytes / (double)stats->bytes : 0);
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
    run_note(
        run, NOTE_RANGE,
        "%s is called %lld time%s outside the dimensions from %lld%s that its cost was fitted for, first m=%d n=%d "
        "k=%d",
        outside->kernel, (long long)outside->n_calls, outside->n_calls == 1 ? "" : "s", (long long)outside->from, to,
        (int)outside->m, (int)outside->n, (int)outside->k);
}

/* --- collectives of a replay --- */

void notes_on_collectives(struct study_run *run, const struct simulation *simulation,
                          const struct algorithms *algorithms)
{
    const struct record_info *info = simulation->program.traced;
    const struct coll_options *options = &simulation->program.collectives;
    const struct cost_model *costs = &simulation->machine->costs;
    if (info == NULL || info->library == NULL || !algorithms_have_auto(algorithms))
        return;
    bool is_known, says = costs->collectives != COLLECTIVES_UNSAID;
    bool is_openmpi = coll_chooser(costs, options) == COLLECTIVES_OPENMPI;
    coll_chooser_of(info->library, &is_known);
    run_note(run, NOTE_COLLECTIVES, "collectives use %s%s; the trace is from %.*s%s",
             is_openmpi ? "the algorithms of Open MPI 4.1" : "simrun's default algorithms",
             says ? ", as the platform says" : "", (int)strcspn(info->library, ","), info->library,
             is_known || says ? "" : ", whose choices simrun does not know");
}
