#!/usr/bin/env bash
# simrun model of measured values in tables: the same values in every format give the same models, which are those of known
# laws; which columns are what; conditions; what Extra-P reads is written; and large tables take little memory.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit

# The law of each: main 3 + 0.5 p log2(p), and main->solve 2 n^2, in ms; two repetitions, 1 % above and below.
awk 'BEGIN { for (p = 2; p <= 64; p *= 2) for (n = 10; n <= 60; n += 10) for (r = -1; r <= 1; r += 2) {
    printf "%d %d main %.10g\n", p, n, (3 + 0.5 * p * log(p) / log(2)) * (1 + r / 100)
    printf "%d %d main->solve %.10g\n", p, n, 2 * n * n * (1 + r / 100) } }' >rows
awk 'BEGIN { print "# measured by nobody\np,n,\"region\",\"time [ms]\"" } { printf "%d,%d,\"%s\",%s\n", $1, $2, $3, $4 }' rows >commas.csv
awk 'BEGIN { printf "\357\273\277p;n;region;time (us)\r\n" } { printf "%d;%d;%s;%.10g\r\n", $1, $2, $3, 1000 * $4 }' rows >semicolons
awk 'BEGIN { print "p\tn\tregion\ttime [s]" } { printf "%d\t%d\t%s\t%.12g\n", $1, $2, $3, $4 / 1000 }' rows >tabs.txt
gzip -c tabs.txt >packed.csv
awk '{ printf "{\"p\": %d, \"n\": %d, \"region\": \"%s\", \"time [ms]\": %s}\n", $1, $2, $3, $4 }' rows >rows.jsonl
jq -s . rows.jsonl >list.json
awk '{ printf "{\"params\":{\"p\":%d,\"n\":%d},\"callpath\":\"%s\",\"metric\":\"time\",\"value\":%.12g}\n", $1, $2, $3, $4 / 1000 }' rows >extrap.jsonl
jq -s '{parameters: ["p", "n"], measurements: (group_by(.callpath) | map({(.[0].callpath): {time: (group_by(.params) |
    map({point: [.[0].params.p, .[0].params.n], values: map(.value)}))}}) | add)}' extrap.jsonl >extrap.json
jq -r '"PARAMETER p n", "POINTS \([.measurements[].time[].point | "(\(.[0]) \(.[1]))"] | unique | join(" "))",
    ((.measurements[].time |= sort_by(.point | "(\(.[0]) \(.[1]))")) | .measurements | to_entries[] |
    "REGION \(.key)", "METRIC time", (.value.time[].values | "DATA \(map(tostring) | join(" "))"))' extrap.json >extrap.txt

law='def near($x): . / $x - 1 | fabs < 1e-4;
    [.models.fits[] | {(.series): .}] | add | (.["region main->solve"] | .terms | length == 1) and
    (.["region main->solve"] | (.terms[0].n == {exponent: 2, log2: 0}) and (.terms[0].p == null) and
        (.terms[0].coefficient | near(0.002)) and (.forecasts[0].value | near(0.002 * 14400))) and
    (.["region main"] | (.terms[0].p == {exponent: 1, log2: 1}) and (.terms[0].coefficient | near(0.0005)) and
        (.constant | near(0.003)) and (.forecasts[0].value | near(0.003 + 0.0005 * 128 * 7)))'
for file in commas.csv semicolons tabs.txt packed.csv rows.jsonl list.json extrap.jsonl extrap.json extrap.txt; do
    run model time -q -f json --over p,n --predict 128:120 $file
    holds "$law"
    jq -c '[.models.fits[] | [.measure, .series, (.formula | gsub("[0-9.e-]+ "; ""))]]' out >"$file.said"
    check "$file says the same" cmp -s commas.csv.said "$file.said"
done
same 'the largest growth is first' "$(jq -r '.[0][1]' commas.csv.said)" 'region main->solve'

