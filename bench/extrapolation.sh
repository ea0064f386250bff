#!/usr/bin/env bash
# How often `simrun model SCENARIO` is right about which part of the time grows, and how often a part's band has what is
# simulated: twelve programs, modeled up to 16 ranks, simulated on 32 and 64. A line each, then the sums:
#
#     program,parts,in_band,share_in_band,supported,supported_in_band,most_right,most_in_band,most_off
#
# parts: rows and kinds of at least half a percent of the time that have a formula, at both places, by functions (of
# simulated runs: states) and by scopes. most_*: the function or state that is to add most from 16 ranks on, at both places if
# there is one: whether it does, whether its share lies in the band, and by how much of the time the share is off, at most.
#
#     bench/extrapolation.sh [RANKS]        default: 2,3,4,6,8,12,16
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common.sh"
need_simrun
ranks=${1:-2,3,4,6,8,12,16}

# scenario NAME APPLICATION PARAMETER=VALUE...: on the icluster, where messages wait for each other.
scenario() {
    local name=$1 application=$2 parameter
    shift 2
    {
        echo "<scenario name='$name'><platform file='$SOURCE_DIR/platforms/icluster.xml'/><application name='$application'/>"
        for parameter in network=fifo "$@"; do echo "<param name='${parameter%%=*}' value='${parameter#*=}'/>"; done
        echo "</scenario>"
    } >"$work/$name.xml"
}

# The answer for one program, $name; $large has its runs on 16, 32 and 64 ranks.
counts='
($large[0].runs | map({key: (.ranks | tostring), value: .}) | from_entries) as $runs |
def key: floor | tostring; # jq 1.7 writes 32.0 as it is
def row: if .is_inner then "\(.part).\(.kind)" else .part end;
def group: .by + (if .is_inner then "_part_s" else "_s" end);
def simulated: $runs[.at | key][group][row] // 0;
def share: simulated / $runs[.at | key].time_s;
def in_band: simulated as $value | .low - 1e-9 <= $value and $value <= (.high // infinite) + 1e-9;
def share_in_band: share as $value | .share_low - 1e-9 <= $value and $value <= .share_high + 1e-9;
def count(condition): map(select(condition)) | length;
# The row that has grown most since 16 ranks.
def grown($at): $runs["16"].function_s as $now |
    [$runs[$at | key].function_s | to_entries[] | .value -= ($now[.key] // 0)] | max_by(.value).key;
.models as $models |
[$models.parts[] | select(.told and .last_share >= 0.005)] as $parts |
[$models.growth[] | select(.by == "function" and .most != null) | . as $growth |
    $models.parts[] | select(.by == "function" and .at == $growth.at and .part == $growth.most and .kind == $growth.most_kind)] as $most |
[$name, ($parts | length), ($parts | count(in_band)), ($parts | count(share_in_band)), ($parts | count(.supported)),
    ($parts | count(.supported and in_band)), ($most | count(. as $row | grown($row.at) == .part)), ($most | count(share_in_band)),
    ($most | map(.share - share | fabs) | max // 0 | . * 1000 | round / 1000)] | @csv'

# measure NAME SCENARIO OPTION...
measure() {
    local name=$1
    shift
    "$SIMRUN" model -q -f json --set ranks=16,32,64 "$@" >"$work/large.json" 2>"$work/err" || fail "$name: $(said)"
    "$SIMRUN" model -q -f json --set ranks="$ranks" --predict 32,64 "$@" >"$work/small.json" 2>"$work/err" || fail "$name: $(said)"
    [ -s "$work/large.json" ] && [ -s "$work/small.json" ] || fail "$name: no models"
    jq -r --arg name "$name" --slurpfile large "$work/large.json" "$counts" "$work/small.json"
}

measure_all() {
    local broadcast
    for broadcast in neighbour binomial flat chain_segmented; do
        measure "gj256 $broadcast" --set broadcast=$broadcast "$SOURCE_DIR/scenarios/gj256.xml"
    done
    scenario matmul matmul n=400
    scenario ring ring rounds=50
    scenario gather collective collective=gather gather=flat rounds=20
    scenario allreduce collective collective=allreduce allreduce=recursive_doubling rounds=20
    scenario alltoall collective collective=alltoall alltoall=pairwise rounds=20
    scenario broadcast broadcast rounds=20
    scenario pdgemm pdgemm size=1024
    scenario hpl hpl n=1000
    for name in matmul ring gather allreduce alltoall broadcast pdgemm hpl; do
        measure "$name" "$work/$name.xml"
    done
}

echo program,parts,in_band,share_in_band,supported,supported_in_band,most_right,most_in_band,most_off
measure_all | tr -d '"' | awk -F , '
    { print; for (i = 2; i < NF; i++) sum[i] += $i; worst = $NF > worst ? $NF : worst; n = NF }
    END { printf "all"; for (i = 2; i < n; i++) printf ",%d", sum[i]; print "," worst + 0 }'
