#!/usr/bin/env bash
# The report for readers: how long it is, and wide, what its tables leave out, and by which words it speaks.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
scenarios=$SOURCE_DIR/scenarios
awks=$SOURCE_DIR/tests/cli

# --- every scenario that comes along ---

# A scenario of many runs is made smaller. A head is a word of the glossary, a parameter or a phase of the program.
for file in "$scenarios"/*.xml; do
    name=$(basename "$file" .xml)
    case $name in
    gj-scaling) smaller='-s n=64' ;;
    gj-topologies) smaller='-s n=64 -s ranks=16' ;;
    hpl-icluster) smaller='-s n=800 -s grid=3x4 -s ranks=12' ;;
    ncp2-16) smaller='-s program=em3d,sor' ;;
    ncp2-ocean) smaller='-s size=66' ;;
    what-limits-gj) smaller='-s n=64' ;;
    *) smaller= ;;
    esac
    # shellcheck disable=SC2086
    "$SIMRUN" -q --store "$work/$name.db" $smaller "$file" >"$work/out"
    command="$name"
    check "$name: at most 60 lines" test "$(wc -l <"$work/out")" -le 60
    narrow
    check "$name: each column says something of its own" awk -f "$awks/columns.awk" "$work/out"
    sqlite3 "$work/$name.db" "SELECT name FROM parameters UNION SELECT substr(name, 15) FROM measure_names
        WHERE grp = 'critical_path_s' AND name LIKE 'communication.%'" | sed 'p; s/_[ab]$//' | sort -u >"$work/names"
    awk -f "$awks/heads.awk" "$work/out" | sed 's/^\(overhead\|controller\): //; s/^communication\.//' |
        grep -vxF -f "$work/names" | sort -u >>"$work/heads"
done
sort -u "$work/heads" >"$work/words"
mapfile -t words <"$work/words"
check 'there are words' test "${#words[@]}" -gt 40
run explain "${words[@]}"

# --- all else that prints tables ---

# Values of parameters and names of hosts are no words; nor are the first cells of a tree, which look like a second line.
heads_of() {
    awk -f "$awks/heads.awk" "$1" |
        sed 's/^\(overhead\|controller\): //; s/^communication\.//; s/ ([a-z]*)$//; s/^at [0-9].*/at/; s/^parent .*/parent/; s/^scope .*/scope/' |
        grep -vE '^[-+.0-9]|^(red|black|electric|magnetic)$|^icluster'
}
for run in 'gj256 -s n=64 -s ranks=1,4' 'ncp2-sor -s ranks=2' 'pdtrsm -s m=256 -s n=256 -s grid=8x4,4x8'; do
    # shellcheck disable=SC2086
    "$SIMRUN" -q -v --what-if --detail all $run >"$work/out"
    heads_of "$work/out"
