/* Writes the profile in the form that the name of the file asks for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/record/finish_profile.h"

#include "eppa/archive/memory.h"
#include "eppa/profile/destination.h"
#include "eppa/profile/profile.h"
#include "eppa/record/callers.h"
#include "eppa/record/recorder.h"

#include <mpi.h>

#include <stdlib.h>

static void copy_sites(struct profile *profile)
{
    profile->sites = memory_need(calloc((size_t)tally.n_sites + 1, sizeof *profile->sites));
    for (uint32_t i = 0; i < tally.n_sites; i++) {
        struct call_site site = callers_get(tally.sites[i].site);
        profile->sites[i] = profile_row_of(&tally.sites[i].calls, tally.sites[i].region, recorder.rank);
        profile->sites[i].module = site.module;
        profile->sites[i].place = site.place;
    }
    profile->n_sites = tally.n_sites;
    profile->n_modules = callers_n_modules();
    profile->modules = memory_need(calloc((size_t)profile->n_modules + 1, sizeof *profile->modules));
    for (uint32_t i = 0; i < profile->n_modules; i++)
        profile->modules[i] = memory_copy(callers_module(i), strlen(callers_module(i)));
}

static void make_profile(struct profile *profile)
{
    profile_of_tally(profile, recorder.rank, recorder.n_ranks);
    if (profile->has_sites)
        copy_sites(profile);
}

static void write_profile(struct profile *profile)
{
    struct destination destination;
    char message[SPOOL_MAX_PATH + 256];
    if (profile->has_sites)
        profile_name_sites(profile);
    int status = destination_open(&destination, recorder.base, message, sizeof message);
    if (status == 0) {
        if (recorder.outcome == OUTCOME_JSON)
            profile_write_json(destination.stream, profile);
        else
            profile_write_text(destination.stream, profile);
        status = destination_close(&destination, message, sizeof message);
    }
    if (status != 0)
        eppa_say("%s; there is no profile", message);
}

static void say_unrecorded(const struct profile *profile)
{
    if (profile->n_unrecorded > 0)
        eppa_say("calls by other threads, which are not recorded: %llu", (unsigned long long)profile->n_unrecorded);
}

void profile_finish(void)
{
    struct profile profile;
    make_profile(&profile);
    profile_gather(&profile);
    if (recorder.rank == 0) {
        write_profile(&profile);
        say_unrecorded(&profile);
    }
    profile_dispose(&profile);
    PMPI_Barrier(MPI_COMM_WORLD); /* no rank ends the run before the profile is at its destination */
}

void profile_abort(void)
{
    struct profile profile;
    make_profile(&profile);
    write_profile(&profile);
    profile_dispose(&profile);
}
