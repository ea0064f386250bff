/* Definitions of an archive that is a copy, besides those of all archives: functions, communicators, properties.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/copy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void set_property(struct archive_output *archive, const char *name, const char *value)
{
    archive_check(archive, OTF2_Archive_SetProperty(archive->archive, name, value, true));
}

/* Define what the trace says of the cores of each rank, and of what the rank had of them. */
static void define_processors(struct archive_output *archive, const struct record_info *info)
{
    static const char *const names[] = {"EPPA::CORES",        "EPPA::CORES_OF_HOST", "EPPA::RANKS_OF_HOST",
                                        "EPPA::SHARED_CORES", "EPPA::SHARING_RANKS", "EPPA::SHARING_FIRST",
                                        "EPPA::PROCESSOR_NS", "EPPA::THREAD_NS",     "EPPA::RUN_DELAY_NS"};
    enum { N_NAMES = sizeof names / sizeof names[0] };
    OTF2_StringRef strings[N_NAMES];
    for (int n = 0; info->processors != NULL && n < N_NAMES; n++)
        strings[n] = archive_define_string(archive, names[n]);
    for (int rank = 0; info->processors != NULL && rank < info->n_ranks; rank++) {
        const struct record_processor *own = &info->processors[rank];
        const int64_t numbers[N_NAMES] = {own->n_cores,
                                          own->n_host_cores,
                                          own->n_host_ranks,
                                          own->n_shared,
                                          own->n_sharing,
                                          own->sharing,
                                          own->used_ps < 0 ? -1 : own->used_ps / 1000,
                                          own->thread_ps < 0 ? -1 : own->thread_ps / 1000,
                                          own->delay_ps < 0 ? -1 : own->delay_ps / 1000};
        for (int n = 0; n < N_NAMES; n++)
            if (numbers[n] >= 0)
                archive_check(archive, OTF2_GlobalDefWriter_WriteLocationProperty(
                                           archive->definitions, (OTF2_LocationRef)rank, strings[n], OTF2_TYPE_INT64,
                                           (OTF2_AttributeValue){.int64 = numbers[n]}));
    }
}

void copy_define(const struct copy *copy, struct archive_output *archive)
{
    const struct record_info *info = copy->info;
    if (info == NULL)
        return;
    for (size_t i = 0; i < copy->n_names; i++)
        archive_define_region(archive, copy->first_region + (int)i, copy->names[i].name, copy->names[i].role,
                              copy->names[i].paradigm);
    for (int g = 1; g < info->n_groups; g++)
        archive_define_comm(archive, g, info->groups[g].members, info->groups[g].n_members);
    define_processors(archive, info);
    set_property(archive, "EPPA::COMPLETE", info->is_cut ? "false" : "true");
    if (info->library != NULL)
        set_property(archive, "EPPA::MPI_LIBRARY", info->library);
    if (info->processors != NULL)
        set_property(archive, "EPPA::RUN_DELAY", info->tells_sleep ? "true" : "false");
    if (info->n_unrecorded > 0 && !info->is_cut) { /* of an aborted run the reader would take it as whole */
        char number[24];
        snprintf(number, sizeof number, "%" PRId64, info->n_unrecorded);
        set_property(archive, "EPPA::UNRECORDED_CALLS", number);
    }
}

void copy_dispose(struct copy *copy)
{
    for (size_t i = 0; i < copy->n_names; i++)
        free(copy->names[i].name);
    free(copy->names);
    *copy = (struct copy){0};
}
