/* The beginning and the end of MPI, and of the recording with it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/archive.h"
#include "eppa/archive/open.h"
#include "eppa/record/census.h"
#include "eppa/record/clock.h"
#include "eppa/record/finish.h"
#include "eppa/record/finish_profile.h"
#include "eppa/record/launcher.h"
#include "eppa/record/processor.h"
#include "eppa/record/settings.h"
#include "eppa/record/switch.h"
#include "eppa/record/watch.h"
#include "eppa/wrap/wrap.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

real_function real_functions[N_REGIONS];

real_function real_look_up(enum region region)
{
    char name[64];
    snprintf(name, sizeof name, "P%s", regions[region].name);
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) { /* an extension, in Open MPI */
        snprintf(name, sizeof name, "PMPIX_%s", regions[region].name + strlen("MPI_"));
        found = dlsym(RTLD_NEXT, name);
    }
    if (found == NULL) {
        eppa_say("%s: no such function; is this an MPI program?", name);
        abort();
    }
    memcpy(&real_functions[region], &found, sizeof found);
    return real_functions[region];
}

static bool is_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

static bool agree(bool is_good)
{
    int own = is_good, all = 0;
    PMPI_Allreduce(&own, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all != 0;
}

/* Everyone opens its part of the spool; all or none. */
static bool open_spool(const char *base, int rank, int n_ranks)
{
    bool is_open = recorder_open(base, rank, n_ranks) == 0;
    if (agree(is_open))
        return true;
    if (is_open)
        recorder_close();
    PMPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        recorder_remove_spool();
    return false;
}

/* Rank 0 makes the spool. Everyone has found the file's name by itself: before all are known to be there, nothing can
 * be asked of the others. */
static bool open_together(void)
{
    int rank, n_ranks, status;
    char base[SPOOL_MAX_PATH - 64];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (rank == 0)
        settings_say_unknown();
    if (!recorder_takes(rank, n_ranks) || recorder_choose_file(base, rank == 0) != 0 ||
        !census_is_full(base, rank, n_ranks))
        return false;
    recorder.has_paths = agree(callers_want_paths(rank == 0));
    if (recorder.has_paths && recorder.outcome != OUTCOME_TRACE) {
        recorder.has_paths = false;
        if (rank == 0)
            eppa_say("EPPA_PATHS: call paths are recorded in traces (.otf2) only");
    }
    recorder.has_sites = agree(callers_wanted(rank == 0)) || recorder.has_paths;
    if (recorder.has_sites && recorder.outcome == OUTCOME_TRACE)
        python_find();
    status = rank == 0 ? recorder_make_spool(base) : 0;
    PMPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status == 0 && open_spool(base, rank, n_ranks);
}

/* The first line, in which blanks and tabs are one blank each, without what cannot be printed. */
static size_t clean_name(char name[SPOOL_MAX_LIBRARY], const char *version)
{
    size_t n = 0;
    for (const char *c = version; *c != '\0' && *c != '\n' && *c != '\r' && n + 1 < SPOOL_MAX_LIBRARY; c++) {
        bool is_blank = *c == ' ' || *c == '\t';
        if (is_blank ? n > 0 && name[n - 1] != ' ' : *c > ' ' && *c <= '~')
            name[n++] = is_blank ? ' ' : *c;
    }
    while (n > 0 && name[n - 1] == ' ')
        n--;
    name[n] = '\0';
    return n;
}

/* Write down which library of MPI it is. */
static void look_at_library(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "", name[SPOOL_MAX_LIBRARY];
    int length = 0;
    if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS)
        return;
    version[sizeof version - 1] = '\0';
    size_t n = clean_name(name, version);
    if (n > 0)
        recorder_define(DEFINE_LIBRARY, &(struct part){name, n + 1}, 1);
}

