#!/bin/sh
# mpirun.sh FOLDER N SCENARIO [OPTION]...: a sweep on N ranks of MPI, which take run by run from one counter. Rank 0 simulates nothing:
# it writes FOLDER/study.db, and the answer. The status is that of simrun, or 1 where a rank has died. What has been killed or has failed goes
# on when the same is called again.
#   SIMRUN_MPI=/opt/simrun/bin/simrun-mpi  the program
#   MPIRUN="mpirun --hostfile hosts.txt"   how ranks are started
# SPDX-License-Identifier: BSD-3-Clause
set -eu
folder=$1 n=$2
shift 2
mkdir -p "$folder"
status=0
${MPIRUN:-mpirun} -n "$n" "${SIMRUN_MPI:-simrun-mpi}" --store "$folder/study.db" "$@" || status=$?
[ "$status" -le 2 ] && exit "$status"
echo "mpirun.sh: a rank has died (status $status); what was stored is in $folder/study.db, and the same call goes on" >&2
exit 1
