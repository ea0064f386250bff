#!/usr/bin/env bash
# simrun model and the format extrap: what they say, what they refuse, and models against what is simulated.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
scenarios=$SOURCE_DIR/scenarios
gj=$scenarios/gj256.xml

# The messages are linear in the ranks but for the ways through the mesh, and found to be.
sweep="-s ranks=2,4,8,16,32,64,128"
run model messages,time_s,overhead_ratio $sweep -f json "$gj"
holds '.models.over == ["ranks"] and [.models.fits[].measure] ==
       ["messages", "time_s", "overhead_ratio.control", "overhead_ratio.communication", "overhead_ratio.idle",
        "overhead_ratio.anomaly"]'
holds '.models.fits[0].terms[0].ranks == {"exponent": 1, "log2": 0} and (.models.fits[0].terms | length) == 1'
holds '.models.fits[0] | .systematic and .adjusted_r2 > 0.9999 and .points == 7 and .doubts == [] and .forecasts[0].supported'
holds '.models.fits[0].forecasts[0].ranks == 512'
holds '[.models.fits[] | .left_out_smape <= .constant_smape] | all'
holds '[.models.fits[].forecasts[] | .low <= .own_low and .own_low <= .value and .own_high <= .high] | all'
# The curve goes from the first run to the forecast, and meets both.
holds '[.models.fits[] | select(.curve) | (.curve | length) == 33 and .curve[0].ranks == 2 and (.curve[-1].ranks - 512 | fabs) < 1e-9 and
        (.curve[-1].value - .forecasts[0].value | fabs) <= 1e-9 * (.forecasts[0].value | fabs)] | length == 6 and all'
# Measures that cannot be below zero are not forecast to be.
holds '[.models.fits[] | select(.measure | endswith("anomaly") | not) | .forecasts[] | select(.value >= 0) | .low >= 0] |
       length > 3 and all'
# The formula is what its parts say, and both are what the forecast says.
holds '.models.fits[0] | (.constant + .terms[0].coefficient * 512 - .forecasts[0].value | fabs) < 1e-6 * .forecasts[0].value'
holds '[.runs[] | .overhead_ratio.idle > .overhead_ratio.communication] as $idle |
       (.models.largest[0].from == 2) and ([.models.largest[] | .measure] | last) ==
       (if ($idle | last) then "overhead_ratio.idle" else "overhead_ratio.communication" end)'
messages=$(jq '.models.fits[0].forecasts[0].value | round' "$work/out")

# The forecast for 512 ranks agrees with the simulation. The largest runs are simulated once: a store has them from then
# on.
large="-q --store $work/large.db -s n=256 $scenarios/gj-scaling.xml"
run -s ranks=512 -s broadcast=neighbour -f json $large
holds ".runs[0].messages / $messages - 1 | fabs < 0.02"

# Work that falls and overhead that grows: from up to 128 ranks the time on 256 and 512 is within the band or 4 % of its edge, be it called
# supported or not, whichever points were simulated; from ten of them the values are right within a fifth, too. These
# figures are the same in any build, so they are compared where programs are quick.
within_band() {
    large="-s broadcast=flat,neighbour,binomial,chain,chain_segmented $large"
    run -s ranks=256,512 -f json $large
    times=$(jq -c '[.runs | group_by(.parameters.broadcast)[] | {(.[0].parameters.broadcast): map(.time_s)}] | add' "$work/out")
    for ranks in 2,4,8,12,16,24,32,48,64,96,128 2,4,8,16,24,32,48,64,96,128 8,16,24,32,48,64,96,128 2,4,8,16,32,64,128; do
        run model time_s -s ranks=$ranks --predict 256,512 -f json $large
        holds "$times as \$times | [.models.fits[] | \$times[.series | ltrimstr(\"broadcast \")] as \$t |
               (.forecasts | length) == 2 and 0.96 * .forecasts[0].low <= \$t[0] and \$t[0] <= 1.04 * .forecasts[0].high and
               0.96 * .forecasts[1].low <= \$t[1] and \$t[1] <= 1.04 * .forecasts[1].high] | length == 5 and all"
        [ "$ranks" = 2,4,8,16,24,32,48,64,96,128 ] || continue
        holds '[.models.fits[] | (.terms | length) == 2 and .terms[1].ranks.exponent < 0] | all'
        holds '[.models.fits[].forecasts[] | select(.supported)] | length >= 4'
        holds "$times as \$times | [.models.fits[] | \$times[.series | ltrimstr(\"broadcast \")] as \$t |
               [.forecasts[].value] as \$v | [range(2) | \$v[.] / \$t[.] - 1 | fabs < 0.2]] | flatten | all"
    done
}
[ "${SLOW-1}" -ne 1 ] || within_band

