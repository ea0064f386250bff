/* paths: calls MPI through functions, recursive, inlined and by pointers, whose call tree is known
 * (tests/eppa/paths.sh). Its argument is the depth of the recursion.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#include <stdlib.h>

static volatile int level;

static inline __attribute__((always_inline)) void reduce(void)
{
    int sum = 1;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static __attribute__((noinline)) void exchange(void)
{
    level++;
    MPI_Barrier(MPI_COMM_WORLD);
    level--;
}

static __attribute__((noinline)) void solve(int n)
{
    if (n > 0)
        solve(n - 1);
    else
        exchange();
    level++;
}

static __attribute__((noinline)) void norm(void)
{
    reduce();
    level++;
}

int main(int argc, char **argv)
{
    void (*volatile last)(void) = norm;
    int depth = argc > 1 ? atoi(argv[1]) : 2;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++) {
        solve(depth);
        exchange();
        last();
    }
    MPI_Finalize();
    return 0;
}