# In words.
run model time -q --over p,n --predict 128:120 commas.csv
said yes ' time, region main, grows with p and the logarithm of p; at p = 128, n = 120 451 ms, 4[0-9.]+ to 4[0-9.]+\. '
said yes ' time, region main->solve, grows with the square of n; at p = 128, n = 120 28.8 s, '
said yes 'time, region main \[s\] = 0.003 \+ 0.0005 p log2\(p\); at 128:120: 0.451 '
narrow
awk 'BEGIN { print "ranks,time_s"; for (p = 1; p <= 512; p *= 2) printf "%d,%.10g\n", p, 100 / p + p / 4 }' >valley.csv
run model -q --predict 1024 valley.csv
said yes ' time_s falls as the inverse of the ranks, then grows with the ranks; at 1024 ranks 256 s, 256 to 256\. '
awk 'BEGIN { print "p,t_s"; for (p = 1; p <= 512; p *= 2) printf "%d,%.10g\n", p, 10 - 8 / p }' >bound.csv
run model -q --predict 1024 bound.csv
said yes ' t_s grows toward a bound, as the inverse of p; at p = 1024 9.99 s'
awk 'BEGIN { print "p,t_us"; for (p = 1; p <= 512; p *= 2) printf "%d,%.10g\n", p, 7 + p % 3 / 100 }' >constant.csv
run model -q --predict 1024 constant.csv
said yes ' t_us does not grow with p beyond chance; at p = 1024 7.02 us, 7 to 7.03'

# Suggested measurements: beyond the points, or to test a formula; none if the points leave no doubt.
awk 'BEGIN { srand(7); print "ranks,t [s]"; for (p = 2; p <= 64; p *= 2) for (r = 0; r < 3; r++)
    printf "%d,%.10g\n", p, (20 + 3 * log(p) / log(2)) * (1 + 0.02 * sin(10 * r + p)) }' >noisy.csv
run model -q --predict 1024 noisy.csv
said yes ' To narrow the band of t at 1024 ranks from ±[0-9.]+ % to about ±[0-9.]+ %, measure 128 ranks, about [0-9.]+ s'
run model -q -f json --predict 1024 noisy.csv
holds '.models.fits[0].next | .[0].ranks == 128 and .[0].narrowing < 0.9 and (.[0].cost / 128 | . > 35 and . < 50) and
    ([.[].ranks] | sort == [1, 2, 4, 8, 16, 32, 64, 128]) and ([.[1:][].narrowing] | . == sort)'
run model -q --predict 1024 noisy.csv 'ranks<32'
said yes ' Measure 32 ranks, about [0-9.]+ s, to test the formula of t: there are too few points to tell more\.'
run model -q --predict 1024 valley.csv
said no 'narrow|Measure'
expect 2 'noisy.csv: --until is for scenarios: nothing else can be simulated' model --until 5% noisy.csv

# Which columns are what: whole numbers are parameters, if nobody says otherwise; texts tell series apart.
printf 'p,n,kind,messages,time_s,energy [J]\n' >roles.csv
awk 'BEGIN { for (p = 2; p <= 64; p *= 2) for (k = 1; k <= 2; k++) printf "%d,%d,%s,%d,%g,%g\n", p, 2 * p, k == 1 ? "a" : "b", k * p * p, p + 0.5, k / p }' >>roles.csv
run model time_s,messages -f json roles.csv --over p
holds '[.models.fits[] | [.measure, .series]] | sort == [["messages", "kind a"], ["messages", "kind b"], ["time_s", "kind a"], ["time_s", "kind b"]]'
holds '.models.over == ["p"]'
run model messages roles.csv kind=b 'p>2' --over p
said yes 'messages grows with the square of p; at p = 256 131000, '
said yes 'n: one value at each place of the models, so no series of its own\.'
said yes 'Neither asked for nor whole numbers, so taken as measured: time_s, energy\.'
run model energy -f json roles.csv kind=a
holds '.models.over == ["p"] and .models.fits[0].unit == "J" and (.models.fits | length) == 1'
printf 'ranks,time_s\n2,1\n4,2\n8,3\n16,4\n32,5\n' >runs.csv # whole, but a time
run model runs.csv
said yes ' time_s grows with the logarithm of the ranks; at 128 ranks 7 s, 7 to 7\. '
printf 'size [KiB],t [ms]\n1,1.5\n2,2.5\n4,4.5\n8,8.5\n16,16.5\n' >sizes.csv
run model -f json --predict 64KiB,1MiB sizes.csv 't<10ms' 'size>=2KiB'
holds '[.models.fits[0].forecasts[].size] == [65536, 1048576] and (.models.fits[0].measured | length) == 3'
run model -f json sizes.csv --over size --predict 64KiB
holds '.models.fits[0].forecasts[0].value / 0.0645 - 1 | fabs < 1e-9'

