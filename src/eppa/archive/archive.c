/* Writes the OTF2 archive of a spool: opens it, gives each rank its part, and closes it with what went wrong.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/archive.h"

#include "eppa/archive/cut.h"
#include "eppa/archive/files.h"
#include "eppa/archive/memory.h"
#include "eppa/archive/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENT_CHUNK_BYTES = 256 * 1024 };

static OTF2_FlushType flush_always(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_ErrorCode first_error;
static OTF2_ErrorCallback former_callback;

/* Keeps errno, which tells of a full disk. */
static OTF2_ErrorCode keep_error(void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                                 const char *format, va_list arguments)
{
    (void)data, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    if (first_error == OTF2_SUCCESS)
        first_error = code;
    return code;
}

OTF2_Archive *archive_create(const char *path)
{
    static const OTF2_FlushCallbacks flush = {flush_always, NULL};
    first_error = OTF2_SUCCESS;
    former_callback = OTF2_Error_RegisterCallback(keep_error, NULL);
    OTF2_Archive *archive =
        OTF2_Archive_Open(path, "trace", OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive != NULL)
        OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    return archive;
}

int archive_finish(OTF2_Archive *archive)
{
    bool is_good = archive != NULL && !archive_has_no_room();
    if (archive != NULL)
        is_good = OTF2_Archive_Close(archive) == OTF2_SUCCESS && is_good && !archive_has_no_room();
    OTF2_Error_RegisterCallback(former_callback, NULL);
    return is_good ? 0 : -1;
}

const char *archive_error(void)
{
    return first_error == OTF2_SUCCESS ? "" : OTF2_Error_GetDescription(first_error);
}

/* The time of the last record, on rank 0's clock. */
static int64_t last_of_all(int folder, const struct plan *plan)
{
    int64_t end_ns = 0;
    for (int rank = 0; rank < plan->n_ranks; rank++) {
        int64_t last_ns = archive_last_ns(folder, rank) + plan->ranks[rank].clocks[0].offset_ns;
        end_ns = last_ns > end_ns ? last_ns : end_ns;
    }
    return end_ns;
}

bool archive_has_no_room(void)
{
    return errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO;
}

/* When the run ended, on rank 0's clock: its last record, or the last process that lived. */
static int64_t end_of_run(int folder, const struct plan *plan, const struct ends *ends)
{
    int64_t end_ns = last_of_all(folder, plan);
    for (int rank = 0; ends != NULL && rank < ends->n_ranks; rank++) {
        int64_t ended_ns = ends->ranks[rank].ended_ns + plan->ranks[ends->observer].clocks[0].offset_ns;
        if (ends->ranks[rank].ended_ns != 0 && ended_ns > end_ns)
            end_ns = ended_ns;
    }
    return end_ns;
}

static struct archive_end end_of_rank(const struct plan *plan, const struct ends *ends, int rank, int64_t end_of_run_ns)
{
    int64_t offset_ns = plan->ranks[rank].clocks[0].offset_ns;
    if (ends == NULL || ends->ranks[rank].ended_ns == 0)
        return (struct archive_end){end_of_run_ns - offset_ns, false};
    int64_t ended_ns = ends->ranks[rank].ended_ns + plan->ranks[ends->observer].clocks[0].offset_ns;
    return (struct archive_end){ended_ns - offset_ns, true};
}

/* Ranks that kept a part learn what the others have. */
static int count_cut(int folder, const struct plan *plan)
{
    if (!plan->ranks[0].map.cut.is_cut)
        return 0;
    for (int rank = 0; rank < plan->n_ranks; rank++)
        if (cut_survey(folder, rank, &plan->ranks[rank].map) != 0)
            return -1;
    return cut_join(folder, plan);
}

/* All ranks, one after the other. */
static int write_ranks(OTF2_Archive *archive, int folder, const struct plan *plan, const struct ends *ends,
                       struct archive_rank *results)
{
    int64_t end_ns = end_of_run(folder, plan, ends);
    if (count_cut(folder, plan) != 0)
        return -1;
    if (OTF2_Archive_OpenEvtFiles(archive) != OTF2_SUCCESS)
        return -1;
    for (int rank = 0; rank < plan->n_ranks; rank++)
        if (archive_write_rank(archive, folder, rank, plan->n_ranks, &plan->ranks[rank].map,
                               end_of_rank(plan, ends, rank, end_ns), &results[rank]) != 0)
            return -1;
    if (OTF2_Archive_CloseEvtFiles(archive) != OTF2_SUCCESS || archive_has_no_room() ||
        OTF2_Archive_OpenDefFiles(archive) != OTF2_SUCCESS)
        return -1;
    for (int rank = 0; rank < plan->n_ranks; rank++)
        if (archive_write_clocks(archive, rank, plan->n_ranks, &plan->ranks[rank], &results[rank]) != 0)
            return -1;
    return OTF2_Archive_CloseDefFiles(archive) == OTF2_SUCCESS && !archive_has_no_room() ? 0 : -1;
}

