/* OTF2, as Score-P writes it: an OTF2 location for each location, one process each for the ranks, whose further
 * processors are threads of it, and after them for the protocol controllers; regions of MPI around messages and
 * waiting, regions of the user around all other time. One tick is 1 ps.
 *
 *   MPI_Send, MPI_Recv  one message each, with its record; what of their time was waiting is on their Leave, as the
 *                       attribute simrun.idle_ps (of a receive it is the beginning, and may be 0: it waited for its
 *                       message to come, not to be sent). MPI_Ssend: a rendezvous that the program wants
 *   MPI_Isend, MPI_Irecv, MPI_Wait
 *                       one request each; the message of a receive is where it is waited for
 *   useful, control, idle, input, output, links
 *                       all other time; the attribute eppa.role on Enter is the state's name. On Leave eppa.operations
 *                       or simrun.bytes, where there are any; of waiting for a processor that ranks share, simrun.peer
 *   Comp, Wait/page ... the same of programs that share memory: category and operation of the protocol
 *
 * The program's scopes are regions around these. The tag of messages within a collective is the largest there is. A
 * trace that was read is written from its records instead (trace/otf2/copy.h).
 *
 * OTF2 holds an open file and some 4 MiB for each location that is being written. So what comes is sorted by location
 * first, and one location is written after the other.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/record/writer.h"
#include "base/memory.h"
#include "os/output_folder.h"
#include "trace/otf2/copy.h"
#include "trace/otf2/interval_visits.h"

#include <errno.h>
#include <stdlib.h>

static const char *const extensions[] = {".otf2", ".def", "", NULL};
static const char *const begins[] = {"\003?OTF2", "\003?", "\003?"}; /* the second character is the order of bytes */

struct otf2 {
    struct output_folder output;
    struct visit_output visits;
    struct interval_visits intervals;
    struct copy copy; /* of records; empty while intervals come */
};

/* --- while intervals come --- */

static void *otf2_open(const char *file, struct sim_error *error)
{
    struct output_folder output;
    if (output_folder_open(&output, file, extensions, begins, error) != 0)
        return NULL;
    struct otf2 *self = xcalloc(1, sizeof *self);
    self->output = output;
    interval_visits_init(&self->intervals, file);
    archive_open(&self->visits.archive, output.partial, output.stem);
    visit_output_init(&self->visits);
    return self;
}

static void otf2_begin(void *data, const struct interval_setup *setup)
{
    struct otf2 *self = data;
    interval_visits_begin(&self->intervals, setup);
    self->visits.n_events = xcalloc((size_t)setup->n_locations, sizeof *self->visits.n_events);
}

static void otf2_write(void *data, const struct interval *interval)
{
    struct otf2 *self = data;
    interval_visits_add(&self->intervals, interval);
}

static int otf2_copy(void *data, struct record_reader *reader, struct sim_error *error)
{
    struct otf2 *self = data;
    return copy_records(&self->copy, &self->visits, reader, self->intervals.scope_regions, error);
}

/* --- the locations' files --- */

/* Every location gets a file, one without visits too. */
static void write_locations(struct otf2 *self)
{
    int n_locations = self->intervals.setup->n_locations;
    struct archive_output *archive = &self->visits.archive;
    struct sorter *sorter = self->intervals.sorter;
    int64_t location;
    interval_visits_end(&self->intervals);
    const uint64_t *packed = sorter_next(sorter, &location);
    struct region_visit visit = {0};
    for (int i = 0; i < n_locations && archive->status == OTF2_SUCCESS; i++) {
        visit_begin_location(&self->visits, i);
        for (; packed != NULL && location == i && archive->status == OTF2_SUCCESS;
             packed = sorter_next(sorter, &location)) {
            visit_unpack(&visit, packed);
            visit_write(&self->visits, &visit);
        }
        visit_end_location(&self->visits, i);
    }
    errno = sorter_status(sorter);
    archive_check(archive, errno == 0 ? OTF2_SUCCESS : OTF2_ERROR_FILE_INTERACTION);
    errno = 0;
}

/* As libeppa writes them. */
static void define_parameters(struct archive_output *archive, const char *const *parameters)
{
    for (size_t i = 0; parameters != NULL && parameters[i] != NULL && archive->status == OTF2_SUCCESS; i += 2) {
        char *name = xformat("EPPA::PARAMETER::%s", parameters[i]);
        archive_check(archive, OTF2_Archive_SetProperty(archive->archive, name, parameters[i + 1], true));
        free(name);
    }
}

static void define_all(struct otf2 *self, int64_t end_ps)
{
    const struct interval_setup *setup = self->intervals.setup;
    struct archive_output *archive = &self->visits.archive;
    archive_begin_definitions(archive, setup->n_locations);
    if (archive->status != OTF2_SUCCESS)
        return;
    visit_define(&self->visits, end_ps, self->copy.info == NULL || self->copy.info->says_waits);
    interval_visits_define(&self->intervals, archive);
    archive_define_locations(archive, setup, self->visits.n_events);
    copy_define(&self->copy, archive);
    define_parameters(archive, setup->parameters);
}

/* --- the end --- */

static void dispose(struct otf2 *self)
{
    copy_dispose(&self->copy);
    visit_output_dispose(&self->visits);
    interval_visits_dispose(&self->intervals);
    free(self->visits.n_events);
}

/* All is freed but what is in the partial folder, which is whole if the status says so. */
static void close_archive(struct otf2 *self, int64_t end_ps)
{
    struct archive_output *archive = &self->visits.archive;
    if (archive->status == OTF2_SUCCESS && self->copy.info == NULL)
        write_locations(self);
    if (archive->archive != NULL)
        archive_check(archive, OTF2_Archive_CloseEvtFiles(archive->archive));
    if (archive->status == OTF2_SUCCESS)
        define_all(self, self->copy.info != NULL ? self->copy.info->end_ps : end_ps);
    archive_close(archive);
    dispose(self);
}

static void otf2_abandon(void *data)
{
    struct otf2 *self = data;
    archive_check(&self->visits.archive,
                  OTF2_ERROR_INTERRUPTED_BY_CALLBACK); /* so that nothing more is written than must be */
    close_archive(self, 0);
    output_folder_abandon(&self->output);
    free(self);
}

static int otf2_close(void *data, int64_t end_ps, struct sim_error *error)
{
    struct otf2 *self = data;
    close_archive(self, end_ps);
    int status = 0;
    if (self->visits.archive.status != OTF2_SUCCESS) {
        status = sim_error_set(error, SIM_UNFINISHED, self->output.file, 0, "could not be written: %s",
                               archive_reason(&self->visits.archive));
        output_folder_abandon(&self->output);
    } else {
        status = output_folder_close(&self->output, error);
    }
    free(self);
    return status;
}

const struct trace_format trace_otf2 = {
    .name = "otf2",
    .extension = ".otf2",
    .summary = "OTF2 archive, for Vampir, Scalasca and simrun itself",
    .extensions = extensions,
    .open = otf2_open,
    .begin = otf2_begin,
    .write = otf2_write,
    .copy = otf2_copy,
    .close = otf2_close,
    .abandon = otf2_abandon,
};
