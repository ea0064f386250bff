#!/usr/bin/env bash
# Sweeps and the experiment store from outside: the same bytes on any number of jobs and after any interruption, what the
# store answers, and what it says of files that are no stores.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

same_runs() {
    check "$1 and $2 say the same" diff <(jq 'del(.runs[].host)' "$1") <(jq 'del(.runs[].host)' "$2")
}

ask() {
    sqlite3 "$1" "$2"
}

# Ranges; rank and factor; a change without effect; networks that disagree; jobs.
scenario "$work/ranges.xml" t800-mesh "name='gauss-jordan'" n=16..32:8 ranks=1..16*2 broadcast=flat,chain \
    broadcast_segment=512,1KiB
for jobs in 1 2 5; do "$SIMRUN" -j $jobs -f json -o "$work/ranges$jobs.json" "$work/ranges.xml"; done
same_runs "$work/ranges1.json" "$work/ranges2.json"
same_runs "$work/ranges1.json" "$work/ranges5.json"
holds '[.runs[].parameters.n] | unique == [16, 24, 32]' "$work/ranges1.json"
holds '[.runs[].ranks] | unique == [1, 2, 4, 8, 16]' "$work/ranges1.json"
holds '.runs | length == 60' "$work/ranges1.json"
holds '.runs | group_by(.parameters.n) | all(. as $all | all(.[]; . as $run
    | .rank == 1 + ([$all[] | select(.time_s < $run.time_s)] | length)
    and (.factor_to_best - $run.time_s / ([$all[].time_s] | min) | fabs) < 1e-9))' "$work/ranges1.json"
holds 'all(.runs[]; .critical_path_s[.dominant] as $most | $most > 0
    and all(.critical_path_s | to_entries[] | select(.key | contains(".")); .value <= $most))' "$work/ranges1.json"
holds '.without_effect | any(.parameter == "broadcast_segment" and .all_values)' "$work/ranges1.json"
holds '. as $all | all(.without_effect[]; $all.runs[.runs[0]].time_s == $all.runs[.runs[1]].time_s)' "$work/ranges1.json"
"$SIMRUN" -f csv -o "$work/ranges.csv" "$work/ranges.xml"
check "CSV has what JSON has" grep -q '^ranks,.*,rank,factor_to_best,dominant,largest_overhead' "$work/ranges.csv"
expect 2 'ranks 128 x n 16384 = 2097152 runs; at most 100000 are allowed' -s ranks=1..128 -s n=1..16384 \
    -s broadcast=flat -s broadcast_segment=512 "$SOURCE_DIR/scenarios/gj128.xml"

scenario "$work/networks.xml" icluster "name='broadcast'" ranks=8,13 bytes=256KiB network=quiet,fluid \
    broadcast=binomial,chain,chain_segmented broadcast_segment=8KiB
"$SIMRUN" -j 2 -f json -o "$work/networks.json" "$work/networks.xml"
holds '.runs as $runs | .ranked_differently | length > 0 and all(.[];
    $runs[.order[0]].time_s < $runs[.order[1]].time_s and $runs[.other_order[0]].time_s < $runs[.other_order[1]].time_s
    and $runs[.order[0]].parameters.broadcast == $runs[.other_order[1]].parameters.broadcast)' "$work/networks.json"
"$SIMRUN" -o "$work/networks.txt" "$work/networks.xml"
check "the text names them" grep -q '^The networks do not agree on .* pairs of alternatives:$' "$work/networks.txt"

# A large sweep: the time that it takes grows with the number of runs, not with its square; the text shows the ends.
runs=10000 most_kills=10
[ "${SLOW-1}" -eq 1 ] || runs=1000 most_kills=4 # where programs are slow
cpu_ms() {
    local TIMEFORMAT='%U %S'
    { time "$SIMRUN" -q -s bytes=1000.."$1":1000 "${@:2}" -o "$work/large.out" "$work/large.xml"; } 2>&1 |
        awk '{ printf "%.0f", 1000 * ($1 + $2) }'
}
scenario "$work/large.xml" icluster "name='broadcast'" ranks=2..11 bytes=1000
for options in '-j 1 -f csv' '-j 2 -f csv' '-j 1 -f text'; do
    few=$(cpu_ms $((runs * 100 / 8)) $options)
    many=$(cpu_ms $((runs * 100)) $options)
    check "$options: $((runs / 8)) runs in $few ms, $runs in $many" test "$many" -lt $((20 * few))
