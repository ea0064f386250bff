#!/usr/bin/env bash
# The scripts of examples/cluster, with GNU parallel: the store is that of one process, also where a shard is killed, and where all of it
# is and is called again.
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
await_runs() { # FILE COUNT
    for _ in {1..2000}; do
        [ "$(count "$1")" -ge "$2" ] && return
        sleep 0.01
    done
    note 1 "$1 never had $2 runs"
}

scenario long.xml t800-mesh "name='gauss-jordan'" n=96 ranks=1..40 broadcast=flat,binomial,chain
"$program" -q --store one.db long.xml >one.txt
sweep whole 16 long.xml >out 2>err
same "the status of 16 shards" $? 0
check "their store is that of one process" cmp one.db whole/study.db
check "and their answer" cmp one.txt out
sweep whole 16 long.xml >out 2>err
check "once more, from the stores" cmp one.txt out

sweep killed 2 long.xml >out 2>err &
await_runs killed/shard-2.db 3
kill -9 "$(head -n 1 pids-2-2)"
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
kill -9 -- "-$(cat group)" $(cat pids-*) 2>/dev/null
check "all was killed" test ! -e ended/study.db
before=$(count ended/shard-1.db)
sweep ended 2 long.xml >out 2>err
same "the status of the same again" $? 0
check "$before runs of the first shard were kept" test "$before" -ge 3
check "the store is that of one process" cmp one.db ended/study.db
finish
