/* Plants a regression in an MPI program, for tools/check-compare: a library to be preloaded before libeppa, which then
 * records what this does.
 *
 *   PLANT=late:RANK:US   that rank computes so many us before each MPI_Send
 *   PLANT=split:N        a message of MPI_Send, MPI_Recv or MPI_Sendrecv is sent in N pieces
 *   PLANT=pieces:N       MPI_Alltoall is done by an MPI_Sendrecv for each N elements, one after the other
 * SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int late_rank = -1, late_us, n_pieces, piece;

__attribute__((constructor)) static void read_plan(void)
{
    const char *plan = getenv("PLANT");
    if (plan == NULL || sscanf(plan, "late:%d:%d", &late_rank, &late_us) == 2 ||
        sscanf(plan, "split:%d", &n_pieces) == 1 || sscanf(plan, "pieces:%d", &piece) == 1)
        return;
    fprintf(stderr, "plant: PLANT=%s is none of late:RANK:US, split:N, pieces:N\n", plan);
    exit(2);
}

/* The next library's function of that name. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void compute(int us)
{
    struct timespec now, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    for (now = end; (now.tv_sec - end.tv_sec) * 1000000L + (now.tv_nsec - end.tv_nsec) / 1000 < us;)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
}

static void *at(const void *buffer, int count, MPI_Datatype type)
{
    MPI_Aint lower, extent;
    MPI_Type_get_extent(type, &lower, &extent);
    return (char *)buffer + count * extent;
}

/* The pieces of a message: the same at both of its ends. */
static int piece_of(int count)
{
    int size = n_pieces > 0 ? (count + n_pieces - 1) / n_pieces : count;
    return size > 0 ? size : 1;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    int rank, step = piece_of(count);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == late_rank)
        compute(late_us);
    int status = count == 0 ? NEXT(MPI_Send)(buffer, 0, type, to, tag, comm) : MPI_SUCCESS;
    for (int i = 0; i < count && status == MPI_SUCCESS; i += step)
        status = NEXT(MPI_Send)(at(buffer, i, type), smaller(step, count - i), type, to, tag, comm);
    return status;
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *done)
{
    int step = piece_of(count);
    int status = count == 0 ? NEXT(MPI_Recv)(buffer, 0, type, from, tag, comm, done) : MPI_SUCCESS;
    for (int i = 0; i < count && status == MPI_SUCCESS; i += step)
        status = NEXT(MPI_Recv)(at(buffer, i, type), smaller(step, count - i), type, from, tag, comm, done);
    return status;
}

int MPI_Sendrecv(const void *out, int n_out, MPI_Datatype out_type, int to, int out_tag, void *in, int n_in,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *done)
{
    int step = piece_of(n_out), status = MPI_SUCCESS;
    if (n_out != n_in || n_out == 0)
        return NEXT(MPI_Sendrecv)(out, n_out, out_type, to, out_tag, in, n_in, in_type, from, in_tag, comm, done);
    for (int i = 0; i < n_out && status == MPI_SUCCESS; i += step) {
        int n = smaller(step, n_out - i);
        status = NEXT(MPI_Sendrecv)(at(out, i, out_type), n, out_type, to, out_tag, at(in, i, in_type), n, in_type,
                                    from, in_tag, comm, done);
    }
    return status;
}

int MPI_Alltoall(const void *out, int n_out, MPI_Datatype out_type, void *in, int n_in, MPI_Datatype in_type,
                 MPI_Comm comm)
{
    int rank, ranks, status = MPI_SUCCESS;
    if (piece == 0 || out == MPI_IN_PLACE || n_out != n_in)
        return NEXT(MPI_Alltoall)(out, n_out, out_type, in, n_in, in_type, comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < ranks && status == MPI_SUCCESS; i++) {
        int to = (rank + i) % ranks, from = (rank - i + ranks) % ranks;
        for (int k = 0; k < n_out && status == MPI_SUCCESS; k += piece) {
            int n = smaller(piece, n_out - k);
            status = NEXT(MPI_Sendrecv)(at(out, to * n_out + k, out_type), n, out_type, to, 0,
                                        at(in, from * n_in + k, in_type), n, in_type, from, 0, comm, MPI_STATUS_IGNORE);
        }
    }
    return status;
}