# Several metrics and regions: all of them, the largest growth first, or one by its name.
{
    printf 'PARAMETER p\nPOINTS 2 4 8 16 32 64\n'
    for region in main 'main->f'; do
        for metric in visits time_s; do
            printf 'REGION %s\nMETRIC %s\n' "$region" $metric
            for p in 2 4 8 16 32 64; do echo "DATA $((${#region} * p))"; done
        done
    done
} >metrics.txt
run model -f json metrics.txt
holds '[.models.fits[] | [.measure, .series]] | sort == [["time_s", "region main"], ["time_s", "region main->f"],
    ["visits", "region main"], ["visits", "region main->f"]]'
holds '[.models.fits[] | select(.measure == "time_s" and .unit == "s" and .series == "region main->f")][0] |
    .terms[0].coefficient / 7 - 1 | fabs < 1e-9'
run model -f json visits metrics.txt 'region!=main'
holds '[.models.fits[] | .measure] == ["visits"]'
expect 2 "^simrun: metrics.txt: model: there is no measure 'visit'; did you mean 'visits'\\? known: visits time_s$" model visit metrics.txt
for p in 1 2 3 4 5 6; do for m in a b c d; do case $m in a) v=$((p * p)) ;; b) v=$((10 * p)) ;; c) v=7 ;; d) v=$((p * p * p)) ;; esac
    printf '{"params": {"p": %d}, "metric": "%s", "value": %d}\n' $p $m $v; done; done >four.jsonl
run model -q four.jsonl
said yes ' d grows with the cube of p; .*\. a grows with the square of p; .*\. b grows with p; .*; 1 other grows less\. '
expect 2 'there are no numbers to write' model -f extrap four.jsonl

# If there are many models, the text has those that grow most, and matter; -v, CSV and JSON have all.
awk 'BEGIN { print "p,region,t [s]"; for (k = 0; k < 60; k++) for (p = 2; p <= 64; p *= 2)
    printf "%d,r%d,%.9g\n", p, k, k == 7 ? 1e-3 * p ^ 3 : k < 40 ? 10 + p * p / (k + 1) : 1e-4 * p ^ 3 / k }' >regions.csv
run model -q regions.csv
said yes '^regions.csv t, region r7, grows with the cube of p; .*\. t, region r0, grows with the square of p; .*; 57 others grow less, or matter less\. '
said yes 'These 10 of 60 models grow most, of what is at least 1 % of the largest value of its measure'
same 'ten formulas' "$(grep -c '^  t, region r[0-9]* \[s\] = ' out)" 10
check 'nothing that does not matter' said no 'r5[0-9]'
run model -q -v regions.csv
same 'all formulas' "$(grep -c '^  t, region r[0-9]* \[s\] = ' out)" 60
run model -q -f csv regions.csv
same 'all rows' "$(wc -l <out)" 61

