#!/usr/bin/env bash
# The scripts of examples/cluster, with GNU parallel and MPI: the store is that of one process, also where a shard is killed, and where all of it
# is and is called again.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
command -v parallel >/dev/null || {
    echo 'NOT COMPARED: scripts for clusters, without GNU parallel'
    exit 77
}
HOME=$work # where parallel keeps what it needs

# Notes the process of each shard, so that it can be killed.
program=$SIMRUN
cat >simrun <<END
#!/bin/sh
echo \$\$ >>"$work/pids-\$(echo "\$3" | tr / -)"
exec "$program" "\$@"
END
chmod +x simrun
scripts=$SOURCE_DIR/examples/cluster
sweep() { # FOLDER N ARGUMENT...
    SIMRUN=$work/simrun "$scripts/parallel.sh" "$@"
}
count() {
    sqlite3 "$1" 'SELECT count(*) FROM runs' 2>/dev/null || echo 0
}
shards() {
    cat pids-* 2>/dev/null
}
await_runs() { # FILE COUNT: whose shards stop then, however slow this computer is in looking
    for _ in {1..2000}; do
        kill -STOP $(shards) 2>/dev/null
        [ "$(count "$1")" -ge "$2" ] && return
        kill -CONT $(shards) 2>/dev/null
        sleep 0.02
    done
    note 1 "$1 never had $2 runs"
}

scenario long.xml t800-mesh "name='gauss-jordan'" n=1536 ranks=1..40 broadcast=flat,binomial,chain
"$program" -q --store one.db long.xml >one.txt
sweep whole 5 long.xml >out 2>err
same "the status of 5 shards" $? 0
check "their store is that of one process" cmp one.db whole/study.db
check "and their answer" cmp one.txt out
sweep whole 5 long.xml >out 2>err
check "once more, from the stores" cmp one.txt out

rm pids-* # none of them lives
sweep killed 2 long.xml >out 2>err &
await_runs killed/shard-2.db 3
kill -9 "$(head -n 1 pids-2-2)"
kill -CONT $(shards) 2>/dev/null
wait $!
same "the status where a shard was killed" $? 0
check "it was tried again" test "$(wc -l <pids-2-2)" -ge 2
check "the store is that of one process" cmp one.db killed/study.db
check "and the answer" cmp one.txt out

SIMRUN=$work/none "$scripts/parallel.sh" ended 2 long.xml >out 2>err
check "without the program it ends with an error" test $? -ne 0 -a ! -e ended/study.db
rm pids-*
SIMRUN=$work/simrun setsid --fork bash -c 'echo $$ >group; exec "$0" ended 2 long.xml' "$scripts/parallel.sh" >out 2>err
await_runs ended/shard-1.db 3
kill -9 -- "-$(cat group)" $(shards) 2>/dev/null
check "all was killed" test ! -e ended/study.db
before=$(count ended/shard-1.db)
sweep ended 2 long.xml >out 2>err
same "the status of the same again" $? 0
check "$before runs of the first shard were kept" test "$before" -ge 3
check "the store is that of one process" cmp one.db ended/study.db
rm pids-*

# MPI: ranks, one of them killed, and the same again; two platforms; a run that fails; what is refused.
mpi=$BUILD_DIR/simrun-mpi
if [ -x "$mpi" ] && command -v mpirun.openmpi >/dev/null; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 SIMRUN_MPI=$work/simrun-mpi
    export MPIRUN='mpirun.openmpi --oversubscribe --mca btl self,vader,tcp'
    cat >simrun-mpi <<END
#!/bin/sh
echo \$\$ >"$work/rank-\$OMPI_COMM_WORLD_RANK"
exec "$mpi" "\$@"
END
    chmod +x simrun-mpi
    ranks() { # FOLDER N ARGUMENT...
        "$scripts/mpirun.sh" "$@" >out 2>err
    }
    ordered() { # the runs of a store in their order
        rm -f ordered.db
        "$program" store merge ordered.db "$1" 2>/dev/null
    }
    ranks mpi 4 --quiet long.xml
    same "the status of four ranks" $? 0
    check "their answer" cmp one.txt out
    ordered mpi/study.db
    check "and their store, in order" cmp one.db ordered.db
    ranks mpi 1 long.xml
    check "the store answers one rank" grep -q '^simrun: 120 of 120 runs from the store mpi/study.db' err

    # Killed is the process that mpirun has started a rank by, or the one that simulates. All takes half a minute.
    lose() { # RANK PATTERN COMMAND...
        local store=endless/study.db rank=$1 pattern=$2
        "${@:3}" >out 2>err &
        await_runs "$store" 3
        victim=$(cat "rank-$rank")
        [ "$pattern" != "${pattern#mpirun}" ] || victim=$(ps -o pid= --ppid "$victim")
        kill -9 $victim
        wait $!
        same "the status where rank $rank was killed" $? 1
        same "said once: $pattern" "$(grep -cE "^$pattern" err)" 1
        before=$(count "$store")
        check "$before runs are kept, and the store is whole" test "$before" -ge 3 -a "$before" -lt 120 \
            -a "$(sqlite3 "$store" 'PRAGMA integrity_check')" = ok
    }
    scenario endless.xml t800-mesh "name='gauss-jordan'" n=1024 ranks=5..44 broadcast=flat,binomial,chain
    for rank in 0 2; do
        rm -rf endless && mkdir endless
        lose $rank "simrun: rank $rank ended by signal 9 .Killed.; what was stored is kept" \
            $MPIRUN -n 3 "$SIMRUN_MPI" --store endless/study.db endless.xml
        check "who only simulates says no more: $(grep interrupted err)" test "$(grep -c interrupted err)" -le $((rank / 2))
    done
    rm -rf endless
    lose 1 'mpirun.sh: a rank has died .status 137.; what was stored is in endless/study.db' "$scripts/mpirun.sh" endless 3 endless.xml
    ranks endless 3 --set ranks=5..8 endless.xml
    same "the status of the beginning again" $? 0
    check "it goes on: $(cat err)" grep -qE '^simrun: ([3-9]|1[0-2]) of 12 runs from the store' err
    check "with the same answer" cmp out <("$program" -q --set ranks=5..8 endless.xml)

    scenario platforms.xml icluster "name='broadcast'" ranks=2..5 network=fifo,fluid bytes=1KiB
    sed -i "s|icluster.xml|&,$SOURCE_DIR/platforms/pentium2-cluster.xml|" platforms.xml
    ranks platforms 3 --quiet platforms.xml
    check "two platforms" cmp out <("$program" platforms.xml)
    ranks what 3 --quiet --shard 2/3 --what-if=io --set n=64 long.xml
    check "a shard, and causes of its best run" cmp out <("$program" --quiet --shard 2/3 --what-if=io --set n=64 long.xml)
    refused() { # PATTERN COMMAND...
        "${@:2}" >out 2>err
        same "the status of ${*:2}" $? 2
        same "said once: $1" "$(grep -cE "^simrun: .*$1" err)" 1
    }
    for row in '--jobs: the ranks of simrun-mpi are its jobs|-j 2 long.xml' 'none.xml: cannot read|none.xml'; do
        refused "${row%|*}" $MPIRUN -n 2 "$mpi" ${row#*|}
    done
    for row in 'neither a file nor|nonsense' "only simulates scenarios; for the rest use 'simrun store ls'|store ls one.db" \
        'one scenario at a time|long.xml long.xml'; do
        refused "${row%|*}" "$mpi" ${row#*|}
    done
else
    echo 'NOT COMPARED: sweeps on ranks of MPI, without Open MPI'
fi
finish