done
check "the text says what it leaves out" \
    grep -qF "The tables show the first 5 and the last 5 of $runs runs; ... $((runs - 10)) more in -f csv." "$work/large.out"
check "the text is short" test "$(wc -l <"$work/large.out")" -le 50
"$SIMRUN" -s ranks=8 -s bytes=1000..150000:1000 -s broadcast=flat,binomial -v -f text -o "$work/large.txt" "$work/large.xml"
"$SIMRUN" -s ranks=8 -s bytes=1000..150000:1000 -s broadcast=flat,binomial -f csv -o "$work/large.csv" "$work/large.xml"
check "problems of which the text shows no more than the slowest runs" \
    grep -q '^The tables show the first 20 and the last 20 of 300 runs; ... 260 more in -f csv.$' "$work/large.txt"
same "the slowest run of the last problem is compared with the fastest" \
    "$(awk '/^$/ { on = 0 } /^Time$/ { on = 1 } on && /x [0-9]/ { last = $0 } END { print last }' "$work/large.txt" | grep -o 'x [0-9.]*')" \
    "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["parameters.bytes"] == 150000 &&
        $at["factor_to_best"] > 1 { printf "x %.2f", $at["factor_to_best"] }' "$work/large.csv")"

# Several platforms: the same as each by itself, on any number of jobs.
scenario "$work/platforms.xml" icluster "name='broadcast'" ranks=2..4 network=fifo,fluid bytes=1KiB
sed -i "s|icluster.xml|&,$SOURCE_DIR/platforms/pentium2-cluster.xml|" "$work/platforms.xml"
for jobs in 1 3; do "$SIMRUN" -j $jobs -f json -o "$work/platforms$jobs.json" "$work/platforms.xml"; done
same_runs "$work/platforms1.json" "$work/platforms3.json"
for platform in icluster pentium2-cluster; do
    "$SIMRUN" -s platform=$platform -f json -o "$work/$platform.json" "$work/platforms.xml"
    check "$platform by itself" diff <(jq "[.runs[] | select(.platform == \"$platform\") | .time_s]" "$work/platforms1.json") \
        <(jq '[.runs[].time_s]' "$work/$platform.json")
done
holds '[.runs[] | .parameters.platform == .platform] | length == 12 and all' "$work/platforms1.json"
expect 2 "'icluste' is neither one of the scenario's platforms .*; did you mean 'icluster'" -s platform=icluste "$work/platforms.xml"
sed 's|pentium2-cluster.xml|icluster.xml|' "$work/platforms.xml" >"$work/twice.xml"
expect 2 "twice.xml:1: <platform> file: 'icluster' is listed twice" "$work/twice.xml"
sed 's|pentium2-cluster.xml|none.xml|' "$work/platforms.xml" >"$work/missing.xml"
expect 2 'none.xml' -j 2 "$work/missing.xml"

# Killed several times at random moments: what is in the store stays, is not simulated again, and the report is as if nothing
# had happened.
scenario "$work/kills.xml" t800-mesh "name='gauss-jordan'" n=128 ranks=1..40 \
    broadcast=flat,neighbour,binomial,chain,chain_segmented
