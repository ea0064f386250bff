/* Fuzzing of the profile reader: the first byte is the kind. What is read, written with all digits, is read as itself.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "base/memory.h"
#include "sim/machine/profile/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_MEASUREMENTS = 20 }; /* of a forecast, which takes a while for each */

static char *write_profile(const struct profile *profile)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (profile->period_s > 0)
        fprintf(stream, "PERIODICITY %.17g\n", profile->period_s);
    for (size_t i = 0; i < profile->n_points; i++)
        fprintf(stream, "%.17g %.17g\n", profile->points[i].time_s, profile->points[i].value);
    fclose(stream);
    return text;
}

static void check_round_trip(const struct profile *profile)
{
    struct profile again;
    struct sim_error error;
    char *text = write_profile(profile);
    fuzz_check(profile_parse(&again, profile->kind, text, "again", 1, 0, &error) == 0);
    fuzz_check(again.n_points == profile->n_points && again.period_s == profile->period_s);
    for (size_t i = 0; i < again.n_points; i++)
        fuzz_check(again.points[i].time_s == profile->points[i].time_s &&
                   again.points[i].value == profile->points[i].value);
    profile_dispose(&again);
    free(text);
}

static void check_values(const struct profile *profile)
{
    for (size_t i = 0; i < profile->n_points; i++)
        fuzz_check(isfinite(profile_value(profile, profile->points[i].time_s, 1)));
    fuzz_check(isfinite(profile_value(profile, 0, 1)) && isfinite(profile_value(profile, 1e12, 1)));
    fuzz_check(isfinite(profile_forecast(profile, MOST_MEASUREMENTS * PROFILE_PERIOD_S, 1).value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct profile profile;
    struct sim_error error;
    fuzz_check_quiet();
    if (size == 0)
        return 0;
    char *text = fuzz_text(data + 1, size - 1);
    if (fuzz_has_read(profile_parse(&profile, data[0] % N_PROFILE_KINDS, text, "profile", 1, 0, &error), &error)) {
        check_round_trip(&profile);
        check_values(&profile);
        profile_dispose(&profile);
    }
    free(text);
    fuzz_check_quiet();
    return 0;
}
