/* What an archive that is a copy defines besides what all archives do: functions, communicators, properties. */
#include "trace/otf2/copy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void set_property(struct archive_output *archive, const char *name, const char *value)
{
    archive_check(archive, OTF2_Archive_SetProperty(archive->archive, name, value, true));
}

/* What the trace says of its machine: all of it of one rank. */
static void define_processors(struct archive_output *archive, const struct record_info *info)
{
    const struct {
        const char *name;
        int64_t value;
    } properties[] = {{"EPPA::CORES_OF_HOST", info->n_host_cores},
                      {"EPPA::RANKS_OF_HOST", info->n_host_ranks},
                      {"EPPA::PROCESSOR_NS", info->processor_ps / 1000}};
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++)
        if (properties[i].value > 0)
            archive_check(archive, OTF2_GlobalDefWriter_WriteLocationProperty(
                                       archive->definitions, 0, archive_define_string(archive, properties[i].name),
                                       OTF2_TYPE_INT64, (OTF2_AttributeValue){.int64 = properties[i].value}));
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