total=200
"$SIMRUN" -j 2 -f json -o "$work/whole.json" "$work/kills.xml"
store=$work/kills.db
kills=0
before=0
for attempt in {1..60}; do # a sweep that comes to its end before it is killed does not count, and is begun anew
    [ $kills -lt $most_kills ] || break
    "$SIMRUN" -q -j 2 --store "$store" -f json -o "$work/killed.json" "$work/kills.xml" 2>/dev/null &
    simrun=$!
    goal=$((before + 1 + RANDOM % (total / 14)))
    while kill -0 $simrun 2>/dev/null; do
        count=$(ask "$store" 'SELECT count(*) FROM runs' 2>/dev/null)
        [ "${count:-0}" -ge $goal ] && break
        sleep 0.01
    done
    sleep "0.00$((RANDOM % 10))"
    killed=no
    kill -9 $simrun 2>/dev/null && killed=yes
    wait $simrun 2>/dev/null
    after=$(ask "$store" 'SELECT count(*) FROM runs')
    check "nothing is lost in attempt $attempt: $before, then $after runs" test "$after" -ge "$before"
    check "the store is whole after attempt $attempt" test "$(ask "$store" 'PRAGMA integrity_check')" = ok
    check "whole runs only after attempt $attempt" test "$(ask "$store" 'SELECT count(*) FROM runs WHERE discarded = "" AND
        (SELECT count(*) FROM measures WHERE run = runs.id) < 40')" = 0
    before=$after
    if [ $killed = yes ] && [ "$after" -lt $total ]; then
        kills=$((kills + 1))
    else
        rm -f "$store"*
        before=0
    fi
done
check "$most_kills were killed, not $kills, the last with $before of $total runs" test "$kills" -eq $most_kills -a "$before" -gt 0
"$SIMRUN" -v -j 2 --store "$store" -f json -o "$work/continued.json" "$work/kills.xml" 2>"$work/err"
check "what is there is taken from there" grep -q "^simrun: $before of $total runs from the store $store\$" "$work/err"
same_runs "$work/whole.json" "$work/continued.json"
same "each run is there once" "$(ask "$store" 'SELECT count(*), count(DISTINCT parameters), max(id) FROM runs')" \
    "$total|$total|$total"
same "each is there under its number in the sweep" "$(ask "$store" 'SELECT min(id), max(id) FROM runs')" "1|$total"
same "nothing is left beside the store" "$(ls "$store"*)" "$store"

# Ended by a signal that it can see, it says how far it has come, and leaves nothing beside the store.
interrupt() { # SIGNAL ARGUMENT...: when three runs are in the store, or after a second; without one, as soon as it would see it
    env --default-signal=INT,HUP "$SIMRUN" -q -s n=2048 "${@:2}" "$work/kills.xml" >"$work/out" 2>"$work/err" &
    local simrun=$! bit=$((1 << ($(kill -l "$1") - 1)))
    for _ in {1..500}; do
        if [[ " $* " == *' --store '* ]]; then
            [ "$(ask "$work/stop.db" 'SELECT count(*) FROM runs' 2>/dev/null || echo 0)" -ge 3 ] && break
        else
            # It catches the signal, and has simulated for a tenth of a second.
            ((0x$(sed -n 's/^SigCgt:[^0-9a-f]*//p' /proc/$simrun/status) & bit)) &&
                [ "$(awk '{ print $14 + $15 }' /proc/$simrun/stat)" -ge 10 ] && break
        fi
        sleep 0.01
    done
    kill -s "$1" $simrun
    wait $simrun 2>/dev/null
    same "the status after SIG$1" $? $((128 + $(kill -l "$1")))
}
for signal in INT TERM HUP; do
    for jobs in 1 2; do
        rm -f "$work/stop.db"*
        interrupt $signal -j $jobs --store "$work/stop.db"
        same "after SIG$signal" "$(cat "$work/err")" "simrun: interrupted after $(ask "$work/stop.db" 'SELECT count(*) FROM runs') \
of $total runs; they are in $work/stop.db, and the same command goes on"
        same "beside the store after SIG$signal" "$(echo "$work/stop.db"*)" "$work/stop.db"
    done
    rm -f "$work/stop.db"
    interrupt $signal -j 1
    check "after SIG$signal without a store" grep -qx "simrun: interrupted after [0-9]* of $total runs" "$work/err"
done