# Further sizes are simulated until the value is supported and the band is narrow; the value is that of a simulation.
further="-s n=256 -s broadcast=binomial -s ranks=2,4,8,16,32 --predict 512 $scenarios/gj-scaling.xml"
run model time_s -q -f json $further
holds '.models.fits[0] | .forecasts[0].supported == false and .next[0].ranks == 64 and (.next | length) == 2 and
       .next[0].narrowing < 0.9 and (.next[0].cost / 64 | . > 8 and . < 11)'
run model time_s --until 15% --store "$work/further.db" $further
said yes 'Simulated in addition: ranks=64; ranks=128\.'
check 'progress' grep -q '^simrun: with ranks=128, to narrow the band of time_s$' "$work/err"
check 'runs of the rounds before' grep -q '^simrun: 6 of 7 runs from the store' "$work/err"
run model time_s -q -f json --until 15% --store "$work/further.db" $further
holds '.models.fits[0] | .points == 7 and .forecasts[0].supported and
       (.forecasts[0] | (.high - .low) / 2 / .value <= 0.15 and (.value / 15.044 - 1 | fabs < 0.02))'
run model time_s --until 1% -s ranks=32,64,128 "$gj" --predict 1024
check 'what stands in the way' grep -q "cannot be narrowed: .*: 256 ranks on the 128 hosts" "$work/err"
expect 2 "until: 'x' is no percentage, such as 5%" model time_s --until x "$gj"
expect 2 "until: '500' is outside 0.1 ... 100 %"   model time_s --until 500 "$gj"

# In words.
run model overhead_ratio,time_s $sweep --predict 256,512 "$gj"
said yes 'Models over ranks = 2 \.\.\. 128 \(times in s\) '
said yes ' time_s = [0-9.]+ \+ [0-9.e-]+ .*ranks\^-'
said yes 'Largest of overhead_ratio: communication from ranks = 2 on, idle from 3 on\.'
said yes 'overhead_ratio.anomaly: no formula is better than the mean value beyond chance'
said yes 'overhead_ratio.idle at [0-9, ]+ is not supported by the data: the band is wider than the value\.'
said yes ' time_s = .*; at 256: [0-9.]+.*; at 512: .* Time ranks '
said no '[0-9]e-(1[6-9]|2)'
said no 'Warning'
narrow
run model time_s,messages -s ranks=2,4,8,16 "$gj"
check 'a warning' said yes 'Warning: 4 points are too few to support a model'
run model time_s,messages -s ranks=2,4,8,16 -f json "$gj"
holds '[.models.fits[] | .doubts == ["few_points"] and .forecasts[0].supported == false] | all'
holds '.models.fits[] | select(.measure == "messages") | (.forecasts[0] | .ranks == 64 and (.value / 100 | round) == 165) and
    (.terms | length) == 1 and .terms[0].ranks == {"exponent": 1, "log2": 0}'
expect 2 "a model needs at least 3 different values of ranks, not 2"  model time_s -s ranks=2,4 "$gj"

# A table that is too wide says in each of its parts which row is which.
run model critical_path_s -s ranks=2,4,8,16,32 -s broadcast=flat,chain_segmented "$gj"
check 'yes and no have names' test -z "$(grep -E '^ *(yes|no) *$' "$work/out")"
run $sweep "$gj"
said no 'Models over'

# Two parameters, in the order of --over.
run model operations -s ranks=2,4,8,16,32 -s n=32,64,128,256 --predict 64:512 -f json "$gj"
holds '.models.over == ["ranks", "n"] and (.models.fits[0].forecasts[0] | .ranks == 64 and .n == 512)'
holds '.models.fits[0] | (.terms | length) == 1 and .terms[0].n.exponent >= 2.5 and .terms[0].ranks == null'
run model operations -s ranks=2,4,8,16,32 -s n=32,64,128,256 --over n,ranks --predict 512:64 -f json "$gj"
holds '.models.over == ["n", "ranks"] and (.models.fits[0].forecasts[0] | .ranks == 64 and .n == 512)'
run model operations -s ranks=2,4,8,16,32 -s n=32,64,128,256 --over n -f json "$gj"
holds '[.models.fits[].series] == ["ranks 2", "ranks 4", "ranks 8", "ranks 16", "ranks 32"]'

