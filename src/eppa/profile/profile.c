/* From a rank's tally to a profile, and what the two formats have in common: sums, order, names of sites.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/profile/profile.h"

#include "eppa/archive/memory.h"
#include "eppa/sites/resolve.h"

#include "base/mpi_call.h"

#include <errno.h>
#include <otf2/otf2.h>
#include <stdlib.h>
#include <unistd.h>

struct profile_row profile_row_of(const struct tally_calls *calls, uint16_t region, int rank)
{
    return (struct profile_row){.calls = *calls,
                                .region = region,
                                .least_ns = calls->time_ns,
                                .most_ns = calls->time_ns,
                                .n_ranks = calls->n_calls > 0,
                                .most_rank = rank};
}

/* Ranks that have a core each, and little besides their threads that call MPI, take no processor from each other. */
static void name_foreign(struct profile_rank *self)
{
    enum { LITTLE = 20 }; /* a twentieth */
    bool has_threads = self->thread_ns < 0 || (self->processor_ns - self->thread_ns) * LITTLE > self->time_ns;
    if (self->cores.n_own == 0 || self->cores.n_sharing > self->cores.n_shared || has_threads)
        return;
    self->state_ns[TALLY_FOREIGN] = self->state_ns[TALLY_WITHOUT];
    self->state_ns[TALLY_WITHOUT] = 0;
}

void profile_of_tally(struct profile *profile, int rank, int n_ranks)
{
    *profile = (struct profile){.n_ranks = n_ranks,
                                .n_rows = 1,
                                .has_sites = tally.sites != NULL,
                                .program = program_invocation_short_name,
                                .library = tally.library,
                                .n_unrecorded = tally.n_unrecorded,
                                .n_others = tally.n_others,
                                .others_ns = tally.others_ns};
    struct profile_rank *self = profile->ranks = memory_need(calloc(1, sizeof *self));
    self->rank = rank;
    self->time_ns = tally.end_ns - tally.begin_ns;
    memcpy(self->state_ns, tally.state_ns, sizeof self->state_ns);
    self->processor_ns = tally.processor.process_ns;
    self->thread_ns = tally.processor.thread_ns;
    self->delay_ns = tally.processor.delay_ns;
    self->off_ns = tally.off.off_ns;
    self->cores = tally.cores;
    name_foreign(self);
    gethostname(self->host, sizeof self->host - 1);
    for (int i = 0; i < N_REGIONS; i++)
        profile->functions[i] = profile_row_of(&tally.functions[i], (uint16_t)i, rank);
    memcpy(profile->messages, tally.messages, sizeof profile->messages);
    memcpy(profile->collectives, tally.collectives, sizeof profile->collectives);
}

void profile_dispose(struct profile *profile)
{
    for (uint32_t i = 0; i < profile->n_sites; i++)
        free(profile->sites[i].site);
    for (uint32_t i = 0; i < profile->n_modules; i++)
        free(profile->modules[i]);
    free(profile->modules);
    free(profile->sites);
    free(profile->ranks);
    *profile = (struct profile){0};
}

void profile_add_row(struct profile_row *sum, const struct profile_row *row)
{
    if (row->n_ranks == 0)
        return;
    bool is_first = sum->n_ranks == 0;
    tally_add_calls(&sum->calls, &row->calls);
    sum->n_ranks += row->n_ranks;
    if (is_first || row->least_ns < sum->least_ns)
        sum->least_ns = row->least_ns;
    if (is_first || row->most_ns > sum->most_ns || (row->most_ns == sum->most_ns && row->most_rank < sum->most_rank)) {
        sum->most_ns = row->most_ns;
        sum->most_rank = row->most_rank;
    }
}

static int by_name(const void *a, const void *b)
{
    const struct profile_row *left = a, *right = b;
    int order = strcmp(left->site, right->site);
    return order != 0 ? order : (int)left->region - (int)right->region;
}

static int by_module(const void *a, const void *b)
{
    const struct profile_row *left = a, *right = b;
    return (left->module > right->module) - (left->module < right->module);
}

