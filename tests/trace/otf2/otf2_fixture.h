/* Common parts of the tests of the OTF2 reader: regions, communicators, a folder, and records as text.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_FIXTURE_H
#define OTF2_FIXTURE_H

#include "base/memory.h"
#include "tests/trace/otf2/otf2_script.h"
#include "trace/record/record.h"

#include <CUnit/Basic.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT(array) (int)(sizeof(array) / sizeof(array)[0])
#define SCRIPT(ranks, table) .n_ranks = (ranks), .events = (table), .n_events = COUNT(table)
enum {
    MAIN,
    PHASE,
    SEND,
    RECV,
    SSEND,
    ISEND,
    IRECV,
    WAIT,
    WAITALL,
    SENDRECV,
    TEST,
    PROBE,
    BCAST,
    IBCAST,
    WRITE,
    START,
    OTHER,
    LINKS,
    FILE_READ,
    FILE_SEEK,
    WIN_FENCE,
    WIN_POST,
    WIN_START,
    WIN_COMPLETE,
    WIN_WAIT,
    FILE_WRITE,
    WIN_LOCK,
    WIN_UNLOCK,
    SEND_C,
    JOIN,
    NEIGHBOR,
    KERNEL,
    LAUNCH,
    DEVICE_SYNC,
    STREAM_SYNC,
    INNER_SYNC,
    MEMCPY,
    MEMCPY_ASYNC,
    GPU_IDLE,
    PARALLEL,
    TEAM_BARRIER,
    CRITICAL,
    TASK,
    OTHER_TASK,
    TASK_WAIT
};

static const struct script_region regions[] = {
    [MAIN] = {"main", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER},
    [PHASE] = {"phase", OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER},
    [SEND] = {"MPI_Send", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [RECV] = {"MPI_Recv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [SSEND] = {"MPI_Ssend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [ISEND] = {"MPI_Isend", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [IRECV] = {"MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [WAIT] = {"MPI_Wait", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [WAITALL] = {"MPI_Waitall", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [SENDRECV] = {"MPI_Sendrecv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [TEST] = {"MPI_Test", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [PROBE] = {"MPI_Probe", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [BCAST] = {"MPI_Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL, OTF2_PARADIGM_MPI},
    [IBCAST] = {"MPI_Ibcast", OTF2_REGION_ROLE_COLL_ONE2ALL, OTF2_PARADIGM_MPI},
    [WRITE] = {"write", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_NONE},
    [START] = {"MPI_Start", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [OTHER] = {"phase", OTF2_REGION_ROLE_LOOP, OTF2_PARADIGM_USER},
    [LINKS] = {"links", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_USER},
    [FILE_READ] = {"MPI_File_read_all", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_MPI},
    [FILE_SEEK] = {"MPI_File_seek", OTF2_REGION_ROLE_FILE_IO_METADATA, OTF2_PARADIGM_MPI},
    [WIN_FENCE] = {"MPI_Win_fence", OTF2_REGION_ROLE_RMA, OTF2_PARADIGM_MPI},
    [WIN_POST] = {"MPI_Win_post", OTF2_REGION_ROLE_RMA, OTF2_PARADIGM_MPI},
    [WIN_START] = {"MPI_Win_start", OTF2_REGION_ROLE_RMA, OTF2_PARADIGM_MPI},
    [WIN_COMPLETE] = {"MPI_Win_complete", OTF2_REGION_ROLE_RMA, OTF2_PARADIGM_MPI},
    [WIN_WAIT] = {"MPI_Win_wait", OTF2_REGION_ROLE_RMA, OTF2_PARADIGM_MPI},
    [FILE_WRITE] = {"MPI_File_write_all", OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_MPI},
    [WIN_LOCK] = {"MPI_Win_lock", OTF2_REGION_ROLE_RMA, OTF2_PARADIGM_MPI},
    [WIN_UNLOCK] = {"MPI_Win_unlock", OTF2_REGION_ROLE_RMA, OTF2_PARADIGM_MPI},
    [SEND_C] = {"MPI_Send_c", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI},
    [NEIGHBOR] = {"MPI_Neighbor_alltoall", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI},
    [KERNEL] = {"kernel", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_CUDA},
    [LAUNCH] = {"cudaLaunchKernel", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_CUDA},
    [DEVICE_SYNC] = {"cudaDeviceSynchronize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_CUDA},
    [STREAM_SYNC] = {"hipStreamSynchronize", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_HIP},
    [INNER_SYNC] = {"DEVICE SYNCHRONIZE", OTF2_REGION_ROLE_IMPLICIT_BARRIER, OTF2_PARADIGM_CUDA},
    [MEMCPY] = {"cudaMemcpy", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_CUDA},
    [MEMCPY_ASYNC] = {"cudaMemcpyAsync", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_CUDA},
    [GPU_IDLE] = {"GPU IDLE", OTF2_REGION_ROLE_ARTIFICIAL, OTF2_PARADIGM_CUDA},
    [PARALLEL] = {"!$omp parallel @a.c:5", OTF2_REGION_ROLE_PARALLEL, OTF2_PARADIGM_OPENMP},
    [TEAM_BARRIER] = {"!$omp implicit barrier @a.c:9", OTF2_REGION_ROLE_IMPLICIT_BARRIER, OTF2_PARADIGM_OPENMP},
    [CRITICAL] = {"!$omp critical @a.c:7", OTF2_REGION_ROLE_CRITICAL, OTF2_PARADIGM_OPENMP},
    [TASK] = {"!$omp task @a.c:6", OTF2_REGION_ROLE_TASK, OTF2_PARADIGM_OPENMP},
    [OTHER_TASK] = {"!$omp task @a.c:8", OTF2_REGION_ROLE_TASK, OTF2_PARADIGM_OPENMP},
    [TASK_WAIT] = {"!$omp taskwait @a.c:6", OTF2_REGION_ROLE_TASK_WAIT, OTF2_PARADIGM_OPENMP},
    [JOIN] = {"pthread_join", OTF2_REGION_ROLE_THREAD_WAIT, OTF2_PARADIGM_PTHREAD},
};

/* Communicators 1 ... : ranks 2, 0 (in that order), the same with ranks of the world, self, and {0} | {1, 2}. */
static const struct script_comm comms[] = {
    {.n_members = 2, .members = {2, 0}},
    {.n_members = 2, .members = {2, 0}, .has_global_ranks = true},
    {.is_self = true},
    {.n_members = 1, .members = {0}, .n_remote = 2, .remote = {1, 2}},
};

