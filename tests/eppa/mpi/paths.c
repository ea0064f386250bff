/* paths: calls MPI through functions, recursive, inlined and by pointers, whose call tree is known (tests/eppa/paths.sh).
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

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
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++) {
        solve(2);
        exchange();
        last();
    }
    MPI_Finalize();
    return 0;
}
