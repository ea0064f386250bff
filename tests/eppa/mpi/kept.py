"""Messages round a ring: kept.py ROUNDS."""
# SPDX-License-Identifier: BSD-3-Clause
import sys

from mpi4py import MPI

comm = MPI.COMM_WORLD
sent, received = bytearray(8), bytearray(8)
for number in range(int(sys.argv[1])):
    sent[0] = number % 256
    comm.Sendrecv(sent, (comm.rank + 1) % comm.size, recvbuf=received, source=(comm.rank - 1) % comm.size)
    assert received == sent
