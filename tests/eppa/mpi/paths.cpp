// paths: calls MPI through a method, a template and an unnamed function of C++.
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

namespace grid {

struct Halo {
    template <int N> __attribute__((noinline)) void exchange();
    __attribute__((noinline)) void update();
};

volatile int level;

template <int N> void Halo::exchange()
{
    for (int i = 0; i < N; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    level++;
}

void Halo::update()
{
    exchange<4>();
    level++;
}

} // namespace grid

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    grid::Halo halo;
    halo.update();
    MPI_Finalize();
    return 0;
}
