/* Fuzzing of the reader of libeppa's profiles: what is read has ranks, and numbers that are not negative.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "dataset/run_profile.h"

#include <stdlib.h>

static void check(const struct run_profile *profile)
{
    fuzz_check(profile->n_ranks > 0 && profile->program != NULL && profile->time_s >= 0);
    for (size_t i = 0; i < profile->n_functions; i++)
        fuzz_check(profile->functions[i].function != NULL && profile->functions[i].calls >= 0);
    for (size_t i = 0; i < profile->n_sites; i++)
        fuzz_check(profile->sites[i].site != NULL && profile->sites[i].time_s >= 0);
    for (size_t i = 0; i < profile->n_ranks; i++)
        fuzz_check(profile->ranks[i].useful_s >= 0 && profile->ranks[i].off_s >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run_profile profile;
    struct sim_error error;
    fuzz_check_quiet();
    fuzz_write("x.json", data, size);
    char *file = fuzz_path("x.json");
    if (fuzz_has_read(run_profile_load(&profile, file, &error), &error)) {
        check(&profile);
        run_profile_dispose(&profile);
    }
    free(file);
    fuzz_check_quiet();
    return 0;
}
