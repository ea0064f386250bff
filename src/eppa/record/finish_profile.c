/* Writes the profile in the form that the name of the file asks for. */
#include "eppa/record/finish_profile.h"

#include "eppa/profile/place.h"
#include "eppa/profile/profile.h"
#include "eppa/record/recorder.h"

#include <mpi.h>

static void write_profile(struct profile *profile)
{
    struct place place;
    char message[SPOOL_MAX_PATH + 256];
    if (profile->has_sites)
        profile_name_sites(profile);
    int status = place_open(&place, recorder.base, message, sizeof message);
    if (status == 0) {
        if (recorder.outcome == OUTCOME_JSON)
            profile_write_json(place.stream, profile);
        else
            profile_write_text(place.stream, profile);
        status = place_close(&place, message, sizeof message);
    }
    if (status != 0)
        eppa_say("%s; there is no profile", message);
}

static void say_unrecorded(const struct profile *profile)
{
    if (profile->n_unrecorded > 0)
        eppa_say("calls of other threads, which are not recorded: %llu", (unsigned long long)profile->n_unrecorded);
}

void profile_finish(void)
{
    struct profile profile;
    profile_of_tally(&profile, recorder.rank, recorder.n_ranks);
    profile_gather(&profile);
    if (recorder.rank == 0) {
        write_profile(&profile);
        say_unrecorded(&profile);
    }
    profile_dispose(&profile);
    PMPI_Barrier(MPI_COMM_WORLD); /* nobody ends the run before the profile is in its place */
}

void profile_abort(void)
{
    struct profile profile;
    profile_of_tally(&profile, recorder.rank, recorder.n_ranks);
    write_profile(&profile);
    profile_dispose(&profile);
}