scenario "$work/shared.xml" ncp2-myrinet "name='jacobi'" ranks=4 rows=64 columns=64 iterations=3

# Everything from the store, also the text and the tables of shared memory; a decision; several platforms.
for scenario in "$work/kills.xml" "$work/platforms.xml" "$SOURCE_DIR/scenarios/align.xml" "$work/shared.xml"; do
    if [ "$scenario" = "$work/kills.xml" ]; then
        cp "$work/whole.json" "$work/plain.json"
    else
        "$SIMRUN" -f json -o "$work/plain.json" "$scenario"
    fi
    "$SIMRUN" -j 2 --store "$work/all.db" -f json -o "$work/first.json" "$scenario"
    "$SIMRUN" -v --store "$work/all.db" -f json -o "$work/second.json" "$scenario" 2>"$work/err"
    runs=$(jq '.runs | length' "$work/plain.json")
    check "all of $scenario from the store: $(cat "$work/err")" grep -q "^simrun: $runs of $runs runs from the store" "$work/err"
    same_runs "$work/plain.json" "$work/first.json"
    "$SIMRUN" -q --store "$work/all.db" -o "$work/second.txt" "$scenario" 2>"$work/err"
    check "--quiet does not say where they are from" test ! -s "$work/err"
    same_runs "$work/first.json" "$work/second.json"
    holds 'all(.runs[]; .discarded or (.host | keys == ["events"]))' "$work/second.json"
    check "the same text" cmp <("$SIMRUN" "$scenario") <("$SIMRUN" --store "$work/all.db" "$scenario")
done

# A run is a new one if its platform, its scenario or the program differs; and a trace is written even so.
cp "$SOURCE_DIR/platforms/icluster.xml" "$work/own.xml"
scenario "$work/own-scenario.xml" own.xml "name='broadcast'" ranks=2,3 bytes=1KiB
own() { "$SIMRUN" -v --store "$work/own.db" "$@" "$work/own-scenario.xml" 2>&1 >/dev/null | grep -c 'from the store'; }
same "new runs" "$(own)" 0
same "known runs" "$(own)" 1
sed -i 's/lat="20us"/lat="30us"/' "$work/own.xml"
same "another platform" "$(own)" 0
sed -i "s/name='own-scenario'/& title='T'/" "$work/own-scenario.xml"
same "another scenario" "$(own)" 0
ask "$work/own.db" "UPDATE origins SET program = '0.0.1'"
same "another program" "$(own)" 0
same "eight runs" "$(ask "$work/own.db" 'SELECT count(*) FROM runs')" 8
own -s ranks=2 --trace "$work/own.otf2" >/dev/null
check "is traced though it is stored" test -s "$work/own.otf2"

# Costs that have changed are those of another platform, too.
mkdir "$work/costs" && cp -r "$SOURCE_DIR"/platforms/{icluster.xml,icluster-loaded.xml,profiles} "$work/costs"
scenario "$work/costs.xml" "$work/costs/icluster-loaded.xml" "name='ring'" ranks=2
run -q --store "$work/costs.db" "$work/costs.xml"
sed -i 's/id="network" value="fluid"/id="network" value="quiet"/' "$work/costs/icluster.xml"
run -q --store "$work/costs.db" "$work/costs.xml"
said yes 'network model quiet'

# A trace goes in beside simulations, once.
for i in 1 2; do "$SIMRUN" --store "$work/own.db" "$work/own.otf2" >/dev/null; done
"$SIMRUN" store ls "$work/own.db" -f json kind=traced >"$work/traced.json"
holds '.runs | length == 1 and .[0].platform == "traced" and .[0].parameters.scenario == "own"' "$work/traced.json"
check "the same time" diff <(jq '.runs[0].time_s' "$work/traced.json") <("$SIMRUN" -f json "$work/own.otf2" | jq '.runs[0].time_s')

