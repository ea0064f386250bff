#!/usr/bin/env bash
# Models of a real program: Gauss-Jordan elimination traced at four sizes on three numbers of ranks. What it sends and computes
# is known from its text, so these laws must come out; its times are of this computer, and are held against the traces alone.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
for tool in mpirun mpicc; do need $tool command -v $tool; done
need libeppa test -f "$BUILD_DIR/libeppa.so"
BUILD_DIR=$BUILD_DIR bash "$SOURCE_DIR/bench/growth.sh" "$work/runs" '24 48 96 144' '1 2 4' 1 >"$work/said" 2>&1
note $? "bench/growth.sh: $(cat "$work/said")"
traces=("$work"/runs/*.otf2)

# law MEASURE: the formula without a constant, its terms in order: coefficient, exponents of ranks and n, without logarithms.
law() {
    jq -c --arg measure "$1" '.models.fits[] | select(.measure == $measure) | [(.constant | fabs < 1e-6), .adjusted_r2 > 0.999999,
        ([.terms[] | select(.coefficient | fabs > 1e-9) | [(.coefficient * 1e6 | round / 1e6), (.ranks.exponent // 0) + 0, (.N.exponent // 0) + 0]] |
        sort)]' "$work/out"
}
run model messages,bytes,operations,quantums -f json "${traces[@]}"
same 'messages: (p - 1) n'         "$(law messages)"   '[true,true,[[-1,0,1],[1,1,1]]]'
same 'bytes: 8 (p - 1) n^2'        "$(law bytes)"      '[true,true,[[-8,0,2],[8,1,2]]]'
same 'operations: 2 n^3, so W'     "$(law operations)" '[true,true,[[2,0,3]]]'
same 'quantums: n^3'               "$(law quantums)"   '[true,true,[[1,0,3]]]'
holds '.runs | map(.operations == .parameters.W) | length == 12 and all'
holds '[.models.fits[].forecasts[] | .supported] == [true, true, true, true]'

# Quantums of messages: of n columns each goes to the p - 1 other ranks. So n / (p - 1) are processed for each that is sent.
holds '[.runs[] | .parameters.N as $n | .ranks as $p | (.message_quantums // 0) == ($p - 1) * $n * $n] | length == 12 and all'
holds '[.runs[] | select(.ranks > 1) | (.quantum_granularity * (.ranks - 1) / .parameters.N - 1 | fabs) < 1e-9] | length == 8 and all'
holds '[.runs[] | select(.ranks > 1) | (.per_message_quantum_s.communication * .message_quantums / (.state_s.send + .state_s.receive) - 1 |
        fabs) < 1e-6 and (.per_message_quantum_s.idle * .message_quantums / .state_s.idle - 1 | fabs) < 1e-6] | length == 8 and all'

# As a function of W, which n goes along with, and of the quantums of a run.
run model messages --over W -f json "${traces[@]}"
holds '[.models.fits[] | .series] == ["ranks 1", "ranks 2", "ranks 4"] and .models.over == ["W"]'
holds '.models.fits[1].terms | length == 1 and (.[0].W.exponent * 3 | round) == 1'
run model state_s,per_quantum_s --over quantums "${traces[@]}"
said yes 'Models over quantums = 13824 \.\.\. 2985984 '
said yes ' N, W: one value at each place of the models, so no series of their own\.'
run model operations --over quantums -f json "${traces[@]}"
holds '[.models.fits[] | .terms[0] | (.coefficient * 1e6 | round), .quantums.exponent] == [2000000, 1, 2000000, 1, 2000000, 1]'

# T_seq of each size is that of its run on one rank.
run model speedup,efficiency,overhead_ratio -f json "${traces[@]}"
holds '([.runs[] | select(.ranks == 1) | {(.parameters.N | tostring): .time_s}] | add) as $one |
       [.runs[] | (.speedup * .time_s / $one[.parameters.N | tostring] - 1 | fabs) < 1e-9] | length == 12 and all'
holds '[.models.fits[].measure] | index("overhead_ratio.anomaly") != null'

# Phases: each rank has n of them, of n n / p quantums; their time adds up to no more than its useful work.
run model work_phases.operations,work_phases.mean_s -f json "${traces[@]}"
holds '.models.over == ["quantums"] and ([.models.fits[].series] | unique | length) == 3'
holds '[.runs[] | .parameters.N as $n | .ranks as $p | (.work_phases | length) == 1 and (.work_phases[0] |
       .scope == "elimination" and .work == "useful" and .phases == $n * $p and .quantums / .phases == $n * $n / $p)] | length == 12 and all'
holds '[.runs[] | .state_s.useful >= (.work_phases[0] | .time_s) and .work_phases[0].time_s > 0 and
       .work_phases[0].operations == .operations] | all'
# Points and formula stand side by side: the mean deviation is that of the list.
holds '[.models.fits[] | select(.formula) | (.smape - ([.measured[] | 2 * ((.value - .fitted) | fabs) / ((.value | fabs) + (.fitted | fabs))] |
        add / length) | fabs < 1e-9)] | length >= 3 and all'
holds '[.models.fits[] | select(.measure == "work_phases.mean_s" and .formula) | .measured | length] == [4, 4, 4]'
run -v "${traces[-1]}"
said yes 'For each quantum: useful work .* For each quantum of messages: useful work .* communication .* idling '
run "${traces[-1]}" --trace "$work/copy.otf2"
run -f json "$work/copy.otf2" # a copy says so, too, and a part counts what is said in it
cp "$work/out" "$work/whole"
holds '.runs[0] | .message_quantums == (.ranks - 1) * (.parameters.N | . * .)'
run -f json --from 0s --to 1000s "${traces[-1]}"
same 'a part that is the whole' "$(jq .runs[0].message_quantums "$work/out")" "$(jq .runs[0].message_quantums "$work/whole")"
run "${traces[0]}"
said yes 'Phases of work by quantums scope work from quantums phases mean quantums per phase per quantum elimination useful '

finish
