"""Messages round a ring: kept.py ROUNDS."""
# SPDX-License-Identifier: BSD-3-Clause
import sys

from mpi4py import MPI

comm = MPI.COMM_WORLD
for number in range(int(sys.argv[1])):
    received = comm.sendrecv(number, dest=(comm.rank + 1) % comm.size, source=(comm.rank - 1) % comm.size)
    assert received == number