done >"$work/heads"
for trace in "$SOURCE_DIR"/tests/data/traces/*.otf2; do
    "$SIMRUN" -q -v --detail all "$trace" >"$work/out"
    heads_of "$work/out"
    "$SIMRUN" -q -v -p icluster "$trace" >"$work/out"
    heads_of "$work/out"
done >>"$work/heads"
{
    "$SIMRUN" model -q -v -s ranks=1,2,4,8,16 -s n=64 "$scenarios/gj256.xml"
    "$SIMRUN" model time_s -q -v -s ranks=1,2,4,8,16 -s n=64 "$scenarios/gj256.xml"
    "$SIMRUN" forecast icluster 'dgemm 512 512 512 on n1' 'n1 to n2 1MB'
    "$SIMRUN" forecast icluster 'pdgemm 1024 1024 1024 on 16'
} >"$work/out"
heads_of "$work/out" >>"$work/heads"
sort -u "$work/heads" >"$work/words"
mapfile -t words <"$work/words"
check 'there are more words' test "${#words[@]}" -gt 110
run explain "${words[@]}"

# --- with -v nothing is lost ---

run -q "$scenarios/gj256.xml"
said yes 'With -v also: Bottlenecks[.;] '
run -q -v "$scenarios/gj256.xml"
said no 'With -v'
said yes 'In all rows: input 1\.972 s, formula 1\.970 s, output 6\.089 ms, formula 6\.000 ms\.'
said yes '128 0\.04 0\.05 1\.90 0\.36 8\.07 1\.22 8\.2 %'
same 'processes' "$(grep -c '^Process by process' "$work/out")" 8
run -q "$scenarios/matmul-scaling.xml"
said yes '\.\.\. 30 more rows: -v\.'
run -q -v "$scenarios/matmul-scaling.xml"
same 'rows of times' "$(awk '/^$/ { on = 0 } /^Time$/ { on = 1 } on && /^ +[0-9]/' "$work/out" | wc -l)" 40
said no 'more rows'

# --- digits, columns and rows ---

# Times that differ by a thousand have their own units, and all their digits.
sed '/<decision/d' "$scenarios/broadcast-crossover.xml" | sed "s|\.\./platforms|$SOURCE_DIR/platforms|" >"$work/sweep.xml"
run -q -s broadcast=binomial,chain -s ranks=8 -s bytes=1KiB,1MiB "$work/sweep.xml"
said yes 'Time bytes broadcast time slowdown 1KiB binomial 579\.3 us x 1\.00 .* 1MiB binomial 286\.5 ms '
said no ' 0\.00[0-9] '

# Values that all rows share are stated once; columns that are zero or equal another column are left out.
said yes 'In all rows: largest part communication broadcast, its share 100\.0 %'
said no 'utilization|0\.0 % 0\.0 % 0\.0 %'

# Each problem of a mixed sweep has an answer of its own.
run -q -s ranks=1,8 "$scenarios/treadmarks-atm.xml"
said yes 'Fastest for program jacobi: .* Fastest for program tsp: .* Fastest for program quicksort: .* Fastest for program water: '

# The title says which values were asked for, to the last.
title() { # ARGUMENT... EXPECTED: what stands in the last brackets of the first line
    same "the title of $1" "$("$SIMRUN" -q -s "$1" "$scenarios/gj128.xml" | sed -n '1s/.*(\(.*\))$/\1/p')" "$2"
}
title ranks=1..4 ranks=1,2,3,4
title ranks=8..48:8 ranks=8..48:8
title ranks=1..9 ranks=1..9
title ranks=2,4,8,16,32 'ranks=2..32*2'
title ranks=1,2,3,5,9 'ranks=1,2,...,9'

# --- what messages name ---

expect 2 "^simrun: --network=mesh: 'mesh' is unknown" --network mesh "$scenarios/gj256.xml"
expect 2 'twice, by network=fifo and network=quiet' --network fifo -s network=quiet "$scenarios/gj256.xml"
expect 2 'a ring of 4x4 has 16 hosts; at least 32 are needed, or a larger .ranks_per_host., in the run of 32 ranks' \
    -s topology=ring -s dimensions=4x4 -s ranks=16,32 "$scenarios/gj256.xml"
expect 2 "^simrun: unrecognized option '--lst'" --lst
expect 2 "list: unknown 'topologie'; did you mean 'topologies'" list topologie
run -q -v -s ranks=4 "$scenarios/matmul100.xml"
"$SIMRUN" -v -s ranks=3 "$scenarios/matmul100.xml" 2>"$work/err" >"$work/out"
check 'one run is one' grep -q '^simrun: 1 run in ' "$work/err"

# For two runs, readers are told changes of a hundredth or more.
"$SIMRUN" -q --store "$work/two.db" -s ranks=2,4 "$scenarios/gj128.xml" >"$work/out"
run store diff "$work/two.db" 1 2
said yes ' time_s .* x 0\.60 '
said no 'x 1\.00 .* x 1\.00|memory_processing_ratio'

# --- one word for a thing ---

run -q -v "$scenarios/gj256.xml"
said yes 'of its critical path is communication\. Platform t800-mesh, network model fifo, n 256\.'
said yes '\| overhead: control communication idle'
said yes "measured \[s\] error formula \[s\] formula's error .* simulated 1\.9 %, by the paper's formula 4\.7 %, as printed 16\.0 %"
said yes 'Utilization .* efficiency'
said no 'Ovh|pred\.|predicted|forecast|of best|mostly|off it|comm\./|mem\./|[^a-z]io[^a-z]|broadcast_order|reference'
run -q -v -s size=1024,4096 "$scenarios/icluster-switch.xml"
said yes 'one host cannot hold the problem; T_seq is what it would take with enough memory \(the data of one rank alone take'
said no 'Ovh|predicted|forecast|of best|mostly|off it'
run -q "$scenarios/pdtrsm.xml"
said yes 'of its critical path is communication\. .* the order of the ranks changes, but not the time\.'
run -q "$scenarios/align.xml"
said yes 'Discarded: grid 2x2, on 12 ranks; the data of rank 8 take'

# Categories and waits of shared memory are words, with the names of their paper, and the run is named before what it is.
run -q -v -s variant=I+P+D,P -s ranks=4 "$scenarios/ncp2-sor.xml"
said yes 'program coherence waiting serving others \| controller: working held up idle'
said yes '\(Comp\) \(Extra\) \(Wait\) \(Prste\) \(CPComp\) \(CPWait\) \(CPIdle\)'
said yes 'Shared memory in detail, 4 ranks, variant '
said yes '\(CPLWait\)'

# A traced run is called one.
run -q -s ranks=2 -s n=32 -t "$work/run.otf2" "$scenarios/gj128.xml"
run -q "$work/run.otf2"
said yes ' Traced run, N 32\. '
said no 'Platform|network'

# --- causes ---

# Parts stand indented under what they are part of; what a program cannot have, and what is small, is no row.
run -q -s ranks=64 -s broadcast=neighbour "$scenarios/what-limits-gj.xml"
check 'parts of the network' grep -qxE '    bandwidth +[0-9.]+ +[0-9.]+ % .*' "$work/out"
check 'the network itself' grep -qxE '  network +[0-9.]+ +[0-9.]+ % .*' "$work/out"
check 'I/O is a part of nothing' grep -qxE '  I/O +[0-9.]+ +[0-9.]+ % .*' "$work/out"
said yes 'without I/O 5\.207 s'
said no 'Not removed|    overhead +[0-9]|that ran beside it'
run -q -v -s ranks=64 -s broadcast=flat -s n=64 "$scenarios/what-limits-gj.xml"
said no 'Not removed'

# --- explain ---

run explain
said yes '^Terms Amdahl.s law application .* write notice Times time '
run explain SpeedUp
said yes 'speedup \(Times\) T_seq / time of the run \(1\.1; Lemeire07\)'
run explain 'overhead ratio'
said yes 'time that all ranks lose in a class / T_seq \(1\.13; Lemeire07\)'
run explain for_rank_s path_segments
said yes 'for_rank_s \(function_waits\) seconds (over all ranks )?for_rank_s \(site_waits\) seconds over all ranks for_rank_s \(call_path_waits\) seconds over all ranks path_segments \(metrics\) the critical path as segments'
run explain 'its share' CTS
said yes 'the largest part / time .* clear to send'
expect 2 "explain: unknown word 'speedpu'; did you mean 'speedup'\?" explain speedpu
expect 2 "explain: unknown word 'nothing of ours'; simrun explain lists them" explain 'nothing of ours'
for word in 'efficiency' 'B-ratio' 'load balance' 'transfer' 'anomaly' 'utilization' 'gain' 'error'; do
    run explain "$word"
    said yes '/|share'
done

finish
