#!/bin/sh
#SBATCH --ntasks=1
# slurm-merge.sh FOLDER N SCENARIO [OPTION]...: joins the stores of all shards, and answers from the whole.
# SPDX-License-Identifier: BSD-3-Clause
set -eu
folder=$1 n=$2
shift 2
rm -f "$folder/study.db"
"${SIMRUN:-simrun}" store merge "$folder/study.db" $(seq -f "$folder/shard-%.0f.db" "$n")
exec "${SIMRUN:-simrun}" --store "$folder/study.db" "$@"
