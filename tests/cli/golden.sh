#!/usr/bin/env bash
# The figures that tests/figures holds differ for a reason: what adds nothing to a run is no difference, and whatever else changes
# in a report is one. Reports are changed by jq, and compared as scenario.<name> compares them.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
PATH=${PATH#"$BUILD_DIR/tests/bin:"} # jq itself, which leaves names in their order

# report NAME: of a scenario, to change it.
report() {
    "$SIMRUN" -q -f json -o "$work/$1" "$SOURCE_DIR/scenarios/$1.xml"
    note $? "the report of $1"
}

# compared STATUS NAME FILTER: how the report of a scenario compares with the figures when jq has changed it.
compared() {
    local status=$1 name=$2 filter=$3 got=0
    jq "$filter" "$work/$name" >"$work/changed" || note 1 "$filter"
    python3 -IS "$SOURCE_DIR/tests/cli/figures.py" compare "$SOURCE_DIR/tests/figures/$name.txt" "$work/changed" \
        "$SOURCE_DIR/scenarios/$name.xml" >"$work/out" 2>"$work/err" || got=$?
    [ $got -eq "$status" ] && { [ "$status" -eq 0 ] || grep -q '^[-+]' "$work/out"; }
    note $? "$name with $filter: status $got, expected $status"
}

for name in gj128 dsm-latency matmul100; do
    report $name
    compared 0 $name .
    # A new parameter with a default that changes nothing; a new metric with a figure and a table.
    compared 0 $name '.runs[].parameters += {new_noise: 0, new_share: "auto", new_seed: 17}'
    compared 0 $name '.runs[] += {new_metric: 0.25, new_table: [{rank: 0, time_s: 1}, {rank: 1, time_s: 2}]}'
    # A picosecond, in whichever run.
    compared 1 $name '.runs[-1].time_s += 1e-12'
done
compared 0 gj128 '.simrun = "1000.0" | .answer = ["Other words."] | .runs[].host.wall_s += 1'
compared 1 gj128 '.runs[0].state_s.idle += 1e-12'
compared 1 gj128 '.runs[0].messages += 1'
# A digit of what is in no table of the runs.
compared 1 gj128 '.runs[-1].utilisation *= 1.0000001'
compared 1 dsm-latency '.runs[0].process_state_s.idle[-1] += 1e-9'
# Values that are gone, and new ones in a part that is held.
compared 1 gj128 'del(.runs[].utilisation)'
compared 1 gj128 'del(.runs[-1].critical_path_s)'
compared 1 gj128 '.runs[].critical_path_s.guessing = 0'
compared 1 gj128 '.runs[0].discarded = true'
compared 1 gj128 '.runs[0].notes += ["A note."]'
compared 1 gj128 '.runs += [.runs[0]]'
compared 1 matmul100 '.runs[0].network = "other"'
# The order of runs and of rows, and parameters that the scenario sets or that vary.
compared 1 gj128 '.runs[2:4] |= reverse'
compared 1 dsm-latency '.runs[0].process_state_s.idle |= reverse'
compared 1 dsm-latency '.runs[0].profile[3:5] |= reverse'
compared 1 matmul100 '.runs[].parameters.n += 1'
compared 1 gj128 '.runs[1].parameters.new_noise = 1'
finish
