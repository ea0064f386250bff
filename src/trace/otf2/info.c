/* Information on the whole run: what an archive says by its properties, and what it does not say.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/calls.h"
#include "trace/otf2/input.h"

#include "base/memory.h"
#include "base/units.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* One line of text that can be printed, which may have come from anywhere. */
static void take_line(char **line, const char *value)
{
    enum { MOST = 96 };
    free(*line);
    *line = NULL;
    if (value[0] == '\0')
        return;
    *line = xmalloc(MOST);
    utf8_copy(*line, MOST, value);
}

static int64_t as_count(const char *value)
{
    unsigned long long number = strtoull(value, NULL, 10);
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

/* A property of the archive that is none of the program's. */
static void take_property(struct record_info *info, const char *name, const char *value)
{
    if (strcasecmp(name, "EPPA::COMPLETE") == 0)
        info->is_cut |= strcasecmp(value, "false") == 0;
    else if (strcasecmp(name, "EPPA::MPI_LIBRARY") == 0)
        take_line(&info->library, value);
    else if (strcasecmp(name, "EPPA::RUN_DELAY") == 0)
        info->tells_sleep = strcasecmp(value, "true") == 0;
    else if (strcasecmp(name, "EPPA::OFF") == 0)
        info->off_percent = strtod(value, NULL);
    else if (strcasecmp(name, "EPPA::UNRECORDED_CALLS") == 0)
        info->n_unrecorded = as_count(value);
    else if (strcasecmp(name, "EPPA::CUT_PATHS") == 0)
        info->n_cut_paths = as_count(value);
    else if (strcasecmp(name, "EPPA::KEEP") == 0)
        take_line(&info->keep, value);
    else if (strcasecmp(name, "EPPA::ALONE_MESSAGES") == 0)
        info->n_alone_messages = as_count(value);
    else if (strcasecmp(name, "EPPA::ALONE_COLLECTIVES") == 0)
        info->n_alone_collectives = as_count(value);
}

bool otf_info_take_location(struct record_processor *processor, const char *name, int64_t value)
{
    const struct {
        const char *name;
        int64_t *ps;
        int32_t *number;
    } known[] = {{"EPPA::PROCESSOR_NS", &processor->used_ps, NULL},
                 {"EPPA::THREAD_NS", &processor->thread_ps, NULL},
                 {"EPPA::RUN_DELAY_NS", &processor->delay_ps, NULL},
                 {"EPPA::RUN_NS", &processor->run_ps, NULL},
                 {"EPPA::LOST_NS", &processor->lost_ps, NULL},
                 {"EPPA::CORES", NULL, &processor->n_cores},
                 {"EPPA::CORES_OF_HOST", NULL, &processor->n_host_cores},
                 {"EPPA::RANKS_OF_HOST", NULL, &processor->n_host_ranks},
                 {"EPPA::SHARED_CORES", NULL, &processor->n_shared},
                 {"EPPA::SHARING_RANKS", NULL, &processor->n_sharing},
                 {"EPPA::SHARING_FIRST", NULL, &processor->sharing}};
    size_t i = 0, n = sizeof known / sizeof known[0];
    while (i < n && strcasecmp(known[i].name, name) != 0)
        i++;
    if (i == n)
        return false;
    if (known[i].number != NULL)
        *known[i].number = value > INT32_MAX ? INT32_MAX : (int32_t)value;
    else if (value < PS_MAX / 1000)
        *known[i].ps = 1000 * value;
    return true;
}

/* Is the host of this rank more crowded than the worst so far? */
static bool is_worse(const struct record_info *info, const struct record_processor *processor)
{
    return processor->n_host_cores > 0 && processor->n_host_ranks > 0 &&
           (info->n_host_cores == 0 || (int64_t)processor->n_host_ranks * info->n_host_cores >
                                           (int64_t)info->n_host_ranks * processor->n_host_cores);
}

void otf_info_take_processors(struct record_info *info, const struct otf_defs *defs)
{
    bool is_known = false;
    for (int rank = 0; rank < defs->n_ranks; rank++)
        is_known |= defs->locations[rank].has_processor;
    if (!is_known)
        return;
    info->processors = xcalloc((size_t)defs->n_ranks, sizeof *info->processors);
    for (int rank = 0; rank < defs->n_ranks; rank++) {
        const struct record_processor *processor = &defs->locations[rank].processor;
        info->processors[rank] = *processor;
        int64_t sum_ps = info->processor_ps > 0 ? info->processor_ps : 0;
        if (processor->used_ps >= 0 && sum_ps < PS_MAX)
            info->processor_ps = sum_ps + processor->used_ps;
        if (is_worse(info, processor)) {
            info->n_host_cores = processor->n_host_cores;
            info->n_host_ranks = processor->n_host_ranks;
        }
    }
}

void otf_info_read(struct record_info *info, OTF2_Reader *archive)
{
    static const char prefix[] = "EPPA::PARAMETER::";
    uint32_t n_names = 0;
    char **names = NULL;
    if (OTF2_Reader_GetPropertyNames(archive, &n_names, &names) != OTF2_SUCCESS || names == NULL)
        return;
    size_t count = 0;
    info->parameters = xcalloc(2 * (size_t)n_names + 1, sizeof *info->parameters);
    for (uint32_t i = 0; i < n_names; i++) {
        char *value = NULL;
        bool is_parameter = strncasecmp(names[i], prefix, sizeof prefix - 1) == 0;
        if (OTF2_Reader_GetProperty(archive, names[i], &value) != OTF2_SUCCESS)
            continue;
        if (is_parameter) {
            info->parameters[count++] = xstrdup(names[i] + sizeof prefix - 1);
            info->parameters[count++] = xstrdup(value);
        } else {
            take_property(info, names[i], value);
        }
        free(value);
    }
    free(names);
    if (count == 0) {
        free(info->parameters);
        info->parameters = NULL;
    }
}

/* ---- What nothing is known of ---- */

void otf_count(int64_t *sum, int64_t number)
{
    if (__builtin_add_overflow(*sum, number, sum))
        *sum = INT64_MAX;
}

void otf_info_pass_over(struct record_info *info, int *count, uint64_t n_events)
{
    if (n_events > 0)
        ++*count;
    otf_count(&info->n_passed_over, n_events > INT64_MAX ? INT64_MAX : (int64_t)n_events);
}

void otf_gaps_add(struct otf_cursor *cursor, const struct record *call)
{
    const struct otf_region *called = cursor->called;
    if (!cursor->first_pass || called == NULL || cursor->is_told || call->call == RECORD_CALL_CUT ||
        (call->call == RECORD_CALL_POLL && !called->unread) || (!called->unread && !called->blocks))
        return;
    struct record_gap *gap = &cursor->shared->gaps[called - cursor->shared->defs->regions];
    gap->caller = gap->n_calls == 0 || gap->caller == cursor->rank ? cursor->rank : -1;
    otf_count(&gap->n_calls, cursor->n_calls_at_once);
    otf_count(&gap->time_ps, call->end_ps - call->start_ps);
}

void otf_fixed_add(struct otf_cursor *cursor, const struct record *call)
{
    const struct otf_region *called = cursor->called;
    if (!cursor->first_pass || called == NULL || !called->is_mpi || called->unread || called->blocks ||
        call->kind != RECORD_CALL || call->call == RECORD_CALL_CUT || call->call == RECORD_CALL_POLL)
        return;
    struct record_gap *fixed = &cursor->shared->fixed[called - cursor->shared->defs->regions];
    otf_count(&fixed->n_calls, cursor->n_calls_at_once);
    otf_count(&fixed->time_ps, call->end_ps - call->start_ps);
}

static int compare_gaps(const void *a, const void *b)
{
    const struct record_gap *x = a, *y = b;
    if (x->time_ps != y->time_ps)
        return x->time_ps < y->time_ps ? 1 : -1;
    return strcmp(x->function, y->function);
}

/* All who have a file open it. So where one rank does, it waits for no rank. */
static bool is_alone(const struct otf_region *region, const struct record_gap *gap)
{
    return region->of_file && gap->n_calls > 0 && gap->caller >= 0;
}

static void collect_fixed(const struct otf_input *input, struct record_info *info)
{
    const struct otf_defs *defs = &input->defs;
    info->fixed = xcalloc(defs->n_regions + 1, sizeof *info->fixed);
    for (size_t i = 0; i < defs->n_regions; i++) {
        const struct record_gap *gap = &input->shared.gaps[i];
        struct record_gap fixed = is_alone(&defs->regions[i], gap) ? *gap : input->shared.fixed[i];
        fixed.function = defs->regions[i].name;
        if (fixed.time_ps > 0)
            info->fixed[info->n_fixed++] = fixed;
    }
    qsort(info->fixed, (size_t)info->n_fixed, sizeof *info->fixed, compare_gaps);
}

/* Collect the functions of which the archive does not say enough. Less than a thousandth of the time counts as nothing
 * for functions that usually say what they do, such as MPI_Wait without a request. */
void otf_gaps_collect(const struct otf_input *input, struct record_info *info)
{
    const struct otf_defs *defs = &input->defs;
    double least_ps = (double)info->end_ps / 1000 * info->n_ranks;
    info->gaps = xcalloc(defs->n_regions + 1, sizeof *info->gaps);
    for (size_t i = 0; i < defs->n_regions; i++) {
        const struct otf_region *region = &defs->regions[i];
        const struct record_gap *gap = &input->shared.gaps[i];
        bool is_known = input->shared.assumed_group >= 0 && region->assumed != N_RECORD_COLLECTIVES;
        if (gap->n_calls == 0 || is_known || is_alone(region, gap) ||
            (!region->unread && (double)gap->time_ps < least_ps))
            continue;
        info->gaps[info->n_gaps] = *gap;
        info->gaps[info->n_gaps++].function = region->name;
    }
    qsort(info->gaps, (size_t)info->n_gaps, sizeof *info->gaps, compare_gaps);
    collect_fixed(input, info);
}

void otf_info_dispose(struct record_info *info)
{
    for (int i = 0; i < info->n_scopes; i++)
        free(info->scopes[i]);
    for (size_t i = 0; info->parameters != NULL && info->parameters[i] != NULL; i++)
        free(info->parameters[i]);
    for (int i = 0; i < info->n_functions; i++)
        free(info->functions[i]);
    free(info->functions);
    free(info->library);
    free(info->keep);
    free(info->gaps);
    free(info->fixed);
    free(info->groups);
    free(info->processors);
    for (int i = 0; info->processor_names != NULL && i < record_locations(info); i++)
        free(info->processor_names[i]);
    free(info->processor_names);
    if (info->paths != NULL)
        call_paths_dispose(info->paths);
    free(info->paths);
    free(info->scopes);
    free(info->parameters);
    *info = (struct record_info){0};
}
