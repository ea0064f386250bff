#!/bin/sh
# mpirun.sh FOLDER N SCENARIO [OPTION]...: a sweep on N ranks of MPI, which take run by run from one counter. Rank 0 simulates nothing:
# it writes FOLDER/study.db, and the answer. What has been killed or has failed goes on when the same is called again.
#   SIMRUN_MPI=/opt/simrun/bin/simrun-mpi  the program
#   MPIRUN="mpirun --hostfile hosts.txt"   how ranks are started
set -eu
folder=$1 n=$2
shift 2
mkdir -p "$folder"
exec ${MPIRUN:-mpirun} -n "$n" "${SIMRUN_MPI:-simrun-mpi}" --store "$folder/study.db" "$@"
