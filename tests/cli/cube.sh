#!/usr/bin/env bash
# Profiles in Cube's format: those that tests/data/cube.py makes have the values that are in it, however they are packed,
# and what simrun writes of a trace reads back as the trace's analysis.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1
python3 "$SOURCE_DIR/tests/data/cube.py" .

# --- read ---

for file in plain packed big gzip; do
    mv $file.cubex $file # the name says nothing
    run -q -f json $file
    holds '[.functions[] | [.function, .calls, .time_s, .most_s]] ==
        [["work<double>", 5, 7, 5], ["main", 2, 3, 2], ["MPI_Recv", 13, 1.5, 1], ["MPI_Send", 9, 0.75, 0.5]]'
    holds '[.call_paths[] | [.call_path, .time_s, .own_s]] == [["main", 12.25, 3], ["main/work<double>", 7.75, 7],
        ["main/work<double>/MPI_Send", 0.75, 0.75], ["main/MPI_Recv", 1.5, 1.5]]'
    holds '[.locations[] | [.location, .time_s, .mpi_s]] == [["MPI Rank 0", 3.75, 0.75], ["MPI Rank 1", 8.5, 1.5]]'
    holds '[.metrics[] | [.metric, .unit, .total]] == [["visits", "occ", 29], ["time", "sec", 12.25], ["loss", "#", 4]]'
done
run -q plain
said yes '2 locations in 8\.500 s: most of the time, 57 %, is in work<double>, in MPI Rank 1 1\.43 times as long as on average; 18 % is MPI'
narrow
run list plain
said yes 'is a Cube profile'

while read -r name message <&3; do
    expect 2 "$name\\.cubex: $message" $name.cubex
done 3<<'END'
no-index metric 'time' \(1\.index, 1\.data\): one of them is not in the archive
no-anchor is no whole profile of Cube: it has no anchor\.xml
no-time is a profile without a metric 'time'
cut-xml its anchor\.xml is not that of a profile: it is not well-formed XML
no-region its anchor\.xml is not that of a profile: a cnode whose calleeId is that of no region before it
cut metric 'visits' \(0\.index, 0\.data\): its values are damaged
END
expect 2 'is a profile, which has totals and no events' --platform icluster plain
expect 2 'is a profile, which has totals and no events' -t x.otf2 plain

# --- written ---

sorted='to_entries | sort_by(.key) | from_entries'
for trace in causes-bad mpi-init root-io; do
    run -q -f json -t $trace.cubex "$SOURCE_DIR/tests/data/traces/$trace.otf2"
    of='[.runs[0].functions[] | select(.time_s > 0) | {(.function): [.calls, .time_s]}] | add'
    expected=$(jq -c "$of | map_values([.[0], (.[1] * 1e9 | round)]) | $sorted" out)
    states=$(jq -c '.runs[0].state_s | add * 1e9 | round' out)
    waits=$(jq -c '[.runs[0].function_waits[] | {(.wait): .time_s}] | group_by(keys) |
        map({(.[0] | keys[0] | gsub("[ -]"; "_") | ltrimstr("wait_")): (map(.[]) | add * 1e9 | round)}) | add // {} | '"$sorted" out)
    run -q -f json $trace.cubex
    same "$trace: functions" "$(jq -c '[.functions[] | select(.function | startswith("MPI_")) | select(.time_s > 0) |
        {(.function): [.calls, (.time_s * 1e9 | round)]}] | add | '"$sorted" out)" "$expected"
    same "$trace: all time" "$(jq -c '.metrics[] | select(.metric == "time") | .total * 1e9 | round' out)" "$states"
    same "$trace: waits" "$(jq -c '[.metrics[] | select(.metric | startswith("wait_")) |
        {(.metric | ltrimstr("wait_") | gsub("[ -]"; "_")): (.total * 1e9 | round)}] | add // {} | '"$sorted" out)" "$waits"
done
# --- compared ---

# Packed or not it is the same; of a trace and the profile written of it the times of functions are the same.
run compare -q -f json plain packed
holds '.first_time_s == 8.5 and .second_time_s == 8.5 and .factor == 1 and has("time_parts") == false'
python3 "$SOURCE_DIR/tests/data/cube.py" .
run compare -q -f json plain.cubex causes-bad.cubex
holds '[.time_parts[] | select(.by == "function" and .part == "MPI_Send") | .first_s] == [0.375] and
    [.time_parts[] | select(.part == "rank 1 in work<double>") | .first_s] == [5] and
    [.time_parts[] | select(.part | test("in idle"))] == []'
trace=$SOURCE_DIR/tests/data/traces/causes-bad.otf2
run compare -q -f json -v "$trace" causes-bad.cubex
holds '([.time_parts[] | select(.by == "function" and .change_s != 0)] == []) and (.factor - 1 | fabs < 1e-6)'
run compare -q -f json plain.cubex plain.cubex vs big.cubex gzip.cubex
holds '[.versions[].runs] == [2, 2]'
expect 2 "metric 'visits' \\(0\\.index, 0\\.data\\): its values are damaged" compare plain.cubex cut.cubex
expect 2 "is a profile without a metric 'time'" compare plain.cubex no-time.cubex
for ranks in 1 2 4 8; do
    run -q -t size$ranks.cubex --set ranks=$ranks --set n=64 "$SOURCE_DIR/scenarios/matmul100.xml"
    run -q -f json --set ranks=$ranks --set n=64 "$SOURCE_DIR/scenarios/matmul100.xml"
    times="${times-} $(jq '.runs[0].time_s * 1e9 | round' out)"
done
run model time_s -q -f json size1.cubex size2.cubex size4.cubex size8.cubex
same 'times of a model' "$(jq -r '[.runs[].time_s * 1e9 | round | tostring] | join(" ")' out)" "${times# }"
holds '.models.fits[0].points == 4 and .models.over == ["ranks"]'

run -q -t run.cubex --set ranks=4 --set n=64 "$SOURCE_DIR/scenarios/matmul100.xml"
run -q -f json --set ranks=4 --set n=64 "$SOURCE_DIR/scenarios/matmul100.xml"
sent=$(jq '.runs[0].bytes' out)
run -q -f json run.cubex
same 'bytes of a simulation' "$(jq '[.functions[].sent_bytes] | add' out)" "$sent"
check 'tar lists what is written' tar -tf run.cubex >out
finish