# A trace is known by what is in its files, wherever they are and whenever they were written.
mkdir "$work/moved" && cp -r "$work/own" "$work/own.def" "$work/own.otf2" "$work/moved" && touch -d 2000-01-01 "$work/moved/own.otf2"
run --store "$work/own.db" "$work/moved/own.otf2"
same "the same trace elsewhere" "$("$SIMRUN" store ls "$work/own.db" -f json kind=traced | jq '.runs | length')" 1
cp "$SOURCE_DIR"/scenarios/traces/heat.ti "$work/heat.ti"
scenario "$work/replay.xml" icluster "name='trace' file='heat.ti'"
replayed() { "$SIMRUN" --store "$work/own.db" "$work/replay.xml" 2>&1 >/dev/null | grep -c 'from the store'; }
same "a new replay" "$(replayed)" 0
touch "$work/heat.ti"
same "the same replay" "$(replayed)" 1
cp -p "$work/heat.ti" "$work/before.ti"
sed -i '0,/compute/s/\(compute.*\)[1-8]\([0-9]*\)$/\19\2/' "$work/heat.ti" && touch -r "$work/before.ti" "$work/heat.ti"
check "another trace of the same size and time" test "$(stat -c '%s %Y' "$work/heat.ti")" = "$(stat -c '%s %Y' "$work/before.ti")"
check "with another content" test "$(cmp "$work/heat.ti" "$work/before.ti" | wc -l)" = 1
same "is another replay" "$(replayed)" 0

# Listed, filtered, compared, exported.
ids() { "$SIMRUN" store ls "$work/all.db" -f json "$@" | jq -c '[.runs[].parameters.run]'; }
"$SIMRUN" store ls "$work/all.db" -f json -o "$work/all.json"
"$SIMRUN" store ls "$work/all.db" -f csv -o "$work/all.csv"
same "as many rows" "$(wc -l <"$work/all.csv")" "$(jq '.runs | length + 1' "$work/all.json")"
check "a list" grep -qE '^ +1 +kills +t800-mesh ' <("$SIMRUN" store ls "$work/all.db")
run store ls "$work/all.db" scenario=kills 'ranks<3'
said yes 'All are of scenario kills, platform t800-mesh, .* n=128\. run ranks broadcast time \[s\] speedup '
expect_ids() { # JQ CONDITION...
    local filter=$1 expected
    shift
    expected=$(jq -c "[.runs[] | select($filter) | .parameters.run]" "$work/all.json")
    check "some runs for $*" test "$expected" != '[]'
    check "runs for $*" test "$(ids "$@")" = "$expected"
}
expect_ids '.ranks == 32' ranks=32
expect_ids '.time_s and .time_s < 0.01' 'time_s<10ms'
expect_ids '.parameters.broadcast == "flat" and .ranks >= 36' broadcast=flat 'ranks>=36'
expect_ids '.parameters.broadcast and .parameters.broadcast != "flat"' 'broadcast!=flat'
expect_ids '.critical_path_s["communication"] > 0.1' 'critical_path_s.communication>0.1'
expect_ids '.platform == "icluster" and .network == "fluid"' platform=icluster network=fluid
expect_ids '.parameters.network == "fluid"' parameters.network=fluid
expect_ids '.parameters.run == 7' run=7
expect_ids '.parameters.bytes == 1024' parameters.bytes=1KiB
expect_ids '.speedup != null' speedup!=-1
same "no such runs" "$(ids 'ranks>4000')" '[]'
# A value that no run can have is an error, which says what is allowed.
for row in "scenario='; DROP TABLE runs; --|no run has scenario '.*; known: .*kills" 'broadcast=flatt|did you mean .flat.\?' \
    "broadcast!=nonsense|no run has broadcast 'nonsense'; known: .*binomial" "broadcast<flat|'<' compares numbers" \
    'time_s<10parsec|unknown unit .parsec. .*known: ps ns us ms s' 'time_s<10KiB|unknown unit' \
    "ranks=abc|ranks=abc: 'abc' is not a number such as 64" "ranks>abc|'abc' is not a number" "run=x|'x' is not a number" \
    'speedup>2s|.2s. is not a number such as 0.5' 'time_s==10|is not a condition .*known between name and value: = !=' \
    'added>x|no run has|.added' 'communication>1|did you mean .*critical_path_s.communication'; do
    expect 2 "${row#*|}" store ls "$work/all.db" "${row%%|*}"
