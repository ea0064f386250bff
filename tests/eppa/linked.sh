#!/usr/bin/env bash
# A library that is linked does what one that is preloaded does, in C and in Fortran. Not with sanitizers.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
[ "$preload" = "$library" ] || need "libraries without sanitizers" false

for mpi in openmpi mpich; do
    use_mpi $mpi
    mpicc -Wno-stringop-overflow -I"$SOURCE_DIR/src/eppa" -o linked "$programs/ring.c" -Wl,-rpath,"$BUILD_DIR" "$library" -lm
    mpif90 -o linked_f "$programs/ring.f90" -Wl,--no-as-needed -Wl,-rpath,"$BUILD_DIR" "$library"
    EPPA_FILE=trace timeout 300 mpirun -n 4 ./linked 60 >out || fail "$MPI: status $?"
    same "$MPI"
    EPPA_FILE=$PWD/trace.otf2 timeout 300 mpirun -n 4 ./linked_f >out || fail "$MPI, Fortran: status $?"
    same "$MPI, Fortran"
done
[ $failed = 0 ]
