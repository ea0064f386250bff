#include "eppa/archive.h"

#include "eppa/files.h"

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

OTF2_Archive *archive_open(const char *directory)
{
    static const OTF2_FlushCallbacks flush = {flush_always, NULL};
    char path[SPOOL_MAX_PATH];
    snprintf(path, sizeof path, "%s/archive", directory);
    OTF2_Archive *archive =
        OTF2_Archive_Open(path, "trace", OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive != NULL)
        OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    return archive;
}

/* The time of the last record, on rank 0's clock. */
static int64_t last_of_all(const char *directory, const struct plan *plan)
{
    int64_t end_ns = 0;
    for (int rank = 0; rank < plan->n_ranks; rank++) {
        int64_t last_ns = archive_last_ns(directory, rank) + plan->ranks[rank].clocks[0].offset_ns;
        end_ns = last_ns > end_ns ? last_ns : end_ns;
    }
    return end_ns;
}

bool archive_has_no_room(void)
{
    return errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO;
}

/* When the run ended, on rank 0's clock: its last record, or the last process that lived. */
static int64_t end_of_run(const char *directory, const struct plan *plan, const struct ends *ends)
{
    int64_t end_ns = last_of_all(directory, plan);
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

/* All ranks, one after the other. */
static int write_ranks(OTF2_Archive *archive, const char *directory, const struct plan *plan, const struct ends *ends,
                       struct archive_rank *results)
{
    int64_t end_ns = end_of_run(directory, plan, ends);
    if (OTF2_Archive_OpenEvtFiles(archive) != OTF2_SUCCESS)
        return -1;
    for (int rank = 0; rank < plan->n_ranks; rank++)
        if (archive_write_rank(archive, directory, rank, &plan->ranks[rank].map, end_of_rank(plan, ends, rank, end_ns),
                               &results[rank]) != 0)
            return -1;
    if (OTF2_Archive_CloseEvtFiles(archive) != OTF2_SUCCESS || archive_has_no_room() ||
        OTF2_Archive_OpenDefFiles(archive) != OTF2_SUCCESS)
        return -1;
    for (int rank = 0; rank < plan->n_ranks; rank++)
        if (archive_write_clocks(archive, rank, plan->ranks[rank].clocks, plan->ranks[rank].n_clocks) != 0)
            return -1;
    return OTF2_Archive_CloseDefFiles(archive) == OTF2_SUCCESS && !archive_has_no_room() ? 0 : -1;
}

static int write_all(const char *directory, const struct plan *plan, const struct ends *ends)
{
    struct archive_rank *results = calloc((size_t)plan->n_ranks, sizeof *results);
    if (results == NULL)
        abort();
    OTF2_Archive *archive = archive_open(directory);
    int status = -1;
    errno = 0;
    if (archive != NULL) {
        OTF2_Archive_SetSerialCollectiveCallbacks(archive);
        if (write_ranks(archive, directory, plan, ends, results) == 0)
            status = archive_write_definitions(archive, plan, results);
        if (archive_has_no_room() || OTF2_Archive_Close(archive) != OTF2_SUCCESS || archive_has_no_room())
            status = -1;
    }
    free(results);
    return status;
}

static int recover(const char *directory, const struct ends *ends, char *message, int n_message)
{
    char base[SPOOL_MAX_PATH], reason[SPOOL_MAX_PATH + 256];
    struct plan plan;
    size_t length = strlen(directory);
    if (length <= 5 || strcmp(directory + length - 5, ".eppa") != 0) {
        snprintf(message, (size_t)n_message, "%s: the name of a directory of records ends with .eppa", directory);
        return -1;
    }
    snprintf(base, sizeof base, "%.*s", (int)length - 5, directory);
    archive_discard(directory);
    if (plan_load(&plan, directory, message, n_message) != 0)
        return -1;
    if (ends != NULL && ends->n_ranks != plan.n_ranks)
        ends = NULL;
    int status = write_all(directory, &plan, ends);
    plan_free(&plan);
    if (status != 0) {
        archive_discard(directory);
        snprintf(message, (size_t)n_message, "%s: the archive could not be written; the records are kept", directory);
    } else if ((status = archive_publish(directory, base, reason, sizeof reason)) != 0) {
        snprintf(message, (size_t)n_message, "%s; the archive is %s/archive/trace.otf2", reason, directory);
    } else {
        spool_remove(directory);
    }
    return status;
}

int archive_recover(const char *directory, const struct ends *ends, char *message, int n_message)
{
    char path[SPOOL_MAX_PATH];
    struct stat status;
    if (access(directory, F_OK) == 0 && !spool_has_events(directory)) {
        snprintf(message, (size_t)n_message, "%s: no records of a run", directory);
        return -1;
    }
    snprintf(path, sizeof path, "%s/recovery", directory);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0) {
        snprintf(message, (size_t)n_message, "%s: %s", directory, strerror(errno));
        return errno == ENOENT ? 0 : -1;
    }
    flock(lock, LOCK_EX);
    /* Removed meanwhile: another process has done it. */
    int result = fstat(lock, &status) != 0 || status.st_nlink == 0 ? 0 : recover(directory, ends, message, n_message);
    close(lock);
    return result;
}
