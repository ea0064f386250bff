#!/usr/bin/env bash
# Costs of kernels from tables of timings: laws that are no polynomials, calls that a law does not suit, bands in every answer,
# each mistake in a table with its message, and files that a platform must not make simrun read.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit

# platform PROP...: a platform of 16 hosts, whose props are ID=VALUE.
platform() {
    local prop
    printf '%s' "<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'><platform version='4.1'><cluster " \
        "id='c' prefix='n' suffix='' radical='0-15' speed='1Gf' bw='100MBps' lat='20us'>"
    for prop; do
        printf '<prop id="%s" value="%s"/>' "${prop%%=*}" "${prop#*=}"
    done
    echo '</cluster></platform>'
}

# Sorting takes n log2(n), and 20 us: no polynomial does. Sizes may have other names, and the table other times.
awk 'BEGIN { print "items,wait [us],sort [ms]"; for (n = 1024; n <= 1048576; n *= 2) printf "%d,1.5,%.12g\n", n, 0.02 + 3e-6 * n * log(n) / log(2) }' >sort.csv
platform 'kernel.sort=table sort.csv measure=sort m=items' >sort.xml
run forecast -f json 'sort 500000 on n0 of sort.xml'
holds '[.. | objects | select(.kernel == "sort")][0] | (.expected_s / (20e-6 + 3e-9 * 500000 * (500000 | log2)) - 1 | fabs < 1e-9) and
    (.low_s / .expected_s > 0.9999) and .high_s / .expected_s < 1.0001 and (.extrapolated | not)'
run forecast 'sort 4000000 on n0 of sort.xml'
said yes 'sort 4000000 on n0 of sort.xml: 263\.[0-9]+ ms.* expected at 0 s, extrapolated .* the law of sort\.csv is 2e-05 \+ 3e-09 m log2\(m\), in s, fitted to m from 1024 to 1048576; this is extrapolated'

# Timings that scatter, in CSV and as Extra-P has them, where metrics name their units.
awk 'BEGIN { srand(5); print "kernel,m,n,k,time [us]"; for (m = 32; m <= 256; m *= 2) for (n = 32; n <= 256; n *= 2) for (k = 16; k <= 128; k *= 2)
    for (r = 0; r < 3; r++) printf "dgemm,%d,%d,%d,%.8g\n", m, n, k, (4e-3 * m * n * k + 20) * (0.95 + 0.1 * rand()) }' >dgemm.csv
awk -F, 'NR > 1 { printf "{\"params\":{\"m\":%d,\"n\":%d,\"k\":%d},\"callpath\":\"%s\",\"metric\":\"time_s\",\"value\":%.12g}\n", $2, $3, $4, $1, $5 / 1e6 }' dgemm.csv >dgemm.jsonl
platform 'kernel.dgemm=table dgemm.csv' 'kernel.matadd=poly mn=80ns' >csv.xml
platform 'kernel.dgemm=table dgemm.jsonl measure=time_s' 'kernel.matadd=poly mn=80ns' >jsonl.xml
cat >product.xml <<'END'
<scenario name="product"><platform file="csv.xml"/><application name="pdgemm"/><param name="size" value="512"/>
<param name="grid" value="2x2"/><param name="ranks" value="4"/></scenario>
END
run -q -f json product.xml
cp out csv.json
holds '.runs[0] | .cost_band as $b | $b.time_low_s < .time_s and .time_s < $b.time_high_s and
    $b.speedup_low < .speedup and .speedup < $b.speedup_high and $b.time_high_s / .time_s < 1.05 and
    (.costs | length == 1) and (.costs[0] | .kernel == "dgemm" and .table == "dgemm.csv" and .doubt == "" and .low_s < .time_s and
    .time_s < .high_s and .extrapolated == 0)'
run -q -f json --platform jsonl.xml product.xml
same 'Extra-P says the same' "$(jq -c '.runs[0] | [.time_s, .cost_band]' out)" "$(jq -c '.runs[0] | [.time_s, .cost_band]' csv.json)"
run -q product.xml
said yes '4 ranks in [0-9.]+ ms \([0-9.]+ ms to [0-9.]+ ms\), speedup [0-9.]+ \([0-9.]+ to [0-9.]+\), efficiency [0-9.]+ % \([0-9.]+ to [0-9.]+ %\); '
said yes 'Costs by laws of tables .* dgemm dgemm.csv .* m n k -[0-9.]+ % \+[0-9.]+ %'
run -q -f csv product.xml
said yes 'cost_band.time_low_s'
run forecast -f json 'pdgemm 512 on 2x2 of csv.xml' 'matadd 100 100 on n0 of csv.xml'
holds '[.. | objects | select(has("expected_s"))] | (.[0] | .low_s < .expected_s and .expected_s < .high_s) and (.[1] | has("low_s") | not)'

