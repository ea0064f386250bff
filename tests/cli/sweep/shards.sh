#!/usr/bin/env bash
# Shards of a sweep, and stores that are joined: of all shards the store is that of one process to the last byte, whatever
# happened to one of them on the way, and what does not belong together is refused.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit

merge() { # NEW FILE...: quietly, anew
    rm -f "$1"
    "$SIMRUN" store merge "$@" 2>err
}
runs() {
    sqlite3 "$1" 'SELECT count(*) FROM runs'
}

# Shards and one process, one platform and two, a decision with runs that are discarded, shared memory.
shards=16
[ "${SLOW-1}" -eq 1 ] || shards=4 # where programs are slow
scenario sweep.xml icluster "name='broadcast'" ranks=2..11 network=fifo,fluid broadcast=flat,binomial,chain bytes=1KiB,64KiB
scenario platforms.xml icluster "name='broadcast'" ranks=2..5 network=fifo,fluid bytes=1KiB
sed -i "s|icluster.xml|&,$SOURCE_DIR/platforms/pentium2-cluster.xml|" platforms.xml
scenario shared.xml ncp2-myrinet "name='jacobi'" ranks=2,3,4 rows=64 columns=64 iterations=3
for file in sweep.xml platforms.xml shared.xml "$SOURCE_DIR/scenarios/align.xml"; do
    rm -f ./*.db
    "$SIMRUN" -q --store one.db -f json -o one.json "$file"
    for i in $(seq $shards); do
        "$SIMRUN" -q --shard "$i/$shards" -j $((1 + i % 2)) --store "shard$i.db" -o "shard$i.txt" "$file" ||
            note 1 "shard $i of $file"
    done
    check "the stores of $shards shards of $file are joined" merge all.db shard*.db
    check "they are the store of one process" cmp one.db all.db
    check "in any order, and twice" merge all.db $(seq -f shard%g.db $shards -1 1) shard3.db
    check "they are the store of one process" cmp one.db all.db
    "$SIMRUN" -q -j 2 --store two-jobs.db "$file" >out
    check "the store of two jobs, in order" merge all.db two-jobs.db
    check "is that of one" cmp one.db all.db
    "$SIMRUN" --store all.db -f json -o all.json "$file" 2>err
    n=$(runs one.db)
    check "the answer is from the store" grep -q "^simrun: $n of $n runs from the store all.db" err
    check "and is the same" cmp <(jq 'del(.runs[].host)' one.json) <(jq 'del(.runs[].host)' all.json)
    check "who asks leaves the store as it is" cmp one.db all.db
done

# Each shard has every 16th run, and says which it is.
rm -f ./*.db
"$SIMRUN" -q -f json -o one.json sweep.xml
for i in 1 2 16; do
    "$SIMRUN" --shard $i/16 -f json -o shard.json sweep.xml 2>err
    check "shard $i has every 16th run" cmp <(jq -c "[.runs | to_entries[] | select(.key % 16 == $i - 1) | .value.time_s]" one.json) \
        <(jq -c '[.runs[].time_s]' shard.json)
    check "and says so" grep -q "^simrun: sweep.xml: shard $i of 16: [78] of 120 runs" err
done
expect 0 'sweep.xml: shard 121 of 200: 0 of 120 runs' --shard 121/200 -f json sweep.xml
holds '.runs == [] and (.answer[0] | contains("0 of 120 runs"))'
run -q --shard 121/200 --store none.db sweep.xml
said yes 'Shard 121 of 200: 0 of 120 runs'
for row in '0/0|0 shards are outside 1 ... 100000' '1/100001|outside 1' '0/3|of 3 shards there is no 0: they are 1 ... 3' \
    '4/3|there is no 4' '3|not I/N, such as 3/16' '1/-1|not I/N' '1/2x|not I/N' ' 1/2|not I/N' '/|not I/N' \
    '99999999999/99999999999|not I/N'; do
    expect 2 "^simrun: --shard: .*${row#*|}" --shard "${row%%|*}" sweep.xml
done

# A shard that is missing is simulated, and so is what is missing of one. Two that were given the same number do no harm, with
# stores of their own or with the same.
"$SIMRUN" -q --store one.db sweep.xml >out
for i in 1 2 4; do "$SIMRUN" -q --shard $i/4 --store shard$i.db sweep.xml >out; done
"$SIMRUN" -q --shard 1/4 --store again.db sweep.xml >out
check "without a shard, with another twice" merge all.db shard1.db again.db shard2.db shard4.db
"$SIMRUN" --store all.db sweep.xml 2>err >out
check "what is missing is simulated" grep -q '^simrun: 90 of 120 runs from the store all.db' err
check "the same answer" cmp out <("$SIMRUN" sweep.xml)
check "in order" merge ordered.db all.db
check "and the same store" cmp one.db ordered.db
"$SIMRUN" -q --shard 3/4 --store same.db sweep.xml >out &
"$SIMRUN" -q --shard 3/4 --store same.db sweep.xml >out2
wait
check "two at once" merge all.db shard1.db same.db shard2.db shard4.db
check "the same store" cmp one.db all.db

# Killed in the middle and repeated.
scenario long.xml t800-mesh "name='gauss-jordan'" n=128 ranks=1..40 broadcast=flat,binomial,chain
"$SIMRUN" -q -j 2 --store two-jobs.db long.xml >out
check "in order" merge one.db two-jobs.db
for i in 1 2; do
    rm -f "shard$i.db"
    "$SIMRUN" -q --shard "$i/2" --store "shard$i.db" long.xml >out 2>err &
    shard=$!
    for _ in {1..1000}; do
        [ "$(runs "shard$i.db" 2>/dev/null || echo 0)" -ge 5 ] && break
        sleep 0.01
    done
    kill -9 $shard && wait $shard 2>/dev/null
    before=$(runs "shard$i.db")
    check "shard $i was killed after $before runs" test "$before" -ge 5 -a "$before" -lt 60
done
check "what there is, is joined" merge part.db shard1.db shard2.db
same "all of it" "$(runs part.db)" $(($(runs shard1.db) + $(runs shard2.db)))
for i in 1 2; do
    "$SIMRUN" --shard "$i/2" --store "shard$i.db" long.xml >out 2>err
    check "shard $i goes on" grep -qE '^simrun: [0-9]+ of 60 runs from the store' err
done
check "both are joined" merge all.db shard1.db shard2.db
check "and the same" cmp one.db all.db

# Stores that do not belong together; runs that differ; a store that exists. Nothing is made, and nothing is changed.
"$SIMRUN" -q --store sweep.db sweep.xml >out
"$SIMRUN" -q --store other.db long.xml -s ranks=2 >out
sed 's/fifo,fluid/fluid,fifo/' sweep.xml >text.xml
"$SIMRUN" -q --store text.db text.xml >out
for name in program sources build kind platform input differs rounds; do cp sweep.db "$name.db"; done
for name in kind platform input; do sqlite3 "$name.db" "UPDATE origins SET $name = 'x'"; done
sqlite3 program.db "UPDATE origins SET program = '9.9.9 sources 0123'"
# Runs of another version are kept, and one line says so.
cp program.db continued.db
expect 0 'continued.db: has runs of another simrun, 9\.9\.9 sources 0123, which are kept and not reused' --store continued.db -s ranks=2 sweep.xml
sqlite3 sources.db "UPDATE origins SET program = substr(program, 1, instr(program, 'sources ') + 7) || '0123456789abcdef'"
sqlite3 build.db "UPDATE origins SET program = '0.1.0 build 12345678'"
sqlite3 rounds.db "UPDATE runs SET compiler = 'clang 1.0, none'; UPDATE measures SET value = value + 1 WHERE run = 18 AND position = 1"
sqlite3 differs.db 'UPDATE measures SET value = value + 1 WHERE run = 18 AND position = 1'
cp sweep.db version.db && sqlite3 version.db 'PRAGMA user_version = 7'
cp sweep.db late.db && sqlite3 late.db "INSERT INTO origins SELECT 9, kind, 'more', scenario_text, platform, platform_text, input, program FROM origins"
: >empty.db
echo text >no.db
md5sum ./*.db >sums
for row in "other|has a different scenario than sweep.db: 'long', not 'sweep'" \
    "text|has different contents of the scenario 'sweep' than sweep.db" \
    "program|is of another version of the program than sweep.db: '9.9.9 sources 0123', not '[0-9.]* sources [0-9a-f]{12}'; simulate its runs again" \
    "sources|is of other sources of version [0-9.]* than sweep.db: 0123456789ab..., not [0-9a-f]{12}..., .*simulate those of one" \
    "build|was made when stores did not yet say .*'0.1.0 build 12345678'.* those of sweep.db: simulate them again, or ask" "kind|a different kind of run" \
    "platform|a different platform than sweep.db: 'x', not 'icluster'" "input|a different input" 'late|has a different scenario' \
    'version|is a store of version 7; this program' 'empty|is empty' 'no|is not a store' 'nowhere|cannot read: No such file' \
    'differs|run 18 differs from the same run in another store .ranks=9 network=fluid.*\)$' \
    'rounds|run 18 differs .*\); they were made by programs of .* and clang 1.0, none, which may round differently$'; do
    rm -f new.db
    expect 2 "^simrun: ${row%%|*}.db: .*${row#*|}" store merge new.db sweep.db "${row%%|*}.db"
    check "nothing is made" test ! -e new.db
done
expect 2 'sweep.db: already exists; a merge makes a new store' store merge sweep.db shard1.db
expect 2 'sweep.db: is an input, and would be overwritten by NEW' store merge sweep.db sweep.db
expect 2 'too few arguments: simrun store merge NEW FILE...' store merge new.db
expect 2 'none/new.db' store merge none/new.db sweep.db
check "all are as they were" md5sum --quiet -c sums
same "nothing is left" "$(ls simrun.partial-* 2>/dev/null; echo .)" .

# Two sweeps of one scenario have runs of the same numbers: all are there.
"$SIMRUN" -q -s bytes=1KiB --store left.db sweep.xml >out
"$SIMRUN" -q -s bytes=64KiB --store right.db sweep.xml >out
check "two sweeps are joined" merge both.db left.db right.db
"$SIMRUN" --store both.db sweep.xml 2>err >out
check "all are there" grep -q '^simrun: 120 of 120 runs from the store both.db' err

# Programs of the same sources are one, whoever compiled them. Of which compiler a run is, is kept, and that there are several is said.
cp right.db clang.db
sqlite3 clang.db "UPDATE runs SET compiler = 'clang 1.0, none'"
expect 0 '^simrun: new.db: its runs were made by programs .* are of [a-z]+ [0-9.]+, [^ ]* and clang 1.0, none; where these round' \
    store merge new.db left.db clang.db
same "how many are of clang" "$(sqlite3 new.db "SELECT count(*) FROM runs WHERE compiler LIKE 'clang%'")" 60
run store ls -f csv new.db 'compiler=clang 1.0, none' ranks=2 network=fifo
check "of which compiler a run is: $(cat out)" grep -qE '^run,scenario,program,compiler,' out
rm new.db
expect 0 '^simrun: new.db: 60 runs of 2 stores$' store merge new.db right.db clang.db
rm new.db
check "one compiler needs no word" merge new.db left.db right.db
same "what is said" "$(cat err)" 'simrun: new.db: 120 runs of 2 stores'
"$SIMRUN" --store clang.db -s bytes=64KiB sweep.xml 2>err >out
check "they are the program's own" grep -q '^simrun: 60 of 60 runs from the store clang.db' err

# A file that may not grow, as on a full disk: a shard keeps what it has, a merge leaves nothing.
(ulimit -f 300 && "$SIMRUN" -q --shard 1/2 --store full.db long.xml >out 2>err)
same "the status of a shard on a full disk" $? 1
check "it says so: $(cat err)" grep -qE 'full.db: (the disk is full|cannot be read or written).*what has been stored is kept' err
check "what it has is whole" test "$(runs full.db)" -gt 0 -a "$(sqlite3 full.db 'PRAGMA integrity_check')" = ok
"$SIMRUN" -q --shard 1/2 --store full.db long.xml >out
check "with room it goes on" merge all.db full.db shard2.db
check "and all is the same" cmp one.db all.db
rm -f new.db
(ulimit -f 300 && "$SIMRUN" store merge new.db one.db >out 2>err)
same "the status of a merge on a full disk" $? 1
check "it says so: $(cat err)" grep -qE 'new.db: (the disk is full|cannot be read or written).*; nothing of it is left' err
same "nothing is left" "$(ls new.db* simrun.partial-* 2>/dev/null; echo .)" .


# A disk that is full indeed, where one can be mounted.
mkdir disk
if unshare -rm true 2>/dev/null; then
    unshare -rm bash -c 'mount -t tmpfs -o size=400k none disk && "$0" -q --shard 1/2 --store disk/full.db long.xml >out 2>err
        echo $? >status && cp disk/full.db* . && "$0" store merge disk/new.db all.db 2>>err
        echo $? >>status && ls disk | grep -cv "^full" >left' "$SIMRUN"
    same "the status on a full disk" "$(tr '\n' ' ' <status)" '1 1 '
    check "it says so: $(cat err)" grep -q 'disk/full.db: the disk is full; what has been stored is kept' err
    same "nothing is left of a merge" "$(cat left)" 0
    "$SIMRUN" -q --shard 1/2 --store full.db long.xml >out
    check "what was stored is there, and with room it goes on" merge all.db full.db shard2.db
    check "and all is the same" cmp one.db all.db
fi

# Stores of former versions are read, and become stores of this one, whose runs are those of their programs.
sqlite3 sweep.db "UPDATE origins SET program = '0.1.0 build 12345678'; UPDATE runs SET compiler = ''" .dump |
    sed "/^CREATE TABLE runs/s/compiler TEXT NOT NULL, //; /^INSERT INTO runs /s/,'');$/);/" >second.sql
sed 's/events INTEGER NOT NULL, UNIQUE/wall_s REAL NOT NULL, events INTEGER NOT NULL, peak_rss_bytes INTEGER NOT NULL, UNIQUE/
    s/states BLOB NOT NULL, /&added TEXT NOT NULL, /' second.sql | sed -E "s/^(INSERT INTO runs .*,)([0-9]+)\);/\1'2026-11-22T08:30:00Z',0.5,\2,1000000);/" >first.sql
"$SIMRUN" -q --store sweep3.db sweep.xml >out
for version in 1 2; do
    rm -f former.db
    [ $version = 2 ] && sqlite3 former.db <second.sql || sqlite3 former.db <first.sql
    sqlite3 former.db "PRAGMA application_id = 0x73696d72; PRAGMA user_version = $version"
    run store ls former.db ranks=3
    expect 2 "condition: no run has compiler 'gcc'" store ls former.db 'compiler!=gcc'
    expect 2 "former.db: is a store of version $version, which is only read.*: keep new runs in a new file; simrun store merge NEW former.db" \
        --store former.db sweep.xml
    check "it is written anew" merge new.db former.db
    check "and has the same" cmp <(sqlite3 sweep.db .dump) <(sqlite3 new.db .dump)
    expect 2 "former.db: was made when stores did not yet say" store merge new2.db sweep3.db former.db
done
finish
