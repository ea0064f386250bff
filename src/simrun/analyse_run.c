/* An analyzed trace as a run of a study: its name, its parameters, and counts besides those of the metrics.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/analyse.h"
#include "simrun/analyse_parts.h"

#include "base/memory.h"
#include "base/units.h"
#include "base/utf8.h"
#include "trace/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name_part(char *name, size_t size, const char *from, size_t length)
{
    char *part = xformat("%.*s", (int)length, from);
    utf8_copy(name, size, part);
    free(part);
}

void analyse_name_trace(char *name, size_t size, const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash != NULL ? slash + 1 : file;
    name_part(name, size, base, record_stem_length(base));
    if (strcmp(name, "traces") != 0 || slash == NULL)
        return;
    const char *folder = slash;
    while (folder > file && folder[-1] != '/')
        folder--;
    if (slash > folder && strncmp(folder, "..", (size_t)(slash - folder)) != 0)
        name_part(name, size, folder, (size_t)(slash - folder));
}

static void add_parameter(struct study_run *run, const char *name, const char *text)
{
    struct study_parameter *parameter = &run->parameters[run->n_parameters++];
    char why[160], cut[PARAMETER_TEXT], *copy = xstrdup(name);
    *parameter = (struct study_parameter){.name = copy};
    utf8_copy(copy, strlen(name) + 1, name);
    utf8_copy(cut, sizeof cut, text);
    parameter_set_text(parameter, cut);
    parameter->is_number = units_parse(&parameter->number, QUANTITY_COUNT, text, why, sizeof why) == 0;
}

void analyse_add_parameters(struct study_run *run, const struct record_info *info, int n_ranks)
{
    char ranks[16];
    size_t count = 0;
    while (info->parameters != NULL && info->parameters[2 * count] != NULL && info->parameters[2 * count + 1] != NULL)
        count++;
    run->parameters = xcalloc(count + 1, sizeof *run->parameters);
    snprintf(ranks, sizeof ranks, "%d", n_ranks);
    add_parameter(run, "ranks", ranks);
    run->parameters[0].subject = SUBJECT_RANKS;
    for (size_t i = 0; i < count; i++) {
        bool known = info->parameters[2 * i][0] == '\0';
        for (int k = 0; k < run->n_parameters; k++)
            known |= strcmp(run->parameters[k].name, info->parameters[2 * i]) == 0;
        if (!known)
            add_parameter(run, info->parameters[2 * i], info->parameters[2 * i + 1]);
    }
}

void analyse_run_dispose(struct study_run *run)
{
    for (int i = 0; i < run->n_parameters; i++)
        free((char *)(uintptr_t)run->parameters[i].name);
    free(run->parameters);
    result_dispose(&run->result);
}

/* Useful work, communication and idling for each of `count` things that the programmer counts. */
static void add_each(struct result *result, const char *group, double count)
{
    double state_s[N_LOCATION_STATES];
    for (int s = 0; s < N_LOCATION_STATES; s++)
        state_s[s] =
            location_state_is_usual[s] ? measure_value(result_find(result, "state_s", location_state_names[s])) : 0;
    if (count <= 0)
        return;
    result_add_ratio(result, group, "useful", state_s[STATE_USEFUL] / count);
    result_add_ratio(result, group, "communication", (state_s[STATE_SEND] + state_s[STATE_RECEIVE]) / count);
    result_add_ratio(result, group, "idle", state_s[STATE_IDLE] / count);
}

/* The cost of a quantum of messages in communication and waiting, and how many quantums are processed for each:
 * software granularity (Lemeire07, eq. 1.17) in quantums. */
static void add_message_quantums(struct result *result, const struct analysis_stats *stats)
{
    double count = (double)stats->message_quantums;
    if (stats->message_quantums <= 0)
        return;
    result_add_count(result, "", "message_quantums", stats->message_quantums);
    if (stats->quantums > 0)
        result_add_ratio(result, "", "quantum_granularity", (double)stats->quantums / count);
    add_each(result, "per_message_quantum_s", count);
}

void analyse_add_counts(struct result *result, const struct analysis_stats *stats)
{
    add_each(result, "per_operation_s", measure_value(result_find(result, "", "operations")));
    if (stats->quantums > 0)
        result_add_count(result, "", "quantums", stats->quantums);
    add_each(result, "per_quantum_s", (double)stats->quantums);
    add_message_quantums(result, stats);
    result_add_count(result, "", "collectives", stats->n_collectives);
}