expect 2 '^simrun: lost.csv: cannot read: No such file or directory$' model lost.csv
# Mistakes are named with their place, and nothing is on standard output.
expect 2 '^simrun: roles.csv: model: there is no measure .time.; did you mean .*time_s' model time roles.csv
expect 2 '^simrun: roles.csv: condition: no column is called .ranks.' model time_s roles.csv ranks=2
expect 2 '^simrun: roles.csv: condition: no row has kind .c.$' model time_s roles.csv kind=c
expect 2 "^simrun: roles.csv: condition: '<' compares numbers; kind is text, known: = !=$" model time_s roles.csv 'kind<c'
expect 2 '^simrun: roles.csv: no row fulfills the conditions$' model time_s roles.csv 'p>64'
expect 2 '^simrun: roles.csv: condition: p=many: .many. is not a number' model time_s roles.csv p=many
expect 2 '^simrun: roles.csv: --over: .kind. is not a parameter; numbers that vary here: p n messages' model time_s --over kind roles.csv
expect 2 '^simrun: roles.csv: model over p: a model needs at least 3 different points, not 2$' model energy roles.csv 'p<8' kind=a
printf '{"p' >open.json
expect 2 '^simrun: open.json: is a JSON file' model t open.json
printf 'p,n\n1,2\n2,4\n3,6\n' >whole.csv
expect 2 '^simrun: whole.csv: model: all numbers are whole, .*; known: p n$' model --over p whole.csv
printf 'p,t\n2,0.5\n# zero\n0,0.7\n3,0.5\n' >zero.csv
expect 2 "^simrun: zero.csv:4: p is 0; a parameter of a model is above 0" model t zero.csv
: >empty.csv
expect 2 '^simrun: empty.csv: is empty; a table has a line with names' model empty.csv
expect 2 '^simrun: roles.csv: --set, --network, --jobs and --store are for scenarios' model time_s roles.csv -s p=2
expect 2 'is a table \(CSV\), not a scenario.*; simrun model FILE makes models of it' roles.csv
expect 2 '^simrun: roles.csv: is an input, and would be overwritten by --output' model time_s roles.csv -o roles.csv
awk 'BEGIN { print "p,name,t"; for (i = 0; i < 10002; i++) printf "%d,x%d,%g\n", i % 8 + 1, i, i / 7 }' >many.csv
expect 2 '^simrun: many.csv: model: more than 10000 series, which is the most; column .name. has many values' model t many.csv

# The archive that Extra-P reads has what was measured, and reads the same again.
run model time -q -f experiment -o models.extra-p --over p,n extrap.txt
run model time -q -f json --over p,n --predict 128:120 models.extra-p
holds "$law"
mv models.extra-p unnamed
run model time -q -f json --over p,n --predict 128:120 unnamed
holds "$law"
holds '[.models.fits[].measured | length] == [72, 72]'
if command -v python3 >/dev/null; then
    check 'an archive without faults' python3 -m zipfile -t unnamed
    python3 -c 'import json, zipfile; print(json.dumps(json.loads(zipfile.ZipFile("unnamed").read("experiment.json"))))' >out
    holds '.modelers[0].models["main->solve"].time.hypothesis | .function.compound_terms[0].parameter_term_pairs["1"].simple_terms ==
        [{term_type: "polynomial", exponent: 2.0}] and .["$type"] == "MultiParameterHypothesis"'
    holds '.measurements.main.time[0] | .coordinate == [2, 10] and .repetitions == 2 and (.maximum / .minimum * 0.99 / 1.01 - 1 | fabs < 1e-9)'
    # As Python packs it, compressed.
    python3 -c 'import zipfile; a = zipfile.ZipFile("unnamed"); b = zipfile.ZipFile("packed.extra-p", "w", zipfile.ZIP_DEFLATED)
for name in a.namelist(): b.writestr(name, a.read(name))'
    run model time -q -f json --over p,n --predict 128:120 packed.extra-p
    holds "$law"
fi
for cut in 20 100 1000 4000; do
    head -c $cut unnamed >cut.extra-p
    expect 2 '^simrun: cut.extra-p: is a zip archive that cannot be read: ' model cut.extra-p
done
expect 2 "no models to write; simrun model MEASURE makes them" -q -s ranks=2 -f experiment gj256

# A million rows take seconds and little memory. Sanitizers need much more of both.
if [ "${SLOW-1}" -eq 1 ]; then
    awk 'BEGIN { print "n,p,t"; for (i = 0; i < 1000000; i++) { n = i % 20 + 1; p = 2 ^ (i % 7)
        printf "%d,%d,%.4f\n", n, p, (n * n + p) * (1 + (i * 7919 % 1000 - 500) / 10000) } }' >million.csv
    check 'a million rows in 400 MB of addresses' bash -c 'ulimit -v 400000 && "$SIMRUN" model t -q -f csv -o million.out million.csv'
    check 'their law' grep -q '^t,.* n^2 + 1 p,' million.out
fi
finish
