#!/usr/bin/env bash
# simrun compare: versions with planted differences, whose times are known, as traces, profiles, replays, scenarios and
# stores; several runs of each; and the gate.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit

# version NAME FLOPS3 MESSAGES BYTES: four ranks compute 1e9 flop, the last FLOPS3, and meet, five times; each time rank 0
# sends so many messages to rank 1. As TI, and as the OTF2 trace of its replay.
version() {
    mkdir -p "ti/$1" traces
    : >"ti/$1.ti"
    for rank in 0 1 2 3; do
        {
            echo "$rank init"
            for _ in 1 2 3 4 5; do
                [ $rank = 3 ] && echo "3 compute $2" || echo "$rank compute 1e9"
                echo "$rank allreduce 8 0 0"
                for _ in $(seq "$3"); do
                    [ $rank != 0 ] || echo "0 send 1 0 $4 6"
                    [ $rank != 1 ] || echo "1 recv 0 0 $4 6"
                done
            done
            echo "$rank finalize"
        } >"ti/$1/$rank.txt"
        echo "$1/$rank.txt" >>"ti/$1.ti"
    done
    check "a trace of $1" "$SIMRUN" -q --platform icluster -t "traces/$1.otf2" -o /dev/null "ti/$1.ti"
}
version usual 1e9 1 1000000
version late 2e9 1 1000000
version split 1e9 1000 1000
cp -r traces again

# One rank computes longer: by 5e9 flop at 455 Mflop/s, and the others wait for it.
run compare traces/usual.otf2 traces/late.otf2
said yes '^late is 1\.9[0-9] times as slow as usual \([0-9.]+ s to [0-9.]+ s\): rank 3 computes 10\.99 s longer, for which the others wait 10\.[0-9]+ s longer in MPI_Recv\. Noise is not known'
run compare -f json traces/usual.otf2 traces/late.otf2
holds '[.time_parts[] | select(.by == "rank" and .part == "rank 3")][0] | (.change_s / (5e9 / 455e6) - 1 | fabs) < 1e-6'
holds '.cause == "processing in program" and (.cause_share > 0.9) and (.factor > 1.8) and .versions[1].verdict == "untested"'
# The parts of the critical path add up to the times.
run compare -f json -v traces/usual.otf2 traces/split.otf2
holds '([.time_parts[] | select(.by == "path") | .change_s] | add) as $sum | ($sum / (.second_time_s - .first_time_s) - 1 | fabs) < 1e-6'
holds '[.time_parts[] | select(.by == "function" and .part == "MPI_Send")][0] | .first_count == 5 and .second_count == 5000 and .first_bytes == .second_bytes'
run compare traces/usual.otf2 traces/split.otf2
said yes 'called 5000 times instead of 5, with 1\.000 kB each instead of 1\.000 MB'
# The same the other way round; equal ones; several.
run compare traces/late.otf2 traces/usual.otf2
said yes '^usual is 1\.9[0-9] times as fast as late .*rank 3 computes 10\.99 s less'
run compare traces/usual.otf2 again/usual.otf2
said yes '^No difference: again takes as long as traces'
run compare traces/usual.otf2 traces/late.otf2 traces/split.otf2
said yes 'late is 1\.9.* split takes .* longer than usual .* Versions '
run compare -f json traces/usual.otf2 traces/late.otf2 traces/split.otf2
holds '(.versions | length == 3) and (has("factor") | not) and ([.differences[].version] | unique == ["late", "split"])'

# Replays have no noise; nor scenarios; of a store the runs are named by conditions.
run compare --platform icluster ti/usual.ti ti/late.ti
said yes 'rank 3 computes 10\.99 s longer, for which the others wait'
said no 'Noise'
run compare -f json --set ranks=4 gj128 gj256
holds '.versions[1].verdict == "differs" and (.versions[1] | has("p") | not)'
run -q --store runs.db --set ranks=2,4 gj128
run compare runs.db ranks=2 runs.db ranks=4
said yes '^ranks=4 is 1\.[0-9]+ times as fast as ranks=2 '
run store diff runs.db 1 2
said yes '^run 2 is 1\.[0-9]+ times as fast as run 1 '
expect 2 'runs.db: is a store; --from, --to and --ranks choose a part of a trace' compare --ranks 0 runs.db ranks=2 gj128
expect 2 'the conditions leave 2 runs; a version has one' compare runs.db runs.db ranks=4
expect 2 'compare takes one run of a scenario, and this has 2' compare --set ranks=2,4 gj128 gj256
expect 2 'set n=24: parameters are for scenarios' compare --set n=24 runs.db ranks=4 vs runs.db ranks=4