done
expect 2 "no run has 'rank'; did you mean 'ranks'" store ls "$work/all.db" rank=3
expect 2 'no run has' store ls "$work/all.db" "x' OR 1=1 --=3"
expect 2 "'ranks' is not a condition" store ls "$work/all.db" ranks
same "they are still there" "$(ask "$work/all.db" 'SELECT count(*) > 200 FROM runs')" 1
"$SIMRUN" store diff "$work/all.db" 3 150 -f json -o "$work/compare.json"
holds '(.factor * .first_time_s / .second_time_s - 1 | fabs) < 1e-12 and .first == 3 and .second == 150' "$work/compare.json"
check "what moved is what differs" diff \
    <(jq -r '.differences[] | select(.measure == "time_s" or .measure == "critical_path_s.memory") | .first, .second' "$work/compare.json" | sort) \
    <(jq -r '.runs[2, 149] | .time_s, .critical_path_s.memory' "$work/all.json" | sort)
check "in words" grep -qE '^run 150 (is|takes) .* run 3 \(' <("$SIMRUN" store diff "$work/all.db" 3 150)
check "the same run" grep -q 'No measure changed' <("$SIMRUN" store diff "$work/all.db" 3 3)
cp "$work/own-scenario.xml" "$work/former.xml"
"$SIMRUN" -q -s ranks=3 --store "$work/texts.db" "$work/own-scenario.xml" >/dev/null
sed -i 's|<param|<!-- of no consequence -->&|' "$work/own-scenario.xml"
"$SIMRUN" -q -s ranks=3 --store "$work/texts.db" "$work/own-scenario.xml" >/dev/null
sed -i 's|</platform>|<!-- nor this -->&|' "$work/own.xml"
"$SIMRUN" -q -s ranks=2,3 --store "$work/texts.db" "$work/own-scenario.xml" >/dev/null
run store diff "$work/texts.db" 1 2
said yes 'scenario file, line 2 <param .* <!-- of no consequence'
said yes 'No measure changed'
run store diff "$work/texts.db" 2 4
said yes 'platform file, line [0-9]+ .*<!-- nor this'
said no 'scenario file'
run store diff "$work/texts.db" 2 4 -f json
holds '.differences | length == 1 and (.[0].setting | startswith("platform file, line "))'
run store ls "$work/texts.db"
said yes 'All are of scenario own-scenario, platform own, network fluid\. run scenario file' # all else is at its default
said yes ' run scenario file platform file ranks time '
mv "$work/former.xml" "$work/own-scenario.xml"
"$SIMRUN" -q -s ranks=64,128 --store "$work/two.db" "$SOURCE_DIR/scenarios/gj256.xml" >/dev/null
run store diff "$work/two.db" 1 2
said yes '[0-9.]+ m?s more communication.broadcast, .*, partly offset by [0-9.]+ m?s less memory'
said yes ' time_s [0-9.]+ s [0-9.]+ s \+[0-9.]+ ms x 1.04'
said no 'e-0[0-9]'
check "not all of it" test "$(wc -l <"$work/out")" -lt 50
expect 2 'has no run 99999' store diff "$work/all.db" 1 99999
expect 2 'too few arguments: simrun store diff FILE RUN RUN' store diff "$work/all.db" 1
expect 2 "'1,2' is not the number of a run, such as 3" store diff "$work/all.db" 1,2 3
expect 2 "'0' is not the number of a run" store diff "$work/all.db" 3 0

