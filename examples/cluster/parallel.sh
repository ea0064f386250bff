#!/bin/sh
# parallel.sh FOLDER N SCENARIO [OPTION]...: a sweep in N shards by GNU parallel, as many at a time as there are processors, or on
# the computers of a login file. FOLDER keeps the stores of the shards, and study.db, the whole. What has been killed or has failed goes
# on when the same is called again.
#   SIMRUN=/opt/simrun/bin/simrun  the program, the same build everywhere
#   LOGINS=hosts.txt               computers, as parallel --sshloginfile takes them; FOLDER is on a file system that all see
# SPDX-License-Identifier: BSD-3-Clause
set -eu
folder=$1 n=$2
shift 2
simrun=${SIMRUN:-simrun}
mkdir -p "$folder"
rm -f "$folder/study.db"

parallel ${LOGINS:+--sshloginfile "$LOGINS" --workdir .} --will-cite --quote --retries 3 --joblog "$folder/joblog" \
    "$simrun" --quiet --shard "{}/$n" --store "$folder/shard-{}.db" "$@" ::: $(seq "$n") >"$folder/reports.txt"

"$simrun" store merge "$folder/study.db" $(seq -f "$folder/shard-%.0f.db" "$n")
"$simrun" --store "$folder/study.db" "$@"
