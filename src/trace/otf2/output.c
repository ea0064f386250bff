/* Opens an archive for writing, writes common definitions, and keeps the first failure of the library.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/output.h"

#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The library does not look at what fclose() says, so that a disk that is full by then is seen in errno only. */
static bool is_disk_error(int reason)
{
    return reason == ENOSPC || reason == EDQUOT || reason == EFBIG || reason == EIO;
}

void archive_check(struct archive_output *self, OTF2_ErrorCode status)
{
    if (self->status != OTF2_SUCCESS || (status == OTF2_SUCCESS && !is_disk_error(errno)))
        return;
    self->status = status != OTF2_SUCCESS ? status : OTF2_ERROR_FILE_INTERACTION;
    self->reason = errno;
}

/* Errors are reported by the caller that gets them, not by the library. */
static OTF2_ErrorCode keep_silent(void *data, const char *file, uint64_t line, const char *function,
                                  OTF2_ErrorCode status, const char *format, va_list arguments)
{
    (void)data, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    return status;
}

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

/* The time that a flush took is no part of the run. */
static const OTF2_FlushCallbacks flushing = {before_flush, NULL};

const char *archive_reason(const struct archive_output *self)
{
    return self->reason != 0 ? strerror(self->reason) : OTF2_Error_GetDescription(self->status);
}

/* The library flushes a buffer only when it gets no more memory for it: events get one chunk each. Definitions get what
 * they need. */
struct chunks {
    void *first; /* kept from flush to flush */
    void **others;
    size_t n_others, capacity;
    bool first_used;
};

static void *allocate_chunk(void *data, OTF2_FileType type, OTF2_LocationRef location, void **buffer, uint64_t bytes)
{
    (void)data, (void)location;
    struct chunks *chunks = *buffer;
    if (chunks == NULL)
        *buffer = chunks = xcalloc(1, sizeof *chunks);
    if (!chunks->first_used) {
        chunks->first_used = true;
        return chunks->first != NULL ? chunks->first : (chunks->first = xmalloc(bytes));
    }
    if (type == OTF2_FILETYPE_EVENTS)
        return NULL;
    chunks->others = xgrow(chunks->others, chunks->n_others, &chunks->capacity, sizeof *chunks->others);
    return chunks->others[chunks->n_others++] = xmalloc(bytes);
}

static void free_chunks(void *data, OTF2_FileType type, OTF2_LocationRef location, void **buffer, bool final)
{
    (void)data, (void)type, (void)location;
    struct chunks *chunks = *buffer;
    if (chunks == NULL)
        return;
    for (size_t i = 0; i < chunks->n_others; i++)
        free(chunks->others[i]);
    chunks->n_others = 0;
    chunks->first_used = false;
    if (!final)
        return;
    free(chunks->others);
    free(chunks->first);
    free(chunks);
    *buffer = NULL;
}

static const OTF2_MemoryCallbacks memory = {allocate_chunk, free_chunks};

void archive_open(struct archive_output *self, const char *folder, const char *name)
{
    *self = (struct archive_output){.status = OTF2_SUCCESS};
    errno = 0;
    OTF2_Error_RegisterCallback(keep_silent, NULL);
    self->archive = OTF2_Archive_Open(folder, name, OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN, OTF2_CHUNK_SIZE_MIN,
                                      OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (self->archive == NULL) {
        archive_check(self, OTF2_ERROR_MEM_ALLOC_FAILED);
        return;
    }
    archive_check(self, OTF2_Archive_SetFlushCallbacks(self->archive, &flushing, NULL));
    archive_check(self, OTF2_Archive_SetMemoryCallbacks(self->archive, &memory, NULL));
    archive_check(self, OTF2_Archive_SetSerialCollectiveCallbacks(self->archive));
    archive_check(self, OTF2_Archive_SetCreator(self->archive, "simrun " SIMRUN_VERSION));
    archive_check(self, OTF2_Archive_OpenEvtFiles(self->archive));
}

void archive_close(struct archive_output *self)
{
    if (self->archive == NULL)
        return;
    archive_check(self, OTF2_Archive_Close(self->archive));
    self->archive = NULL;
}

/* Readers want a file of definitions for each location; there is nothing to say in it. */
static void write_local_definitions(struct archive_output *self, int n_locations)
{
    archive_check(self, OTF2_Archive_OpenDefFiles(self->archive));
    for (int i = 0; i < n_locations && self->status == OTF2_SUCCESS; i++) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(self->archive, (OTF2_LocationRef)i);
        archive_check(self, writer != NULL ? OTF2_Archive_CloseDefWriter(self->archive, writer)
                                           : OTF2_ERROR_MEM_ALLOC_FAILED);
    }
    archive_check(self, OTF2_Archive_CloseDefFiles(self->archive));
}