# Files that are no stores, or not to be used.
echo 'this is no database, but long enough to be taken for one if nobody looks at how it begins, as SQLite does' >"$work/text.db"
cp "$work/text.db" "$work/text.copy"
expect 2 'text.db: is not a store: it is not an SQLite database' --store "$work/text.db" "$work/own-scenario.xml"
expect 2 'text.db: is not a store: it is not an SQLite database' store ls "$work/text.db"
check "it is as it was" cmp "$work/text.db" "$work/text.copy"
ask "$work/other.db" 'CREATE TABLE t(x)'
cp "$work/other.db" "$work/other.copy"
expect 2 'other.db: is an SQLite database, but not a store' --store "$work/other.db" "$work/own-scenario.xml"
check "it is as it was" cmp "$work/other.db" "$work/other.copy"
cp "$work/own.db" "$work/version.db" && ask "$work/version.db" 'PRAGMA user_version = 7'
cp "$work/version.db" "$work/version.copy"
expect 2 'version.db: is a store of version 7; this program reads and writes version 3' store ls "$work/version.db"
expect 2 'version.db: is a store of version 7' --store "$work/version.db" "$work/own-scenario.xml"
check "it is as it was" cmp "$work/version.db" "$work/version.copy"
cp "$work/other.db" "$work/wal.db"
(printf '%s\n' 'PRAGMA journal_mode = WAL; INSERT INTO t VALUES (1);' '.shell kill -9 $PPID' | sqlite3 "$work/wal.db") >/dev/null 2>&1
cp "$work/wal.db" "$work/wal.copy" && cp "$work/wal.db-wal" "$work/wal.copy-wal"
expect 2 'wal.db: is an SQLite database, but not a store' --store "$work/wal.db" "$work/own-scenario.xml"
check "it is as it was" cmp "$work/wal.db" "$work/wal.copy"
check "and so is its log" cmp "$work/wal.db-wal" "$work/wal.copy-wal"
: >"$work/empty.db"
expect 2 'empty.db: is empty: no run' store ls "$work/empty.db"
cp "$work/own.db" "$work/altered.db" && ask "$work/altered.db" 'ALTER TABLE runs ADD COLUMN x'
expect 2 'altered.db: is damaged: table runs' store ls "$work/altered.db"
expect 2 'cannot read: No such file' store ls "$work/none.db"
check "none is made" test ! -e "$work/none.db"
expect 2 'not a regular file' store ls "$work"
expect 2 'none/x.db: cannot be opened: no file can be made in its folder: No such file' --store "$work/none/x.db" "$work/own-scenario.xml"
expect 2 '/proc/x.db: cannot be opened: no file can be made in its folder: No such file' --store /proc/x.db "$work/own-scenario.xml"
expect 2 'with -journal appended, its name is too long' --store "$work/$(printf '%0248d' 0)" "$work/own-scenario.xml"

