"""paths: calls MPI through functions and a method of Python.

SPDX-License-Identifier: BSD-3-Clause
"""
from mpi4py import MPI


def exchange(times):
    for _ in range(times):
        MPI.COMM_WORLD.Barrier()


class Solver:
    def solve(self):
        exchange(3)
        MPI.COMM_WORLD.Bcast(bytearray(8))


Solver().solve()
exchange(2)
