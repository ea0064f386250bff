/* Communication kernels of MPI programs. Usage: kernels NAME BYTES ROUNDS LATE-FLOPS. One rank, a third of the way
 * through all, first computes LATE-FLOPS. The last line of each rank is the simulated second at which it is done.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REQUESTS = 256 };

struct kernel {
    int rank, ranks, bytes, round;
    char *given, *taken; /* a block for each rank */
    MPI_Request requests[MOST_REQUESTS];
    int n_requests;
};

#define WORLD MPI_COMM_WORLD

static void post_receive(struct kernel *self, int from)
{
    char *place = self->taken + (size_t)self->bytes * (size_t)from;
    MPI_Irecv(place, self->bytes, MPI_CHAR, from, 1, WORLD, &self->requests[self->n_requests++]);
}

static void begin_send(struct kernel *self, int to)
{
    MPI_Isend(self->given, self->bytes, MPI_CHAR, to, 1, WORLD, &self->requests[self->n_requests++]);
}

static void wait_for_all(struct kernel *self)
{
    MPI_Waitall(self->n_requests, self->requests, MPI_STATUSES_IGNORE);
    self->n_requests = 0;
}

static void exchange(struct kernel *self, int to, int from)
{
    MPI_Sendrecv(self->given, self->bytes, MPI_CHAR, to, 1, self->taken, self->bytes, MPI_CHAR, from, 1, WORLD,
                 MPI_STATUS_IGNORE);
}

/* To the next rank, from the one before. */
static void ring(struct kernel *self)
{
    exchange(self, (self->rank + 1) % self->ranks, (self->rank + self->ranks - 1) % self->ranks);
}

/* Ranks that differ in one bit exchange, another bit in each round. */
static void pairs(struct kernel *self)
{
    int other = self->rank ^ 1 << self->round;
    if (other < self->ranks)
        exchange(self, other, other);
}

/* With the neighbors in a grid eight ranks wide that has borders. */
static void stencil(struct kernel *self)
{
    const int steps[] = {-1, 1, -8, 8};
    for (int sends = 0; sends < 2; sends++)
        for (int i = 0; i < 4; i++) {
            int other = self->rank + steps[i];
            if (other < 0 || other >= self->ranks || (i < 2 && other / 8 != self->rank / 8))
                continue;
            if (sends)
                begin_send(self, other);
            else
                post_receive(self, other);
        }
    wait_for_all(self);
}

/* All send to the first, which receives from one after another. */
static void many_to_one(struct kernel *self)
{
    if (self->rank > 0)
        MPI_Send(self->given, self->bytes, MPI_CHAR, 0, 1, WORLD);
    for (int from = 1; self->rank == 0 && from < self->ranks; from++)
        MPI_Recv(self->taken, self->bytes, MPI_CHAR, from, 1, WORLD, MPI_STATUS_IGNORE);
}

/* The first sends work to all and takes their results as they come. */
static void workers(struct kernel *self)
{
    for (int other = 1; self->rank == 0 && other < self->ranks; other++)
        post_receive(self, other);
    for (int other = 1; self->rank == 0 && other < self->ranks; other++)
        begin_send(self, other);
    if (self->rank > 0) {
        MPI_Recv(self->taken, self->bytes, MPI_CHAR, 0, 1, WORLD, MPI_STATUS_IGNORE);
        smpi_execute_flops(1e5 * (self->rank % 5));
        MPI_Send(self->given, self->bytes, MPI_CHAR, 0, 1, WORLD);
    }
    wait_for_all(self);
}

static void barrier(struct kernel *self)
{
    smpi_execute_flops(1e6 * ((self->rank + self->round) % 7));
    MPI_Barrier(WORLD);
}

static void broadcast(struct kernel *self)
{
    MPI_Bcast(self->given, self->bytes, MPI_CHAR, 0, WORLD);
}

static void scatter(struct kernel *self)
{
    MPI_Scatter(self->given, self->bytes, MPI_CHAR, self->taken, self->bytes, MPI_CHAR, 0, WORLD);
}

static void gather(struct kernel *self)
{
    MPI_Gather(self->given, self->bytes, MPI_CHAR, self->taken, self->bytes, MPI_CHAR, 0, WORLD);
}

static void reduce(struct kernel *self)
{
    MPI_Reduce(self->given, self->taken, self->bytes, MPI_CHAR, MPI_MAX, 0, WORLD);
}

static void allreduce(struct kernel *self)
{
    MPI_Allreduce(self->given, self->taken, self->bytes, MPI_CHAR, MPI_MAX, WORLD);
}

static void allgather(struct kernel *self)
{
    MPI_Allgather(self->given, self->bytes, MPI_CHAR, self->taken, self->bytes, MPI_CHAR, WORLD);
}

static void alltoall(struct kernel *self)
{
    MPI_Alltoall(self->given, self->bytes, MPI_CHAR, self->taken, self->bytes, MPI_CHAR, WORLD);
}

static const struct {
    const char *name;
    void (*run)(struct kernel *self);
} kernels[] = {
    {"ring", ring},         {"pairs", pairs},     {"stencil", stencil},     {"many-to-one", many_to_one},
    {"workers", workers},   {"barrier", barrier}, {"broadcast", broadcast}, {"scatter", scatter},
    {"gather", gather},     {"reduce", reduce},   {"allreduce", allreduce}, {"allgather", allgather},
    {"alltoall", alltoall},
};

int main(int argc, char **argv)
{
    struct kernel self = {.bytes = atoi(argv[2])};
    size_t which = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &self.rank);
    MPI_Comm_size(WORLD, &self.ranks);
    self.given = calloc((size_t)self.ranks, (size_t)self.bytes);
    self.taken = calloc((size_t)self.ranks, (size_t)self.bytes);
    while (strcmp(kernels[which].name, argv[1]) != 0)
        which++;
    if (self.rank == self.ranks / 3)
        smpi_execute_flops(atof(argv[4]));
    for (self.round = 0; self.round < atoi(argv[3]); self.round++)
        kernels[which].run(&self);
    printf("%.12f\n", MPI_Wtime());
    free(self.given);
    free(self.taken);
    MPI_Finalize();
    return 0;
}