# A folder that cannot be written, for root as well, who becomes somebody else: a new store, and one left with a log.
mkdir "$work/shut" && cp "$work/own.db" "$work/shut/log.db"
(printf '%s\n' 'PRAGMA journal_mode = WAL; UPDATE runs SET events = -1;' '.shell kill -9 $PPID' | sqlite3 "$work/shut/log.db") >/dev/null 2>&1
check "a log is left" test -s "$work/shut/log.db-wal"
rm -f "$work/shut/log.db-shm"
chmod 666 "$work"/shut/* && chmod 555 "$work/shut" && chmod a+rx "$work" && cp "$SIMRUN" "$work/program"
become=
[ "$(id -u)" != 0 ] || become='setpriv --reuid 65534 --regid 65534 --clear-groups'
for arguments in "-q --store shut/new.db $work/own-scenario.xml" "store ls shut/log.db" \
    "-q --store shut/log.db $work/own-scenario.xml"; do
    (cd "$work" && $become ./program $arguments) >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -qE '^simrun: shut/[a-z]+.db: cannot be (opened|written): no file can be made in its folder: Permission denied$' "$work/err"
    note $? "a store in a folder that cannot be written: $arguments"
done
chmod 755 "$work/shut"
expect 2 'own.xml.*overwritten|is an input' --store "$work/own.xml" "$work/own-scenario.xml"
if [ "$(id -u)" != 0 ]; then
    cp "$work/own.db" "$work/read-only.db" && chmod 444 "$work/read-only.db"
    expect 2 'read-only.db: cannot be written' --store "$work/read-only.db" "$work/own-scenario.xml"
fi
coproc LOCKER { sqlite3 "$work/own.db"; }
echo 'BEGIN EXCLUSIVE; SELECT 1;' >&"${LOCKER[1]}"
read -r _ <&"${LOCKER[0]}"
expect 1 'own.db: is locked: another program .* try again' --store "$work/own.db" -s bytes=3 "$work/own-scenario.xml"
eval "exec ${LOCKER[1]}>&-"
wait
scenario "$work/full.xml" icluster "name='broadcast'" ranks=2..60 bytes=1KiB # not as long as a file may be itself
(ulimit -f 100 && "$SIMRUN" --store "$work/full.db" "$work/full.xml" >/dev/null 2>"$work/full.err")
check "a full disk: $(cat "$work/full.err")" grep -qE 'full.db: (the disk is full|cannot be read or written)' "$work/full.err"
same "what is there is whole" "$(ask "$work/full.db" 'PRAGMA integrity_check')" ok
size=$(stat -c %s "$work/all.db")
for i in 1 2 3 4 5; do
    cp "$work/all.db" "$work/damaged.db"
    dd if=/dev/urandom of="$work/damaged.db" bs=4096 seek=$((1 + RANDOM % (size / 4096 - 1))) count=4 conv=notrunc 2>/dev/null
    "$SIMRUN" store ls "$work/damaged.db" -f json >/dev/null 2>"$work/err"
    status=$?
    check "a damaged store ends with status $status and: $(cat "$work/err")" test $status -le 2
done
cp "$work/all.db" "$work/damaged.db" && truncate -s $((size / 2)) "$work/damaged.db"
expect 2 'is damaged' store ls "$work/damaged.db" -f json
expect 2 'store. is not a complete command; known: simrun store ls, simrun store diff, simrun store merge' store
expect 2 "unrecognized option '--store' of simrun platform" platform --store "$work/all.db" "$work/own-scenario.xml"
expect 2 "'ranks' is set twice, by ranks=4 and ranks=8; .*--set ranks=4,8" -s ranks=4 -s ranks=8 "$work/own-scenario.xml"
expect 2 "'icluster' is neither one of the scenario's platforms nor a file next to .*own.xml; known: own" \
    -s platform=icluster "$work/own-scenario.xml"
expect 2 "unrecognized option '-f' of simrun list" list causes -f json
if [ -c /dev/full ]; then
    "$SIMRUN" "$work/own-scenario.xml" >/dev/full 2>"$work/err"
    same "a full disk is said once" "$(wc -l <"$work/err")" 1
fi
expect 2 "unrecognized option '--over' of simrun store ls" store ls "$work/all.db" --over n
# Every format has every answer, but for experiment, which has models.
for format in $("$SIMRUN" list formats | sed -n '/^Formats of results/,/^Formats of traces/s/^  \([a-z][a-z]*\) .*/\1/p'); do
    [ "$format" != experiment ] || continue
    for question in "ls $work/all.db" "diff $work/all.db 3 150"; do
        run store $question -f "$format"
        check "$format is no JSON unless it is asked for" test "$format" = json -o "$(head -c 1 "$work/out")" != '{'
    done
done
run store diff "$work/all.db" 3 150 -f csv
same 'CSV: what two runs are compared by' "$(sed -n '1p' "$work/out") $(grep -c . "$work/out")" \
    "setting,first,second $(jq '(.differences | length) + (.versions | length) + (.time_parts | length) + 4' "$work/compare.json")"
check 'CSV: the measures' grep -qx 'measure,first,second,change,factor' "$work/out"
run store diff "$work/all.db" 3 150 -f extrap
said yes 'PARAMETER row POINTS \(1\) METRIC first REGION comparison->measure=time_s DATA [0-9.]+ '
expect 2 "unrecognized option '--store' of simrun check" check --store "$work/all.db" "$work/own-scenario.xml"

finish