# The same on two jobs.
run model time_s $sweep -f json "$gj"
first=$(jq -c .models "$work/out")
run model time_s $sweep -f json -j 2 "$gj"
same 'the models on two jobs' "$(jq -c .models "$work/out")" "$first"

# Requests that are refused.
expect 2 "over: a model needs a parameter that varies; .*--set ranks="      model time_s -s ranks=4 "$gj"
expect 2 "over: 'broadcast' is not a number; numbers that vary here: ranks"     model time_s --over broadcast "$gj"
expect 2 "over: 'n' does not vary"                                          model time_s --over n "$gj"
expect 2 "over: 'colour' is not a parameter"                                   model time_s --over colour "$gj"
expect 2 "over: 'ranks' is given twice"                                     model time_s --over ranks,ranks "$gj"
expect 2 "over: '' is not a parameter"                                         model time_s --over ranks, "$gj"
awk 'BEGIN { OFS = ","; print "a,b,c,d,e,t_s"
    for (i = 0; i < 32; i++) print 1 + i % 2, 1 + int(i / 2) % 2, 1 + int(i / 4) % 2, 1 + int(i / 8) % 2, 1 + int(i / 16), i }' \
    >"$work/five.csv"
expect 2 "over: 'e' is one too many; a model has at most 4 parameters"         model t_s --over a,b,c,d,e "$work/five.csv"
expect 2 "over: a model has at most 4 parameters; name them; numbers that vary here: a b c d e" model t_s "$work/five.csv"
expect 2 "predict: a point of this model is 1 value, such as 1024"             model time_s --predict 64:128 "$gj"
expect 2 "predict: a point of this model is 2 values, such as 1024:4096"       model time_s --predict 64 -s n=64,128 "$gj"
expect 2 "predict: a point of this model is 2 values"                          model time_s --predict 1:2:3 -s n=64,128 "$gj"
expect 2 "predict: ranks: '0' is not above 0"                                    model time_s --predict 0 "$gj"
expect 2 "predict: ranks: 'many' is not"                                         model time_s --predict 256,many "$gj"
expect 2 "too few arguments"                                                model time_s
expect 2 "no run has the measure 'time'; did you mean 'time_s'\? known: time_s .* overhead_ratio "  model time -s ranks=2,4,8 "$gj"
expect 2 "no run has the measure ''"                                        model time_s, -s ranks=2,4,8 "$gj"
expect 2 "unrecognized option '--over'"                                     --over ranks "$gj"
expect 2 "unrecognized option '--predict'"                                  --predict 600 "$gj"
expect 2 "unrecognized option '--at' of simrun model"                       model time_s --at 600s "$gj"
run model time_s $sweep -f csv "$gj"
same 'CSV: the models behind the runs' "$(sed -n '/^measure,/,/^$/p' "$work/out" | cut -d , -f 1 | paste -sd ' ')" 'measure time_s'
expect 2 "unrecognized option '-t' of simrun model"                         model time_s -t "$work/x.paje" "$gj"
expect 2 'model takes one scenario, traces or profiles of a program, or a store'                 model time_s "$gj" "$gj"
expect 2 "no run has the measure 'nothing'"                               model nothing -o "$work/x.txt" -s ranks=2,4,8 "$gj"
check 'nothing is left behind' test -z "$(find "$work" -name 'x.txt*')"

# Cost of simulating on this computer: in a broadcast on quiet, ranks have two turns, except for the last, and each
# message counts.
scenario "$work/wide.xml" icluster "name='broadcast'" topology=ring network=quiet
run model host.events,host.peak_rss_bytes -s ranks=2..64*2 --predict 1024 -f json "$work/wide.xml"
holds '.models.fits | map(.measure) == ["host.events", "host.peak_rss_bytes"] and
    (.[0] | (.constant | round) == -2 and (.terms[0].coefficient | round) == 3 and (.forecasts[0].value | round) == 3070)'
