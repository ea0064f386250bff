#!/usr/bin/env bash
# simrun model of traces, and of traces that a store keeps. The traces are those of simulations, so that the models of the
# sweep say what must come out; where a law of the program is known it is held against that, too.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
gj=$SOURCE_DIR/scenarios/gj128.xml
sizes="32 48 64 96 128"
ranks="1 2 4"
for p in $ranks; do
    for n in $sizes; do
        "$SIMRUN" -q -s ranks=$p -s n=$n -t "$work/p$p-n$n.otf2" "$gj" >"$work/out" || note 1 "trace of $p ranks, n = $n"
    done
done
traces=("$work"/p?-n*.otf2)
run -f json "$work/p2-n64.otf2"
holds '.runs[0].parameters == {"ranks": 2, "N": 64}' # OTF2 keeps names in capitals

# Numbers of two models to be compared, to within rounding; names of parameters are n and N.
measures=time_s,sequential_time_s,speedup,efficiency,overhead_ratio,messages,bytes,state_s
numbers='[.models.fits[] | [.measure, .constant, .adjusted_r2, .smape, (.terms[] | .coefficient, .ranks.exponent, (.N // .n).exponent),
    (.forecasts[] | .value, .own_low, .own_high), (.measured | map([.ranks, .N // .n, .value, .fitted]) | sort)]] | flatten |
    map(if type == "number" then (if fabs < 1e-9 then 0 else . * 1e5 / pow(10; fabs | log10 | floor) | round end) else . end)'
run model $measures -f json "${traces[@]}"
mv "$work/out" "$work/traced.json"
run model $measures -s ranks=1,2,4 -s n=32,48,64,96,128 -f json "$gj"
same 'models of traces are those of the sweep' "$(jq -c "$numbers" "$work/traced.json")" "$(jq -c "$numbers" "$work/out")"
holds '.models.over == ["ranks", "N"] and ([.models.fits[].measured | length] | unique) == [15]' "$work/traced.json"
holds '[.models.fits[].measured[] | select(.fitted == null)] == []' "$work/traced.json"
# T_seq is that of the run on one rank: by definition of speedup, efficiency and overheads (Lemeire07, eqs. 1.1-1.15).
holds '[.runs[] | .speedup * .time_s / .sequential_time_s - 1, .efficiency * .ranks / .speedup - 1,
        (1 + ([.overhead_ratio[]] | add)) * .speedup / .ranks - 1 | fabs < 1e-9] | length == 45 and all' "$work/traced.json"
holds '[.runs[] | select(.ranks == 1) | .speedup] | unique == [1]' "$work/traced.json"
holds '[.runs[].notes[]] == []' "$work/traced.json"

# The coefficients are those of the normal equations of the same terms, solved here: relative least squares.
solved=$(jq -r '.models.fits[] | select(.measure == "time_s") | .terms as $t | .measured[] | . as $m |
    [1, ($t[] | pow($m.ranks; .ranks.exponent // 0) * pow($m.ranks | log2; .ranks.log2 // 0) *
        pow($m.N; .N.exponent // 0) * pow($m.N | log2; .N.log2 // 0)), .value, .fitted] | @tsv' "$work/traced.json" | awk '
    { for (i = 1; i < NF - 1; i++) for (j = 1; j < NF; j++) a[i, j] += $i / $NF * $j / $NF; n = NF - 2 }
    END {
        for (k = 1; k <= n; k++)
            for (i = 1; i <= n; i++) {
                if (i == k) continue
                f = a[i, k] / a[k, k]
                for (j = k; j <= n + 1; j++) a[i, j] -= f * a[k, j]
            }
        for (k = 1; k <= n; k++) printf "%.3e ", a[k, n + 1] / a[k, k]
    }')
same 'coefficients' "$(jq -r '.models.fits[] | select(.measure == "time_s") | .constant, .terms[].coefficient' "$work/traced.json" |
    awk '{ printf "%.3e ", $1 }')" "$solved"

# Messages of the broadcast are linear in n, exactly; in whichever letters n is said. What else varies makes series.
run model messages --over n --predict 1000 -f json "${traces[@]}"
holds '[.models.fits[] | .series] == ["ranks 1", "ranks 2", "ranks 4"]'
holds '[.runs[] | [.parameters.N, .ranks]] == ([.runs[] | [.parameters.N, .ranks]] | sort)'
holds '[.models.fits[] | select(.series == "ranks 2") | .terms[0].coefficient, .constant, .forecasts[0].value] |
       map(. * 1e6 | round / 1e6) == [1, 4, 1004]'
run model messages --over n -v "${traces[@]}"
said yes 'messages, ranks 4 = 14 \+ 3 N; at 512: 1550 '
said yes 'measure N measured off messages, ranks 1 32 0 - .* messages, ranks 4 128 398 \+0.0 % In all rows: formula as measured\.'
said yes 'T_seq of 15 of 15 runs is the time of the same problem on one rank\.'
narrow
run model time_s --over n "$work"/p[24]-n*.otf2
said yes 'T_seq is unknown'
said no 'T_seq of'

# A model may be over any measure that all runs have counted; the size goes along with it, and makes no series.
run model bytes --over operations -f json "$work"/p4-n*.otf2
holds '.models.over == ["operations"] and (.models.fits | length) == 1'
holds '.runs | map(.parameters.operations == .operations and .operations > 0) | all'
run model bytes --over operations "$work"/p4-n*.otf2
said yes ' N: one value at each place of the models, so no series of its own\.'

# Rows of tables: time of messages against their mean size, in every run.
run model message_sizes.mean_s -f json "$work"/p[24]-n*.otf2
holds '.models.over == ["bytes"] and [.models.fits[].series] == ["ranks 2", "ranks 4"]'
holds '[.models.fits[].forecasts[], .models.fits[].curve[] | select(.value >= 0) | .low >= 0] | length > 60 and all' # times
holds '[.runs[] | select(.ranks == 4) | .message_sizes[] | [.bytes / .messages, .mean_s]] == ([.models.fits[1].measured[] | [.bytes, .value]])'
run model message_sizes.messages,message_sizes.mean_s --over N -f json "$work"/p4-n*.otf2
holds '.models.over == ["N"]'
expect 2 "no run has the measure 'message_sizes.nothing'; known: message_sizes" model message_sizes.nothing "${traces[@]}"
expect 2 "no run has the measure 'work_phases.mean_s'"                       model work_phases.mean_s "${traces[@]}"

# The same traces from a store; conditions choose among them, as in store ls.
for trace in "${traces[@]}"; do "$SIMRUN" -q --store "$work/runs.db" "$trace" >"$work/out" || note 1 "store $trace"; done
run model $measures -f json "$work/runs.db"
same 'models of stored runs' "$(jq -c "$numbers" "$work/out")" "$(jq -c "$numbers" "$work/traced.json")"
run model messages -f json "$work/runs.db" ranks=4
holds '.models.over == ["N"] and (.runs | length) == 5 and (.models.fits[0].constant * 1e6 | round) == 14000000'
run model messages -f json "$work/runs.db" 'ranks>1' 'N!=48'
holds '(.runs | length) == 8'
# A sweep in the same store has another scenario and other parameters, so it makes series of its own.
"$SIMRUN" -q -s ranks=4 -s n=32,48,64,96,128 --store "$work/runs.db" "$gj" >"$work/out"
run model messages --over ranks,N -f json "$work/runs.db" kind=traced
holds '(.models.fits | length) == 1 and (.runs | length) == 15'
run model messages --over n -f json "$work/runs.db" ranks=4
holds '[.models.fits[].series | test("scenario traces"), test("scenario gj128")] | sort == [false, false, true, true]'
holds '(.runs | length) == 10 and (.models.fits | length) == 2'
run model messages --over n -f json "$work/runs.db" kind=simulated
holds '(.models.fits | length) == 1 and (.models.fits[0].constant * 1e6 | round) == 14000000'

# Runs that say the same of themselves, and differ much in their time, are remarked on: here by the machine.
run model messages --over ranks "$work/p1-n64.otf2" "$work/p2-n64.otf2" "$work/p2-n64.otf2" "$work/p4-n64.otf2"
said no 'fold in their time'
for machine in icluster t800-mesh; do
    scenario "$work/ring.xml" $machine "name='ring'" rounds=20
    for p in 2 4 8; do "$SIMRUN" -q -s ranks=$p -t "$work/$machine-$p.otf2" "$work/ring.xml" >"$work/out"; done
done
run model time_s "$work"/{icluster,t800-mesh}-?.otf2
said yes 'Warning: runs with the same parameters differ [0-9.]+-fold in their time\.'

# Models that cannot be fitted, with the reason.
expect 2 'model over ranks: a model needs at least 3 different points, not 2'   model time_s "$work/p1-n64.otf2" "$work/p4-n64.otf2"
expect 2 "over: 'N' does not vary; numbers that vary here: ranks "              model time_s --over N "$work"/p?-n64.otf2
expect 2 'needs a parameter that varies; numbers that vary here: none \(all runs have the same\)' \
    model time_s "$work/p4-n64.otf2" "$work/p4-n64.otf2"
expect 2 "over: 'colour' is not a parameter; numbers that vary here: ranks N "     model time_s --over colour "${traces[@]}"
expect 2 'a model needs at least 3 different points, not 2, in the longest of 5 series, .N 32.' \
    model time_s --over ranks "$work"/p2-n*.otf2 "$work/p4-n32.otf2"
expect 2 'has no such run to make a model of'                                   model time_s "$work/runs.db" ranks=8
expect 2 "condition: no run has 'colour'"                                       model time_s "$work/runs.db" colour=red
expect 2 'are for scenarios; runs of a store and rows of a table are chosen by conditions'                 model time_s -s n=4 "$work/runs.db"
expect 2 'are for scenarios'                                                    model time_s --store "$work/x.db" "${traces[@]}"
expect 2 "p4-n32.otf2: --set, --network, --jobs and --store are for scenarios"   model time_s -j 2 "$work/p4-n32.otf2"
expect 2 'is a scenario, not a trace that can be read' model time_s "${traces[@]}" "$gj"
: >"$work/empty.db"
expect 2 'empty.db'                                                             model time_s "$work/empty.db"

finish
