#!/usr/bin/env bash
# simrun model without a measure: which part of the time grows. Growth is planted: programs of known laws are simulated, traced,
# and modeled on few ranks; what they do on more is simulated as well.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
gj=$SOURCE_DIR/scenarios/gj256.xml
icluster=$SOURCE_DIR/platforms/icluster.xml

# brief: the last output is for a screen.
brief() {
    narrow
    [ "$(wc -l <"$work/out")" -le 60 ]
    note $? "$(wc -l <"$work/out") lines from $command"
}

# growth FILTER EXPECTED...: what is said of each series, as JSON.
growth() {
    same "growth: $1" "$(jq -c ".models.growth[] | $1" "$work/out" | paste -sd' ')" "${*:2}"
}

# part BY PART KIND FILTER: of the last document's only such part.
part() {
    check "$1 $2, $3: $4" jq -e --arg by "$1" --arg part "$2" --arg kind "$3" '
        def percent: [.share, .share_low, .share_high] | map(100 * . | round);
        def near($a; $b): ($a / $b - 1 | fabs) < 1e-3;
        [.models.parts[] | select(.by == $by and .part == $part and .kind == $kind)] | length == 1 and (.[0] | '"$4)" "$work/out"
}

# Each rank computes as long on any number of ranks, a broadcast goes down a tree, and the root takes from one after another.
for p in 2 4 8 16 32 64; do
    for ((r = 0; r < p; r++)); do
        echo "$r init"
        for step in 1 2 3; do printf '%s\n' "$r compute 2e6" "$r bcast 4096 0 0" "$r gather 1024 1024 0 0 0"; done
        echo "$r finalize"
    done >"$work/$p.ti"
    check "trace of $p ranks" "$SIMRUN" -q -n fifo --platform "$icluster" -s gather=flat -s broadcast=binomial \
        --trace "$work/p$p.otf2" -o "$work/said" "$work/$p.ti"
done
traces=("$work"/p{2,4,8,16,32}.otf2)
run model --predict 64 "${traces[@]}"
brief
check 'the answer' said yes 'At 64 ranks 62 % \(56 to 67 %\) of the time will be waiting in MPI_Recv \(late sender\)'
run model --predict 64 -f json "${traces[@]}"
growth '[.by, .at, .most, .most_kind, .fastest, .fastest_kind]' '["function",64,"MPI_Recv","late sender","no function","after the end"]' \
    '["scope",64,"program","late sender","end","after the end"]'
growth '[.sum_s, .time_s | . * 1e4 | round]' '[1876,1797]' '[1875,1797]'
part function MPI_Recv 'late sender' '.term == "ranks^(3/4)" and (.supported | not) and percent == [62, 56, 67]'
part scope program 'late sender' '.term == "ranks^(3/4)" and (.supported | not) and percent == [62, 56, 67]'
part function 'no function' 'after the end' '.term == "ranks^(4/5)" and (.supported | not)'
part function computation computation '.way == "constant" and .supported and near(.value; 0.01319) and near(.last_share; 0.1032) and
    .low <= .value and .high >= .value and near(.share; 0.0703)'
mv "$work/out" "$work/small.json"
cp "$work/small.json" "$work/traced.json"
# The forecast for 64 ranks is the share in the trace of 64, unless it is further off than its band.
run -f json "$work/p64.otf2"
mv "$work/out" "$work/large.json"
holds '[.models.parts[] | select(.by == "function" and (.is_inner | not)) | .share] | add - 1 | fabs < 1e-9' "$work/small.json"
holds '[.models.parts[] | select(.by == "scope" and (.is_inner | not)) | .share] | add - 1 | fabs < 1e-9' "$work/small.json"
jq -e --slurpfile large "$work/large.json" '$large[0].runs[0] as $run | ($run.ranks * $run.time_s) as $all |
    ([$run.function_waits[] | select(.wait == "late sender") | .time_s] | add / $run.ranks) as $waits |
    ([$run.functions[] | select(.function == "MPI_Recv") | .time_s] | add / $run.ranks) as $receives |
    (.models.parts[] | select(.by == "function" and .part == "MPI_Recv" and .kind == "late sender")) as $waiting |
    (.models.parts[] | select(.by == "function" and .part == "MPI_Recv" and (.is_inner | not))) as $receiving |
    $waiting.low <= $waits and $waits <= $waiting.high and $receiving.low <= $receives and $receives <= $receiving.high and
    $waiting.share_low <= $waits / $run.time_s and $waits / $run.time_s <= $waiting.share_high and
    ($waits / $waiting.value - 1 | fabs) < 0.06' "$work/small.json" >"$work/out"
note $? 'what is said of 64 ranks is what its trace has'
# The rows are measures of the runs: their sum is the time, and each is what the tables of the run say.
holds '[.runs[] | ([.function_s[]] | add) / .time_s - 1, ([.scope_s[]] | add) / .time_s - 1 | fabs < 1e-9] | length == 10 and all' \
    "$work/small.json"
holds '[.runs[] | . as $run | .functions[] | .time_s / $run.ranks / $run.function_s[.function] - 1 | fabs < 1e-6] | length == 10 and all' \
    "$work/small.json"
holds '[.models.growth[] | [.by, .most, .most_kind, .most_measured]] ==
       [["function", "MPI_Recv", "late sender", "MPI_Recv"], ["scope", "program", "late sender", "program"]]' "$work/small.json"
run model function_s.MPI_Recv,function_part_s -f json "${traces[@]}"
holds '[.models.fits[].measure] == ["function_s.MPI_Recv", "function_part_s.MPI_Recv.transfer", "function_part_s.MPI_Recv.late sender",
       "function_part_s.MPI_Send.transfer", "function_part_s.no function.after the end"] and .models.parts == null'