static int write_archive(const char *path, int folder, const struct plan *plan, const struct ends *ends)
{
    struct archive_rank *results = memory_need(calloc((size_t)plan->n_ranks, sizeof *results));
    int status = -1;
    OTF2_Archive *archive = archive_create(path);
    errno = 0;
    if (archive != NULL) {
        OTF2_Archive_SetSerialCollectiveCallbacks(archive);
        if (write_ranks(archive, folder, plan, ends, results) == 0)
            status = archive_write_definitions(archive, plan, results);
    }
    if (archive_finish(archive) != 0)
        status = -1;
    for (int rank = 0; rank < plan->n_ranks; rank++)
        free(results[rank].thread_events);
    free(results);
    return status;
}

/* OTF2 wants a path. By that of the open directory it writes there, whatever comes to bear its name meanwhile. */
static int write_all(int folder, const char *directory, const struct plan *plan, const struct ends *ends)
{
    char path[SPOOL_MAX_PATH + 16];
    if (mkdirat(folder, "archive", 0777) != 0)
        return -1;
    int archive = open_folder(folder, "archive");
    if (archive < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", archive);
    if (access(path, F_OK) != 0)
        snprintf(path, sizeof path, "%s/archive", directory);
    int status = write_archive(path, folder, plan, ends);
    close(archive);
    return status;
}

/* The path of the archive is that of the spool without ".eppa"; false if that is no name. */
static bool find_base(const char *directory, char base[SPOOL_MAX_PATH])
{
    static const char extension[] = ".eppa";
    size_t length = strlen(directory), rest = length - (sizeof extension - 1);
    if (length < sizeof extension || strcmp(directory + rest, extension) != 0 || directory[rest - 1] == '/')
        return false;
    return snprintf(base, SPOOL_MAX_PATH, "%.*s", (int)rest, directory) < SPOOL_MAX_PATH;
}

/* Recover a spool that has been looked through. */
static int recover(int folder, const char *directory, const char *base, const struct ends *ends, char *message,
                   int n_message)
{
    char reason[SPOOL_MAX_PATH + 256];
    struct plan plan;
    archive_discard(folder);
    if (plan_load(&plan, folder, directory, message, n_message) != 0)
        return -1;
    if (ends != NULL && ends->n_ranks != plan.n_ranks)
        ends = NULL;
    int status = write_all(folder, directory, &plan, ends);
    plan_free(&plan);
    if (status != 0) {
        archive_discard(folder);
        snprintf(message, (size_t)n_message, "%s: the archive could not be written; the records are kept%s%s",
                 directory, archive_error()[0] == '\0' ? "" : "; OTF2 says: ", archive_error());
    } else if ((status = archive_publish(folder, base, reason, sizeof reason)) != 0) {
        snprintf(message, (size_t)n_message, "%s; the archive is %s/archive/trace.otf2", reason, directory);
    } else {
        spool_remove(folder, directory);
    }
    return status;
}

/* One process at a time: the others find that the mark is gone. */
static int recover_alone(int folder, const char *directory, const char *base, const struct ends *ends, char *message,
                         int n_message)
{
    struct stat status;
    int lock = open_regular(folder, "recovery", O_RDWR | O_CREAT);
    if (lock < 0) {
        snprintf(message, (size_t)n_message, "%s: %s", directory, strerror(errno));
        return errno == ENOENT ? 0 : -1;
    }
    flock(lock, LOCK_EX);
    bool is_done = fstat(lock, &status) != 0 || status.st_nlink == 0;
    int result = is_done ? 0 : recover(folder, directory, base, ends, message, n_message);
    close(lock);
    return result;
}

int archive_recover(const char *directory, const struct ends *ends, char *message, int n_message)
{
    char base[SPOOL_MAX_PATH];
    int folder = open_folder(AT_FDCWD, directory), result = -1;
    if (folder < 0) {
        snprintf(message, (size_t)n_message, "%s: %s", directory, strerror(errno));
        return errno == ENOENT ? 0 : -1;
    }
    errno = 0;
    if (!find_base(directory, base))
        snprintf(message, (size_t)n_message, "%s: the name of a directory of records must end in .eppa", directory);
    else if (!spool_has_events(folder))
        snprintf(message, (size_t)n_message, "%s: %s", directory, errno != 0 ? strerror(errno) : "no records of a run");
    else if (spool_check_destination(directory, message, n_message) == 0)
        result = recover_alone(folder, directory, base, ends, message, n_message);
    close(folder);
    return result;
}