# Beyond the sizes of the table it says so; what has no table has no band.
run -q --set size=2048 product.xml
said yes 'dgemm is extrapolated beyond the sizes of dgemm.csv for up to 100 % of its time\.'
platform 'kernel.dgemm=poly mnk=4ns residual=0.02' 'kernel.matadd=poly mn=80ns' >plain.xml
run -q -f json --platform plain.xml product.xml
holds '.runs[0] | has("cost_band") or has("costs") | not'

# Three sizes: doubted, and wide.
printf 'm,n,k,time [us]\n64,64,64,1000\n128,64,64,2100\n256,64,64,3900\n' >few.csv
platform 'kernel.dgemm=table few.csv' >few.xml
run forecast 'dgemm 128 64 64 on n0 of few.xml'
said yes 'it is doubtful: few points'

# A store knows a run by its table.
run -q -f json --store runs.db product.xml
sed 's/^dgemm,32,32,16,.*/dgemm,32,32,16,120/' dgemm.csv >changed && mv changed dgemm.csv
run -q -f json --store runs.db product.xml
same 'another table, another time' "$(jq '.runs[0].time_s' out | cmp -s - <(jq '.runs[0].time_s' csv.json) && echo same || echo other)" other
run -q -f json --jobs 2 --set size=256,512 product.xml
holds '[.runs[].cost_band.time_low_s] | length == 2'

# Wired otherwise, the machine has the same tables, wherever its file lies; as text for the library it cannot have any.
mkdir elsewhere
run platform --set topology=ring -o elsewhere/ring.xml product.xml
run -q -f json --platform elsewhere/ring.xml product.xml
holds '.runs[0].costs[0].table == "dgemm.csv"'
expect 2 '^simrun: csv.xml:1: <prop> kernel.dgemm: names a table, which the text format cannot express' platform --text -o machine.txt product.xml

# Calls that a law does not suit, or that take less than no time.
platform 'kernel.dgemm=table loops.csv' 'kernel.matadd=poly mn=80ns' >loops.xml
printf 'iterations,time [us]\n1,2\n10,11\n100,101\n1000,1001\n10000,10001\n' >loops.csv
expect 2 'rank [0-9]+ calls dgemm with m=256 n=256 k=[0-9]+, but the table of kernel.dgemm, .loops.csv., has other sizes' -q --platform loops.xml product.xml
expect 2 'a kernel costs by the law of a table that has no time above 0 for a call of this routine, or other sizes' forecast 'pdgemm 512 on 2x2 of loops.xml'
awk 'BEGIN { print "m,n,k,time [us]"; for (m = 64; m <= 512; m *= 2) for (r = 0; r < 2; r++) printf "%d,64,64,%g\n", m, 10 * m - 600 }' >falls.csv
platform 'kernel.dgemm=table falls.csv' >falls.xml
expect 2 'the law of kernel.dgemm, fitted to .falls.csv., is not above 0 for this call' forecast 'dgemm 8 64 64 on n0 of falls.xml'

# bad PATTERN TABLE [WORDS]: that table of tests/data/bad/costs is refused.
bad() {
    cp "$SOURCE_DIR/tests/data/bad/costs/$2.csv" .
    platform "kernel.dgemm=table $2.csv${3+ $3}" >bad.xml
    expect 2 "$1" check bad.xml
}
bad '^simrun: no_rows.csv: has names of columns, but no rows with values' no_rows
bad '^simrun: no_size.csv: kernel.dgemm: has no column m, n, k or iterations; where they have other names, the prop says so, as m=COLUMN' no_size
bad "^simrun: no_size.csv: kernel.dgemm: no column of numbers is called 'sizes'; did you mean 'size'. known: size time" no_size m=sizes
bad "^simrun: bad.xml:1: <prop> kernel.dgemm: unknown word 'p=size'; known: measure=COLUMN m=COLUMN" no_size p=size
bad "^simrun: bad.xml:1: <prop> kernel.dgemm: 'm' stands there twice" no_size 'm=size m=size'
bad "^simrun: no_time.csv: kernel.dgemm: has no time: no column has a unit such as 'time \[us\]'" no_time
bad "^simrun: no_time.csv: kernel.dgemm: 'energy' is in J; a time is needed, as 'energy \[us\]'" no_time measure=energy
bad '^simrun: two_times.csv: kernel.dgemm: has several times; the prop says which one counts, as measure=COLUMN' two_times
bad "^simrun: unit_in_name.csv: kernel.dgemm: 'time_ms' is in ms; a time is needed, as 'time_ms \[us\]'" unit_in_name
bad '^simrun: both.csv: kernel.dgemm: has both iterations and m; a call has either iterations or dimensions' both
bad '^simrun: squares.csv: kernel.dgemm: n grows with m from row to row, so that what each costs is not known; ' squares
bad '^simrun: too_few.csv: kernel.dgemm: a model needs at least 3 different points, not 2' too_few
bad '^simrun: zero.csv:4: kernel.dgemm: the time is 0; allowed: more than 0' zero
bad '^simrun: fraction.csv:3: kernel.dgemm: m is 16.5; allowed: a whole number from 1 to 2147483647' fraction
bad "^simrun: other_text.csv: kernel.dgemm: column 'host' is text; allowed: 'kernel' or 'region', which says of which kernel a row is" other_text
bad '^simrun: other_number.csv:4: kernel.dgemm: threads varies, and is neither the time nor a size: 2, before it 1' other_number
bad "^simrun: other_kernel.csv: kernel.dgemm: no row has kernel 'dgemm'" other_kernel
bad '^simrun: text_in_number.csv:3: column 2: ' text_in_number