run model --predict 64 -f csv "${traces[@]}"
same 'CSV: the parts behind the models' "$(sed -n '/^series,at,by,part,/,/^$/p' "$work/out" | cut -d , -f 3-5 | sort | uniq -c | wc -l)" 12
run model --predict 64,128 -f json "${traces[@]}"
growth '[.by, .at, (.sum_s * 1e4 | round)]' '["function",64,1876]' '["scope",64,1875]' '["function",128,2816]' '["scope",128,2814]'
holds '[.models.parts[] | select(.part == "MPI_Recv" and .kind == "late sender") | 100 * .share | round] == [62, 65]'

# The same of the scenario itself: what ranks do in scopes is what their traces say, and functions are states.
scenario "$work/gather.xml" icluster "name='collective'" collective=gather gather=flat rounds=20
for p in 2 4 8 16 32; do "$SIMRUN" -q -n fifo -s ranks=$p -t "$work/g$p.otf2" "$work/gather.xml" >"$work/said"; done
parts='[.models.parts[] | select(.by == "scope" and (.is_inner | not)) | [.part, .value, .low, .high, .last_s, .exponent] |
    map(if type == "number" then . * 1e9 | round else . end)] | sort'
run model -f json "$work"/g{2,4,8,16,32}.otf2
mv "$work/out" "$work/small.json"
run model -f json --set network=fifo --set ranks=2,4,8,16,32 "$work/gather.xml"
same 'scopes of the traces are those of the sweep' "$(jq -c "$parts" "$work/small.json")" "$(jq -c "$parts" "$work/out")"
holds '[.models.parts[] | select(.by == "function") | .part] | sort == ["transfer", "waiting"]'
run model --set ranks=2,4,8,16,32 --predict 128 "$work/gather.xml"
brief
check 'which functions' said yes 'Functions are known only for traces\.'
run model --set ranks=2,4,8,16,32,64 --predict 256 -f json "$gj"
growth '[.at, .by, .most, .most_kind, .fastest, .sum_s, .time_s | if type == "number" then 1e3 * . | round else . end]' \
    '[256000,"function","waiting","waiting","waiting",6718,8650]' '[256000,"scope","broadcast","waiting","broadcast",6754,8650]'
part function waiting waiting '.way == "levels off" and percent == [74, 64, 85]'
part scope broadcast waiting '.term == "log2(ranks)" and percent[0] == 38'
# Each series has its own; a parameter of the program may take the place of the ranks.
run model --set ranks=2,4,8,16 --set n=64,128 -f json "$gj"
growth '[.by, .series, .at]' '["function","n 64",64]' '["scope","n 64",64]' '["function","n 128",64]' '["scope","n 128",64]'
run model --set ranks=2,4,8,16 --set n=64,128 "$gj"
brief
run model --set ranks=4 --set n=32,64,128,256 --over n -f json "$gj"
growth '[.by, .at]' '["function",1024]' '["scope",1024]'
holds '.models.over == ["n"]'