# Several runs of each: the test of noise. Hand-made profiles have any time.
profile() { # FILE TIME USEFUL0 USEFUL1
    cat >"$1" <<JSON
{"creator": "profile by libeppa", "program": "p", "ranks": 2, "time_s": $2, "functions": [
  {"function": "MPI_Barrier", "calls": 20, "time_s": $(awk "BEGIN { print 2 * $2 - $3 - $4 }"), "least_s": 0.001,
   "sent_bytes": 0, "received_bytes": 0}],
 "message_sizes": [{"from_bytes": 8, "to_bytes": 15, "messages": 3, "bytes": 24}], "collective_volumes": [],
 "rank_times": [
  {"rank": 0, "time_s": $2, "state_s": {"useful": $3, "control": 0, "mpi": $(awk "BEGIN { print $2 - $3 }")}},
  {"rank": 1, "time_s": $2, "state_s": {"useful": $4, "control": 0, "mpi": $(awk "BEGIN { print $2 - $4 }")}}]}
JSON
}
profile part.json 1 0.8 0.9
expect 2 'part.json: is a profile; --from, --to and --ranks choose a part of a trace' compare --to 1s part.json part.json
mkdir old new same
for i in 1 2 3 4 5; do
    profile old/$i.json 1.0$i 1.0$i 0.9
    profile same/$i.json 1.0$((6 - i)) 1.0$((6 - i)) 0.9
    profile new/$i.json 1.5$i 1.0$i 1.5$i
done
run compare old/*.json vs new/*.json
said yes '^new is 1\.49 times as slow as old \(1\.030 s to 1\.530 s\): rank 1 computes 630\.0 ms longer, for which the others are 370\.0 ms longer in MPI_Barrier\.'
said yes 'medians of 5 and 5 runs; by the rank-sum test p = 0\.0079, so this is more than noise'
run compare old/*.json vs same/*.json
said yes '^No difference: same takes as long as old'
run compare old/[1-4].json vs new/[2-5].json
said yes 'p = 0\.029, and so few runs cannot have less than 0\.029: .* takes 5 of each'
run compare -f csv old/*.json vs new/*.json
said yes 'version,runs,ranks,time_s'
expect 2 "no run on one side of 'vs'" compare old/1.json vs
expect 2 'too few arguments' compare old/1.json
sed 's/"time_s": 1.01/"time_s": -1/' old/1.json >bad.json
expect 2 'bad.json:1: column [0-9]+: time_s is -1; a number from 0 to 1e18 is wanted' compare bad.json old/1.json
sed 's/"least_s": 0.001,//' old/1.json >bad.json
expect 2 "bad.json:2: .*'least_s'" compare bad.json old/1.json
# A trace and a profile.
run compare traces/usual.otf2 new/1.json
said yes ' v.* has 4 ranks, .* has 2 ranks|has 4 ranks, 1 has 2 ranks'

# The gate: status 3 and one line; what noise explains does not fail.
gate() { # STATUS PATTERN CONDITION FILES...
    local status=$1 pattern=$2 condition=$3 got=0
    shift 3
    "$SIMRUN" compare --fail-if "$condition" --junit junit.xml "$@" >out 2>err || got=$?
    same "the status of '$condition'" $got "$status"
    check "one line says why: $(cat err)" test "$(wc -l <err)" = $((got == 0 ? 0 : 1))
    check "it says $pattern" grep -qE "$pattern" err junit.xml
    check 'the other answer is there' test -s out
}
gate 3 '^simrun: --fail-if: time_s of new grew by 48.5 % \(1.030 s to 1.530 s\); .time_s > 5 %. is so\. new is 1.49 times' 'time_s > 5 %' old/*.json vs new/*.json
gate 0 'time_s of new grew by 48.5 %' 'time_s > 50 %' old/*.json vs new/*.json
gate 3 'function.MPI_Barrier of new grew' 'function.MPI_Barrier > 100ms' old/*.json vs new/*.json
gate 0 'time_s of same is unchanged' 'time_s < -0.1 %' old/*.json vs same/*.json
gate 3 'rank.rank 3' 'rank.rank 3 > 10s' traces/usual.otf2 traces/late.otf2
version silent 1e9 0 8
version chatty 1e9 400 8
gate 3 'function.MPI_Send of usual was nothing before' 'function.MPI_Send > 1 %' traces/silent.otf2 traces/usual.otf2
gate 3 'messages of chatty grew by 4433 %' 'messages > 1 %' traces/usual.otf2 traces/chatty.otf2
check 'JUnit is XML' python3 -c 'import sys, xml.dom.minidom as d; s = d.parse("junit.xml").getElementsByTagName("testsuite")[0]; sys.exit(s.getAttribute("failures") != "1")'
got=0
"$SIMRUN" store diff --fail-if 'speedup < 0' --fail-if 'time_s > 1 %' runs.db 2 1 >out 2>err || got=$?
same 'the status of store diff' $got 3
check 'how many' grep -q '^simrun: --fail-if: 2 of 2 conditions: speedup of run 1 fell by' err
expect 2 "has no 'tim'" compare --fail-if 'tim > 1' -o /dev/null old/1.json new/1.json
expect 2 "'messages' is a number without a unit" compare --fail-if 'messages > 0 ms' -o /dev/null traces/usual.otf2 traces/chatty.otf2
expect 2 "is not NAME > LIMIT" compare --fail-if 'time_s = 1' old/1.json new/1.json
expect 2 "there is no --fail-if" compare --junit x.xml old/1.json new/1.json
finish