void archive_begin_definitions(struct archive_output *self, int n_locations)
{
    write_local_definitions(self, n_locations);
    self->definitions = OTF2_Archive_GetGlobalDefWriter(self->archive);
    archive_check(self, self->definitions != NULL ? OTF2_SUCCESS : OTF2_ERROR_MEM_ALLOC_FAILED);
}

OTF2_StringRef archive_define_string(struct archive_output *self, const char *string)
{
    archive_check(self, OTF2_GlobalDefWriter_WriteString(self->definitions, self->n_strings, string));
    return self->n_strings++;
}

void archive_define_region(struct archive_output *self, int region, const char *name, OTF2_RegionRole role,
                           OTF2_Paradigm paradigm)
{
    OTF2_StringRef string = archive_define_string(self, name), none = OTF2_UNDEFINED_STRING;
    archive_check(self, OTF2_GlobalDefWriter_WriteRegion(self->definitions, (OTF2_RegionRef)region, string, string,
                                                         none, role, paradigm, OTF2_REGION_FLAG_NONE, none, 0, 0));
}

static void define_locations(struct archive_output *self, const struct interval_setup *setup, const uint64_t *n_events)
{
    OTF2_StringRef machine = archive_define_string(self, "machine"),
                   simulated = archive_define_string(self, "simulated");
    OTF2_StringRef master = archive_define_string(self, "Master thread");
    archive_check(self, OTF2_GlobalDefWriter_WriteSystemTreeNode(self->definitions, 0, simulated, machine,
                                                                 OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (int i = 0; i < setup->n_locations; i++) {
        bool is_rank = i < setup->n_ranks, is_thread = !is_rank && i < interval_paths(setup);
        char location[LOCATION_NAME];
        interval_name_location(location, setup, i);
        char *name = is_rank ? xformat("MPI Rank %d", i) : xstrdup(location);
        OTF2_StringRef string = archive_define_string(self, name);
        OTF2_LocationGroupRef group = (OTF2_LocationGroupRef)(is_thread ? i % setup->n_ranks : i);
        if (!is_thread)
            archive_check(self, OTF2_GlobalDefWriter_WriteLocationGroup(self->definitions, group, string,
                                                                        OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                                        OTF2_UNDEFINED_LOCATION_GROUP));
        archive_check(self, OTF2_GlobalDefWriter_WriteLocation(self->definitions, (OTF2_LocationRef)i,
                                                               is_rank ? master : string, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                               n_events[i], group));
        free(name);
    }
}

static void define_world(struct archive_output *self, int n_ranks)
{
    uint32_t n = (uint32_t)n_ranks;
    OTF2_StringRef none = archive_define_string(self, ""), name = archive_define_string(self, "MPI_COMM_WORLD");
    uint64_t *members = xcalloc(n, sizeof *members);
    for (uint32_t i = 0; i < n; i++)
        members[i] = i;
    archive_check(self, OTF2_GlobalDefWriter_WriteGroup(self->definitions, 0, none, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, members));
    archive_check(self, OTF2_GlobalDefWriter_WriteGroup(self->definitions, 1, none, OTF2_GROUP_TYPE_COMM_GROUP,
                                                        OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, n, members));
    archive_check(
        self, OTF2_GlobalDefWriter_WriteComm(self->definitions, 0, name, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    free(members);
}

void archive_define_comm(struct archive_output *self, int number, const int *members, int n_members)
{
    char *name = xformat("communicator %d", number);
    OTF2_StringRef none = archive_define_string(self, ""), string = archive_define_string(self, name);
    OTF2_GroupRef group = (OTF2_GroupRef)number + 1;
    uint64_t *ranks = xcalloc((size_t)n_members, sizeof *ranks);
    for (int i = 0; i < n_members; i++)
        ranks[i] = (uint64_t)members[i];
    archive_check(self,
                  OTF2_GlobalDefWriter_WriteGroup(self->definitions, group, none, OTF2_GROUP_TYPE_COMM_GROUP,
                                                  OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, (uint32_t)n_members, ranks));
    archive_check(self, OTF2_GlobalDefWriter_WriteComm(self->definitions, (OTF2_CommRef)number, string, group,
                                                       OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    free(ranks);
    free(name);
}

void archive_define_locations(struct archive_output *self, const struct interval_setup *setup, const uint64_t *n_events)
{
    define_locations(self, setup, n_events);
    define_world(self, setup->n_ranks);
}
