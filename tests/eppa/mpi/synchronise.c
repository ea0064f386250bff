/* Calls that synchronize, each ROUNDS times: one rank is the last to come, by 10 ms. What is called is the first
 * argument.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#if defined OPEN_MPI && MPI_VERSION < 4 && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define ALLREDUCE_INIT MPIX_Allreduce_init
#else
#define ALLREDUCE_INIT MPI_Allreduce_init
#endif
#include <string.h>
#include <time.h>

enum { ROUNDS = 5, LATE = 1 };

static int rank;

static void be_late(int who)
{
    const struct timespec pause = {0, 10000000};
    if (rank == who)
        nanosleep(&pause, NULL);
}

static void fence(void)
{
    MPI_Win window;
    static int memory[4];
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < ROUNDS; i++) {
        be_late(LATE);
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
}

/* Rank 0 exposes memory to the others; it is late itself, or one of those that access it. */
static void epoch(int late)
{
    MPI_Win window;
    MPI_Group all, target, origins;
    static int memory[4];
    const int zero = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &zero, &target);
    MPI_Group_excl(all, 1, &zero, &origins);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            be_late(late);
            MPI_Win_post(origins, 0, window);
            MPI_Win_wait(window);
        } else {
            MPI_Win_start(target, 0, window);
            MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
            be_late(late);
            MPI_Win_complete(window);
        }
    }
    MPI_Win_free(&window);
    MPI_Group_free(&all);
    MPI_Group_free(&target);
    MPI_Group_free(&origins);
}

/* Rank 1 keeps a lock for long, which rank 0 wants meanwhile. It does not take the lock again before rank 0 has had it:
 * MPI does not say who gets it next, and rank 1 would keep it in a barrier that rank 0 does not reach. */
static void locks(void)
{
    MPI_Win window;
    static int memory;
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < ROUNDS; i++) {
        if (rank == LATE)
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, LATE, 0, window);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, LATE, 0, window);
        be_late(LATE);
        if (rank <= LATE)
            MPI_Win_unlock(LATE, window);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&window);
}

static void handles(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm copy;
        be_late(LATE);
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Comm_free(&copy);
    }
}

static void files(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_File file;
        be_late(LATE);
        MPI_File_open(MPI_COMM_WORLD, "synchronise.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
        MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
}

static void persistent(void)
{
    MPI_Request request;
    int sum = 0;
    ALLREDUCE_INIT(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < ROUNDS; i++) {
        be_late(LATE);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static void neighbours(void)
{
    MPI_Comm ring;
    const int yes = 1;
    int size, in[2] = {0};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &yes, 0, &ring);
    for (int i = 0; i < ROUNDS; i++) {
        be_late(LATE);
        MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, ring);
    }
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(what, "fence") == 0)
        fence();
    else if (strcmp(what, "post") == 0)
        epoch(0);
    else if (strcmp(what, "complete") == 0)
        epoch(LATE);
    else if (strcmp(what, "locks") == 0)
        locks();
    else if (strcmp(what, "handles") == 0)
        handles();
    else if (strcmp(what, "files") == 0)
        files();
    else if (strcmp(what, "persistent") == 0)
        persistent();
    else if (strcmp(what, "neighbours") == 0)
        neighbours();
    MPI_Finalize();
    return 0;
}