/* MPI has been initialized. */
static void begin(int provided)
{
    thread_state.is_inside = true;
    if (is_spawned()) {
        eppa_say("processes that were spawned are not recorded");
    } else if (open_together()) {
        comms_start();
        cores_look();
        look_at_library();
        if (recorder.outcome == OUTCOME_TRACE)
            clock_measure();
        if (recorder.outcome == OUTCOME_TRACE && recorder.rank == 0)
            watch_start();
        PMPI_Barrier(MPI_COMM_WORLD);
        recorder_start(provided == MPI_THREAD_SERIALIZED, provided == MPI_THREAD_MULTIPLE);
    }
    thread_state.is_inside = false;
}

EXPORTED __typeof__(PMPI_Init) MPI_Init __attribute__((alias("PMPI_Init")));
EXPORTED int PMPI_Init(int *argc, char ***argv)
{
    thread_state.is_inside = true;
    int status = REAL(Init)(argc, argv);
    thread_state.is_inside = false;
    if (status == MPI_SUCCESS)
        begin(MPI_THREAD_SINGLE);
    return status;
}

EXPORTED __typeof__(PMPI_Init_thread) MPI_Init_thread __attribute__((alias("PMPI_Init_thread")));
EXPORTED int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    thread_state.is_inside = true;
    int status = REAL(Init_thread)(argc, argv, required, provided);
    thread_state.is_inside = false;
    if (status == MPI_SUCCESS)
        begin(*provided);
    return status;
}

#if HAS_SESSIONS
/* A program that initializes MPI by sessions alone has no MPI_COMM_WORLD, among whose ranks records could be made into
 * a trace. */
WRAPPER(Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session *session))
{
    static bool has_said;
    int is_initialised = 0;
    PMPI_Initialized(&is_initialised);
    if (!is_initialised && !thread_state.is_inside && !has_said && launcher_is_first())
        eppa_say("the program uses MPI sessions without MPI_Init: nothing is recorded, and there is no trace");
    has_said = true;
    if (!call_begin(REGION_Session_init))
        return REAL(Session_init)(info, handler, session);
    int status = REAL(Session_init)(info, handler, session);
    call_end(REGION_Session_init, clock_now_ns());
    return status;
}
#endif

/* Level 0 is off, 1 on. 2 flushes: records are in the spool's file anyway. Others mean nothing here. */
EXPORTED __typeof__(PMPI_Pcontrol) MPI_Pcontrol __attribute__((alias("PMPI_Pcontrol")));
EXPORTED int PMPI_Pcontrol(const int level, ...)
{
    if ((level == 0 || level == 1) && recorder_wants()) {
        recorder_begin_turn();
        switch_turn(level == 1, clock_now_ns());
        recorder_end_turn();
    }
    return MPI_SUCCESS;
}

EXPORTED __typeof__(PMPI_Finalize) MPI_Finalize __attribute__((alias("PMPI_Finalize")));
EXPORTED int PMPI_Finalize(void)
{
    if (recorder.on) {
        thread_state.is_inside = true;
        recorder_stop(true, clock_now_ns());
        if (recorder.outcome == OUTCOME_TRACE) {
            clock_measure();
            recorder_close();
            finish_together();
        } else {
            profile_finish();
        }
    }
    thread_state.is_inside = true;
    int status = REAL(Finalize)();
    thread_state.is_inside = false;
    return status;
}

/* The other ranks may go on for a while; what they have recorded so far is in the archive. */
static void recover(void)
{
    char message[SPOOL_MAX_PATH + 256] = "";
    struct ends ends;
    recorder_stop(false, 0);
    int folder = open_folder(AT_FDCWD, recorder.directory);
    ends_open(&ends, folder, recorder.rank);
    close(folder);
    ends_look(&ends);
    if (archive_recover(recorder.directory, &ends, message, sizeof message) != 0)
        eppa_say("%s", message);
    ends_close(&ends);
}

EXPORTED __typeof__(PMPI_Abort) MPI_Abort __attribute__((alias("PMPI_Abort")));
EXPORTED int PMPI_Abort(MPI_Comm comm, int code)
{
    if (call_begin(REGION_Abort)) {
        recorder_end_turn();
        if (recorder.outcome == OUTCOME_TRACE) {
            recover();
        } else {
            recorder_stop(true, clock_now_ns());
            profile_abort();
        }
    }
    return REAL(Abort)(comm, code);
}
