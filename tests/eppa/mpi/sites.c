/* sites: calls MPI from places that it knows. Rank 0 prints a line "FILE:LINE FUNCTION CALLS" for each, with the calls
 * of all ranks; with -DLIBRARY it is a library whose only function does a part of that. A call and its note are on one
 * line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#include <stdio.h>
#include <string.h>

enum { MOST = 64, ROUNDS = 7 };

struct notes {
    struct note {
        const char *file, *function;
        int line, calls;
    } notes[MOST];
    int n;
};

static void note_at(struct notes *all, const char *file, int line, const char *function)
{
    int i = 0;
    while (i < all->n && (all->notes[i].line != line || strcmp(all->notes[i].file, file) != 0))
        i++;
    if (i == all->n)
        all->notes[all->n++] = (struct note){file, function, line, 0};
    all->notes[i].calls++;
}

#define NOTE(all, function) note_at(all, strrchr("/" __FILE__, '/') + 1, __LINE__, function)

void far_away(struct notes *all);

#ifdef LIBRARY
/* Another module, at another address in every process. */
void far_away(struct notes *all)
{
    int one = 1, sum;
    NOTE(all, "MPI_Allreduce"), MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    NOTE(all, "MPI_Barrier"), MPI_Barrier(MPI_COMM_WORLD);
}
#else
/* The compiler makes its calls where it is called from, and the source has them here. */
static inline __attribute__((always_inline)) void inlined(struct notes *all)
{
    NOTE(all, "MPI_Bcast"), MPI_Bcast(&all->n, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void requests(struct notes *all)
{
    MPI_Request requests[2];
    int out = 1, in, flag;
    NOTE(all, "MPI_Irecv"), MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
    NOTE(all, "MPI_Isend"), MPI_Isend(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);
    NOTE(all, "MPI_Waitall"), MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    NOTE(all, "MPI_Iprobe"), MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

static void comms(struct notes *all)
{
    MPI_Comm made;
    NOTE(all, "MPI_Comm_dup"), MPI_Comm_dup(MPI_COMM_WORLD, &made);
    NOTE(all, "MPI_Comm_free"), MPI_Comm_free(&made);
}

int main(int argc, char **argv)
{
    struct notes all = {0};
    int rank, p, gathered[MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 0; i < ROUNDS; i++) {
        NOTE(&all, "MPI_Gather"), MPI_Gather(&i, 1, MPI_INT, gathered, 1, MPI_INT, 0, MPI_COMM_WORLD);
        inlined(&all);
        requests(&all);
        far_away(&all);
    }
    comms(&all);
    inlined(&all);
    MPI_Finalize();
    for (int i = 0; rank == 0 && i < all.n; i++)
        printf("%s:%d %s %d\n", all.notes[i].file, all.notes[i].line, all.notes[i].function, p * all.notes[i].calls);
    return 0;
}
#endif