# A store: traces with their functions, and simulated runs.
for trace in "${traces[@]}"; do "$SIMRUN" -q --store "$work/runs.db" "$trace" >"$work/said"; done
run model --predict 64 -f json "$work/runs.db"
stored='.models.parts | map([.by, .part, .kind, .term, .supported, (.value, .low, .high, .share | . * 1e9 | round)])'
same 'parts of the stored traces' "$(jq -c "$stored" "$work/out")" "$(jq -c "$stored" "$work/traced.json")"
run model --predict 64 -f json "$work/runs.db" 'ranks<32'
growth '[.by, .first, .last, .at]' '["function",2,16,64]' '["scope",2,16,64]'
"$SIMRUN" -q -s ranks=2,4,8,16 --store "$work/sweep.db" "$gj" >"$work/said"
run model -f json "$work/sweep.db"
holds '[.models.parts[] | select(.by == "function") | .part] | sort == ["computation", "control", "transfer", "waiting"]'

# Missing data.
run model "$work"/p{2,4,8}.otf2
brief
check 'why nothing is told' said yes '3 different values of ranks are too few for a formula: it takes 4, and 6 to support one\.'
run model -f json "$work"/p{2,4,8}.otf2
growth '[.by, .first, .last, .most, .most_measured, .most_measured_kind]' '["function",2,8,null,"MPI_Recv","late sender"]' \
    '["scope",2,8,null,"program","late sender"]'
holds '.models.parts | length > 4 and all(.told == false and .way == "unknown" and .supported == false)'
expect 2 'model over ranks: a model needs at least 3 different points, not 2'   model "$work"/p{2,4}.otf2
expect 2 'over: a model needs a parameter that varies; numbers that vary here: none \(all runs have the same\)' \
    model "$work"/p4.otf2 "$work"/p4.otf2 "$work"/p4.otf2
expect 2 'over: the question of which part of the time grows takes one parameter; numbers that vary here: ranks n' \
    model --over ranks,n --set n=64,128 --set ranks=2,4,8,16 "$gj"
expect 2 'a model needs at least 3 different values of ranks, not 2'            model --set ranks=2,4 "$gj"
expect 2 'missing\.otf2'                                                        model "$work/missing.otf2" "$work/p4.otf2"
expect 2 "too few arguments: 'time_s' is no file; try simrun model "            model time_s
expect 2 'is a scenario, not a trace that can be read' model "${traces[@]}" "$gj"
expect 2 'are for scenarios'                                                    model --store "$work/x.db" "${traces[@]}"

# Functions that are called in only a part of the runs: gathers that stop at 4 ranks, and another program on 8 and more.
for p in 2 4 8 16; do
    for ((r = 0; r < p; r++)); do
        printf '%s\n' "$r init" "$r compute 1e6"
        [ $p -gt 4 ] || echo "$r bcast 4096 0 0"
        [ $p -le 4 ] || echo "$r compute 1e5"
        echo "$r finalize"
    done >"$work/other-$p.ti"
    "$SIMRUN" -q -n fifo --platform "$icluster" --trace "$work/other-$p.otf2" "$work/other-$p.ti" >"$work/said" ||
        note 1 "trace of another program on $p ranks"
done
run model "$work"/other-{2,4,8,16}.otf2
said yes 'Not there at 16 ranks: MPI_Recv.*; so there is no prediction for it\.'
said yes 'Warning: no function is called in all runs\. Are they runs of the same program\?'
run model -f json "$work"/other-{2,4,8,16}.otf2
holds '[.models.parts[] | select(.part == "MPI_Recv")] | all(.told == false)'

# How often it is right, of twelve programs on 32 and 64 ranks: figures of
# docs/explain/models/regression.md, the same in any build.
sums() {
    SIMRUN=$SIMRUN bash "$SOURCE_DIR/bench/extrapolation.sh" "$@" | sed -n 's/^all,//p'
}
if [ "${SLOW-1}" -eq 1 ]; then
    same 'models of 2, 4, 8 and 16 ranks'          "$(sums 2,4,8,16)"                         184,179,180,0,0,18,20,0.5
    same 'models of seven numbers of ranks'        "$(sums)"                                  208,183,192,104,83,16,18,0.089
    same 'models of all numbers of ranks up to 16' "$(sums 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16)" 190,153,163,119,86,16,18,0.091
fi
finish
