#!/bin/sh
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
# slurm-shard.sh FOLDER N SCENARIO [OPTION]...: one job of the array that slurm.sh submits. It is the shard of its own number, of N also
# where the array is submitted again for some of them: sbatch --array=3,7 slurm-shard.sh FOLDER N SCENARIO.
# SPDX-License-Identifier: BSD-3-Clause
set -eu
folder=$1 n=$2
shift 2
exec "${SIMRUN:-simrun}" --quiet --jobs "${SLURM_CPUS_PER_TASK:-1}" --shard "$SLURM_ARRAY_TASK_ID/$n" \
    --store "$folder/shard-$SLURM_ARRAY_TASK_ID.db" "$@"