/* The compiler may make several calls of one in the source. */
static void merge_alike(struct profile *profile)
{
    uint32_t n = 0;
    qsort(profile->sites, profile->n_sites, sizeof *profile->sites, by_name);
    for (uint32_t i = 0; i < profile->n_sites; i++) {
        if (n > 0 && by_name(&profile->sites[n - 1], &profile->sites[i]) == 0) {
            profile_add_row(&profile->sites[n - 1], &profile->sites[i]);
            free(profile->sites[i].site);
        } else {
            profile->sites[n++] = profile->sites[i];
        }
    }
    profile->n_sites = n;
}

void profile_name_sites(struct profile *profile)
{
    struct resolver resolver = {0};
    char text[SITE_MAX_TEXT];
    qsort(profile->sites, profile->n_sites, sizeof *profile->sites, by_module);
    for (uint32_t i = 0; i < profile->n_sites; i++) {
        struct profile_row *row = &profile->sites[i];
        resolver_name(&resolver, profile->modules[row->module], row->place, text);
        row->site = memory_copy(text, strlen(text));
    }
    resolver_dispose(&resolver);
    merge_alike(profile);
}

/* MPI's time besides communication, as in a trace. */
static void add_function(struct profile_sums *sums, const struct profile_row *row)
{
    OTF2_RegionRole role = (OTF2_RegionRole)regions[row->region].role;
    enum mpi_call call = mpi_call_of(regions[row->region].name, role != OTF2_REGION_ROLE_FILE_IO_METADATA);
    if (call == MPI_CALL_READ || call == MPI_CALL_WRITE)
        sums->io_ns += row->calls.time_ns;
    else if (call == MPI_CALL_LIBRARY)
        sums->library_ns += row->calls.time_ns;
}

struct profile_sums profile_sum(const struct profile *profile)
{
    struct profile_sums sums = {0};
    for (int i = 0; i < profile->n_rows; i++) {
        const struct profile_rank *rank = &profile->ranks[i];
        sums.all_ns += rank->time_ns;
        sums.off_ns += rank->off_ns;
        sums.processor_ns += rank->processor_ns;
        sums.n_crowded += rank->cores.n_sharing > rank->cores.n_shared;
        if (rank->time_ns > sums.time_ns)
            sums.time_ns = rank->time_ns;
        if (rank->state_ns[TALLY_MPI] > profile->ranks[sums.most_mpi].state_ns[TALLY_MPI])
            sums.most_mpi = i;
        if (rank->state_ns[TALLY_USEFUL] > profile->ranks[sums.most_useful].state_ns[TALLY_USEFUL])
            sums.most_useful = i;
        for (int s = 0; s < N_TALLY_STATES; s++)
            sums.state_ns[s] += rank->state_ns[s];
    }
    for (int i = 0; i < N_REGIONS; i++)
        add_function(&sums, &profile->functions[i]);
    sums.mpi_ns = sums.state_ns[TALLY_MPI] + profile->others_ns;
    sums.most_useful_ns = profile->ranks[sums.most_useful].state_ns[TALLY_USEFUL];
    return sums;
}

static int by_time(const void *a, const void *b)
{
    const struct profile_row *left = *(const struct profile_row *const *)a;
    const struct profile_row *right = *(const struct profile_row *const *)b;
    if (left->calls.time_ns != right->calls.time_ns)
        return left->calls.time_ns > right->calls.time_ns ? -1 : 1;
    return (left > right) - (left < right);
}

const struct profile_row **profile_sort(const struct profile_row *rows, size_t n, size_t *n_used)
{
    const struct profile_row **sorted = memory_need(malloc((n + 1) * sizeof(*sorted)));
    *n_used = 0;
    for (size_t i = 0; i < n; i++)
        if (rows[i].calls.n_calls > 0)
            sorted[(*n_used)++] = &rows[i];
    qsort(sorted, *n_used, sizeof(*sorted), by_time);
    return sorted;
}
