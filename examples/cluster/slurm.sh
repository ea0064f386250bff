#!/bin/sh
# slurm.sh FOLDER N SCENARIO [OPTION]...: submits a sweep to Slurm: an array of N jobs, each a shard, and a job behind it that joins
# their stores to FOLDER/study.db and writes the answer to FOLDER/answer.txt. FOLDER is on a file system that all nodes see. What has
# been killed or has failed goes on when the same is called again: shards that are done take a moment.
#   SIMRUN=/opt/simrun/bin/simrun  the program, the same build on all nodes
#   SBATCH_TIMELIMIT, SBATCH_PARTITION, SBATCH_ACCOUNT ...  what sbatch takes from the environment
# SPDX-License-Identifier: BSD-3-Clause
set -eu
folder=$1 n=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
array=$(sbatch --parsable --requeue --array="1-$n" --job-name=shard --output="$folder/shard-%a.txt" "$here/slurm-shard.sh" "$folder" "$n" "$@")
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --job-name=merge --output="$folder/answer.txt" \
    "$here/slurm-merge.sh" "$folder" "$n" "$@")
echo "shards: job $array, the whole: job $merge"