expect 2 "no run has the measure 'host.nothing'; known: .* host" model host.nothing -s ranks=2,4,8 "$work/wide.xml"
run -s ranks=2..64*2 --store "$work/wide.db" "$work/wide.xml"
expect 2 'the cost of simulating is known only for runs that are simulated now: for a scenario, not for a store' \
    model host.wall_s --over ranks "$work/wide.db"
run model host -s ranks=2..64*2 -f json "$work/wide.xml"
holds '[.models.fits[].measure] == ["host.wall_s", "host.events", "host.peak_rss_bytes"] and .runs[5].host.events == 190'

# Extra-P's text format, read by rules of its own: names, points, and for each metric and region a line a point.
run -s ranks=2,4,8 -s n=32,64 -s broadcast=flat,binomial -f extrap "$scenarios/gj128.xml"
mv "$work/out" "$work/extrap"
run -s ranks=2,4,8 -s n=32,64 -s broadcast=flat,binomial -f json "$scenarios/gj128.xml"
awk '
    /^#/ || /^$/ { next }
    $1 == "PARAMETER" { n_parameters = NF - 1; next }
    $1 == "POINTS" {
        text = substr($0, 8); gsub(/^ *\(|\) *$/, "", text)
        n_points = split(text, points, /\) *\(/)
        for (i in points) if (split(points[i], numbers, " ") != n_parameters) bad = 1
        next
    }
    $1 == "METRIC" { if (n_data != 0 && n_data != n_points) bad = 1; metric = $2; n_data = 0; next }
    $1 == "REGION" { if (n_data != 0 && n_data != n_points) bad = 1; region = $2; n_data = 0; next }
    $1 == "DATA" && NF == 2 {
        split(points[++n_data], x, " ")
        if (n_data > n_points) bad = 1
        if (metric == "overhead_ratio.idle") print region, x[1], x[2], $2
        next
    }
    { bad = 1 }
    END { if (bad || n_points != 6) print "bad" }' "$work/extrap" | sort >"$work/read"
jq -r '.runs[] | "gj128->broadcast=\(.parameters.broadcast) \(.parameters.ranks) \(.parameters.n) \(.overhead_ratio.idle)"' \
    "$work/out" | sort >"$work/written"
awk 'NR == FNR { value[$1 " " $2 " " $3] = $4; n++; next }
     { key = $1 " " $2 " " $3; if (!(key in value) || (value[key] - $4) ^ 2 > 1e-20 * $4 ^ 2) bad = 1; m++ }
     END { exit bad || n != m || n != 12 }' "$work/read" "$work/written"
note $? 'the format extrap says what JSON says'
run -f extrap -s ranks=4 "$scenarios/gj128.xml"
said yes 'PARAMETER ranks POINTS \(4\) METRIC time_s REGION gj128 DATA [0-9.]+ '
run -f extrap "$scenarios/align.xml"
said yes 'PARAMETER '

# Numbers of stored runs are no coordinates; a series that lacks a point, or has it twice, is left out, with a message.
"$SIMRUN" -q -s ranks=2,4,8 -s broadcast=flat,binomial --store "$work/extrap.db" "$gj" >"$work/simulated"
run store ls "$work/extrap.db" -f extrap
same 'stored runs: parameters and points' "$(sed -n 2,3p "$work/out" | paste -sd ' ')" 'PARAMETER ranks POINTS (2) (4) (8)'
same 'stored runs: all times' "$(sed -n '/^METRIC time_s/,/^$/p' "$work/out" | grep -c '^DATA')" 6
same 'stored runs: a region for each broadcast' \
    "$(sed -n '/^METRIC time_s/,/^$/s/^REGION .*->//p' "$work/out" | paste -sd ' ')" 'broadcast=flat broadcast=binomial'
"$SIMRUN" -q -s ranks=16 -s broadcast=flat --store "$work/extrap.db" "$gj" >"$work/simulated"
run store ls "$work/extrap.db" -f extrap
same 'stored runs: what is left out' "$(grep -A 1 'METRIC time_s' "$work/out" | grep '^#' | sed 's/ REGION.*->/ /' | paste -sd ' ')" \
    '# left out, with 3 values at 3 of 4 points: METRIC time_s #   broadcast=binomial'
"$SIMRUN" -q -s ranks=32 -s broadcast=binomial --store "$work/extrap.db" "$gj" >"$work/simulated"
expect 2 '--format extrap: no measure has exactly one value at each point' store ls "$work/extrap.db" -f extrap

finish
