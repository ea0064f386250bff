/* Makes a run of a profile's totals.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/profile_run.h"

#include "base/memory.h"
#include "dataset/run_profile.h"
#include "metrics/tables.h"
#include "os/file_kind.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t ps_of(double seconds)
{
    return (int64_t)llround(fmin(seconds, 9e6) * 1e12);
}

static void add_parameter(struct study_run *run, const char *name, const char *text)
{
    struct study_parameter *parameter = &run->parameters[run->n_parameters++];
    *parameter = (struct study_parameter){.name = xstrdup(name)};
    parameter_set_text(parameter, text);
}

static void add_states(struct study_run *run, const struct run_profile *profile)
{
    struct result *result = &run->result;
    wide_int useful_ps = 0, control_ps = 0;
    result->n_processors = run->ranks;
    result->state_ps = xcalloc(profile->n_ranks, sizeof *result->state_ps);
    for (size_t i = 0; i < profile->n_ranks; i++) {
        int64_t *state_ps = result->state_ps[i];
        state_ps[STATE_USEFUL] = ps_of(profile->ranks[i].useful_s);
        state_ps[STATE_CONTROL] = ps_of(profile->ranks[i].control_s);
        useful_ps += state_ps[STATE_USEFUL];
        control_ps += state_ps[STATE_CONTROL];
    }
    result_add_time(result, "state_s", location_state_names[STATE_USEFUL], useful_ps);
    result_add_time(result, "state_s", location_state_names[STATE_CONTROL], control_ps);
}

static void add_functions(struct result *result, const struct run_profile *profile)
{
    struct result_table *table = result_add_table(result, TABLE_FUNCTIONS);
    if (!profile->has_bytes)
        result_leave_out(table, offsetof(struct functions_row, bytes));
    for (size_t i = 0; i < profile->n_functions; i++) {
        const struct run_profile_call *call = &profile->functions[i];
        *result_add_functions(table) = (struct functions_row){.function = result_name(call->function),
                                                              .calls = (int64_t)call->calls,
                                                              .time_ps = ps_of(call->time_s),
                                                              .bytes = (wide_int)call->bytes};
    }
    if (profile->n_sites == 0)
        return;
    table = result_add_table(result, TABLE_SITES);
    for (size_t i = 0; i < profile->n_sites; i++) {
        const struct run_profile_call *call = &profile->sites[i];
        *result_add_sites(table) = (struct sites_row){.site = result_name(call->site),
                                                      .function = result_name(call->function),
                                                      .calls = (int64_t)call->calls,
                                                      .time_ps = ps_of(call->time_s),
                                                      .bytes = (wide_int)call->bytes};
    }
}

static void add_sizes(struct result *result, enum table_id id, const struct run_profile_size *sizes, size_t n_sizes)
{
    struct result_table *table = result_add_table(result, id);
    result_leave_out(table, offsetof(struct message_sizes_row, send_ps));
    result_leave_out(table, offsetof(struct message_sizes_row, receive_ps));
    result_leave_out(table, offsetof(struct message_sizes_row, idle_ps));
    for (size_t i = 0; i < n_sizes; i++) {
        struct message_sizes_row *row = result_add_row(table); /* those of collective_sizes are alike */
        row->from_bytes = (int64_t)sizes[i].from_bytes;
        row->to_bytes = (int64_t)sizes[i].to_bytes;
        row->count = (int64_t)sizes[i].count;
        row->bytes = (wide_int)sizes[i].bytes;
        row->mean_s = row->bandwidth_Bps = NAN;
    }
}

static void add_place(struct result_table *table, enum path_component component, const char *function, double time_s)
{
    *result_add_path_places(table) =
        (struct path_places_row){component, result_name(function), result_name(""), ps_of(time_s)};
}

static void add_path(struct result *result, const struct run_profile *profile)
{
    struct result_table *table = result_add_table(result, TABLE_PATH_PLACES);
    const struct run_profile_rank *longest = &profile->ranks[0];
    for (size_t i = 0; i < profile->n_ranks; i++)
        if (profile->ranks[i].useful_s + profile->ranks[i].control_s > longest->useful_s + longest->control_s)
            longest = &profile->ranks[i];
    add_place(table, COMPONENT_PROCESSING, "", longest->useful_s + longest->control_s);
    if (longest->off_s > 0)
        add_place(table, COMPONENT_OFF, "", longest->off_s);
    for (size_t i = 0; i < profile->n_functions; i++)
        add_place(table, COMPONENT_COMMUNICATION, profile->functions[i].function, profile->functions[i].least_s);
}

static void make_run(struct study_run *run, const struct run_profile *profile)
{
    char ranks[16];
    *run = (struct study_run){
        .platform = "profiled", .network = "real", .is_traced = true, .ranks = (int)profile->n_ranks};
    result_init(&run->result);
    run->parameters = xcalloc(2, sizeof *run->parameters);
    snprintf(ranks, sizeof ranks, "%d", run->ranks);
    add_parameter(run, "ranks", ranks);
    run->parameters[0].subject = SUBJECT_RANKS;
    if (profile->program != NULL)
        add_parameter(run, "program", profile->program);
    result_add_time(&run->result, "", "time_s", ps_of(profile->time_s));
    add_states(run, profile);
    add_functions(&run->result, profile);
    if (profile->has_sizes) {
        add_sizes(&run->result, TABLE_MESSAGE_SIZES, profile->messages, profile->n_messages);
        add_sizes(&run->result, TABLE_COLLECTIVE_SIZES, profile->collectives, profile->n_collectives);
    }
    add_path(&run->result, profile);
}

static void add_scopes(struct result *result, const struct profile_scope *scopes, size_t n_scopes)
{
    struct result_table *table = result_add_table(result, TABLE_SCOPE_STATES);
    for (size_t i = 0; i < n_scopes; i++)
        *result_add_scope_states(table) = (struct scope_states_row){
            .rank = scopes[i].rank, .scope = scopes[i].name, .state_ps = {[STATE_USEFUL] = ps_of(scopes[i].time_s)}};
}

bool profile_run_takes(const char *file)
{
    enum file_is is = file_kind_of(file)->is;
    return is == FILE_RUN_PROFILE || is == FILE_CUBE;
}

int profile_run_load(struct study_run *run, const char *file, struct sim_error *error)
{
    struct run_profile profile;
    struct profile_scope *scopes = NULL;
    size_t n_scopes = 0;
    bool is_cube = file_kind_of(file)->is == FILE_CUBE;
    int status =
        is_cube ? cube_run_load(&profile, &scopes, &n_scopes, file, error) : run_profile_load(&profile, file, error);
    if (status != 0)
        return -1;
    make_run(run, &profile);
    if (is_cube)
        add_scopes(&run->result, scopes, n_scopes);
    run_profile_dispose(&profile);
    free(scopes);
    return 0;
}