static char folder[64];
static char anchor[128];

static inline void remove_tree(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char *inner = xformat("%s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove_tree(inner);
        free(inner);
    }
    if (directory != NULL)
        closedir(directory);
    remove(path);
}

static inline void new_folder(void)
{
    strcpy(folder, P_tmpdir "/test_read_otf2-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(anchor, sizeof anchor, "%s/trace.otf2", folder);
}

/* ---- Records as text ---- */

static const char *const kind_names[] = {
    [RECORD_COMPUTE] = "compute", [RECORD_SLEEP] = "sleep",           [RECORD_SEND] = "send",
    [RECORD_RECV] = "recv",       [RECORD_ISEND] = "isend",           [RECORD_IRECV] = "irecv",
    [RECORD_WAIT] = "wait",       [RECORD_COLLECTIVE] = "collective", [RECORD_CALL] = "call",
    [RECORD_ENTER] = "enter",     [RECORD_LEAVE] = "leave",           [RECORD_PROBE] = "probe",
    [RECORD_SIGNAL] = "signal",   [RECORD_AWAIT] = "await",
};

static const char *const call_names[] = {
    [RECORD_CALL_OTHER] = "",           [RECORD_CALL_INPUT] = " input",     [RECORD_CALL_OUTPUT] = " output",
    [RECORD_CALL_RECEIVE] = " receive", [RECORD_CALL_CONTROL] = " control", [RECORD_CALL_CUT] = " cut",
    [RECORD_CALL_POLL] = " poll",       [RECORD_CALL_LIBRARY] = " library", [RECORD_CALL_READ] = " read",
    [RECORD_CALL_WRITE] = " write",     [RECORD_CALL_SEND] = " send",       [RECORD_CALL_START] = " start",
    [RECORD_CALL_WAIT] = " wait",
};

static inline void write_record(FILE *out, const struct record_info *info, const struct record *record)
{
    fprintf(out, "%s", kind_names[record->kind]);
    if (record->kind == RECORD_ENTER || record->kind == RECORD_LEAVE)
        fprintf(out, " %s", info->scopes[record->scope]);
    fprintf(out, " %" PRId64, record->start_ps);
    if (record->end_ps != record->start_ps)
        fprintf(out, "-%" PRId64, record->end_ps);
    if (record->kind == RECORD_SEND || record->kind == RECORD_RECV || record->kind == RECORD_ISEND ||
        record->kind == RECORD_IRECV || record->kind == RECORD_PROBE)
        fprintf(out, " peer %d tag %d bytes %" PRId64 " group %d", record->peer, record->tag, record->bytes,
                record->group);
    if (record->combines)
        fprintf(out, " combines");
    if (record->kind == RECORD_CALL)
        fprintf(out, "%s", call_names[record->call]);
    if (record->kind == RECORD_CALL && record->what != NULL)
        fprintf(out, " in %s", record->what);
    if (record->kind == RECORD_CALL && record->peer >= 0)
        fprintf(out, " for %d", record->peer);
    if (record->kind == RECORD_CALL && record->bytes > 0)
        fprintf(out, " bytes %" PRId64, record->bytes);
    if (record->sleep == SLEEP_PROCESSOR)
        fprintf(out, " for %d", record->peer);
    else if (record->sleep != SLEEP_IDLE)
        fprintf(out, " sleep %d", record->sleep);
    if (record->kind == RECORD_COLLECTIVE)
        fprintf(out, " %d root %d bytes %" PRId64 " group %d", record->collective, record->peer, record->bytes,
                record->group);
    if (record->fixed_ps > 0)
        fprintf(out, " fixed %" PRId64, record->fixed_ps);
    if (record->kind == RECORD_ISEND || record->kind == RECORD_IRECV || record->kind == RECORD_WAIT)
        fprintf(out, " r%u", (unsigned)record->request);
    if (record->kind == RECORD_SIGNAL || record->kind == RECORD_AWAIT)
        fprintf(out, " mark %" PRId64 " of %u", record->mark, (unsigned)record->request);
    if (record->kind == RECORD_AWAIT && record->peer >= 0)
        fprintf(out, " for %d", record->peer);
    if (record->operations > 0 || record->quantums > 0)
        fprintf(out, " operations %" PRId64 " quantums %" PRId64, record->operations, record->quantums);
    if (record->idle_ps >= 0)
        fprintf(out, " idle %" PRId64, record->idle_ps);
    fprintf(out, "%s%s%s\n", record->control ? " control" : "", record->synchronous ? " synchronous" : "",
            record->exchanges ? " exchanges" : "");
}

/* All records of a location; in the end the error, if there is one. The caller frees. */
static inline char *records_of(struct record_reader *reader, int rank)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    struct record record;
    struct sim_error error;
    int status;
    while ((status = record_next(reader, rank, &record, &error)) == 1)
        write_record(out, &reader->info, &record);
    if (status < 0)
        fprintf(out, "%s\n", error.message);
    fclose(out);
    return text;
}

static inline void expect_text(const char *name, int rank, const char *found, const char *expected)
{
    if (strcmp(found, expected) != 0)
        fprintf(stderr, "\n%s, rank %d: expected\n%sfound\n%s", name, rank, expected, found);
    CU_ASSERT_STRING_EQUAL(found, expected);
}

#endif