# Files that are not there, no files, or too large; and the platform's output over its table.
platform 'kernel.dgemm=table none.csv' >bad.xml
expect 2 "^simrun: bad.xml:1: <prop> kernel.dgemm: cannot read 'none.csv': No such file" check bad.xml
platform 'kernel.dgemm=table' >bad.xml
expect 2 '^simrun: bad.xml:1: <prop> kernel.dgemm: names no file; allowed: table FILE.csv' check bad.xml
platform 'kernel.dgemm=table csv.xml' >bad.xml
expect 2 '^simrun: csv.xml: is a platform file, not a table of timings' check bad.xml
mkfifo pipe.csv
platform 'kernel.dgemm=table pipe.csv' >bad.xml
expect 2 '^simrun: pipe.csv: is not a regular file' check bad.xml
truncate -s 65M large.csv
platform 'kernel.dgemm=table large.csv' >bad.xml
expect 2 '^simrun: large.csv: is larger than 64 MiB' check bad.xml
expect 2 'dgemm.csv' -q -o dgemm.csv product.xml

# --- ranks that share a host ---

# Calls take twice as long where four ranks share a host, 1.5 times where three do, and as long as alone on hosts of their own.
for shared in '' 'shared.dgemm=2=1 4=2'; do
    platform cores=4 'kernel.dgemm=poly mnk=4ns' 'kernel.matadd=poly mn=80ns' ${shared:+"$shared"} >shared.xml
    for each in 1 3 4; do
        run -q -f json -s ranks_per_host=$each -s ranks=12 -s grid=3x4 -p shared.xml product.xml
        jq '.runs[0].scope_state_s["multiplication.useful"]' out >"useful$each${shared:+.shared}"
    done
done
check 'alone: as long' cmp useful1 useful1.shared
for each in 3 4; do
    check "$each ranks on a host: half as long again for each" jq -n -e --slurpfile alone useful$each --slurpfile shared useful$each.shared --argjson each $each \
        '$shared[0] / $alone[0] / ($each / 2) - 1 | fabs < 1e-6' >/dev/null
done
# Hosts that are processors of one computer share its memory as ranks of one host do.
platform hosts_per_computer=4 'kernel.dgemm=poly mnk=4ns' 'kernel.matadd=poly mn=80ns' 'shared.dgemm=2=1 4=2' >shared.xml
run -q -f json -s ranks=12 -s grid=3x4 -p shared.xml product.xml
jq '.runs[0].scope_state_s["multiplication.useful"]' out >useful.computer
check 'four hosts of a computer: twice as long' jq -n -e --slurpfile alone useful1 --slurpfile shared useful.computer \
    '$shared[0] / $alone[0] / 2 - 1 | fabs < 1e-6' >/dev/null
platform 'kernel.dgemm=poly mnk=4ns' 'shared.dgem=4=2' >bad.xml
expect 2 'bad.xml:1: <prop> shared.dgem: the prop kernel.dgem is missing; .*dgemm' check bad.xml
for wrong in '4' '1=2' '4=2 3=2' '4=0.5' '=2' ''; do
    platform 'kernel.dgemm=poly mnk=4ns' "shared.dgemm=$wrong" >bad.xml
    expect 2 '^simrun: bad.xml:1: <prop> shared.dgemm: ' check bad.xml
done

finish
