#!/usr/bin/env bash
# The text report: sentences before its tables, parts that it leaves out of them, and the notes on a run.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
scenarios=$SOURCE_DIR/scenarios

# The fastest, for each size of the problem; where only that varies, or has too many values, the range. Ties are told.
run -s n=50,100 -s ranks=2,8 "$scenarios/matmul-scaling.xml"
said yes 'Fastest for n 50: 8 ranks in .* Fastest for n 100: 8 ranks in'
run -s size=1024,2048 "$scenarios/pdgemm-8x4.xml"
said yes 'size 1024 \.\.\. 2048: 1\.026 s \.\.\. 4\.256 s; efficiency 14\.4 % \.\.\. 27\.7 %\. '
said no 'Fastest'
run -s n=10,20,30,40,50,60,70,80,90 -s ranks=2,8 "$scenarios/matmul-scaling.xml"
said yes ' n 10 \.\.\. 90: '
said no 'Fastest'
run -s grid=8x1,1x8 -s uplo=upper,lower -s side=left -s trans=no "$scenarios/pdtrsm.xml"
said yes 'Fastest: 8 ranks, grid 8x1, uplo upper in 4\.294 s, .*\. Just as fast: uplo lower\. Platform'
said yes 'each alternative takes, all else at its best slowdown grid 8x1 x 1\.00 1x8 x 3\.06 uplo upper x 1\.00 lower x 1\.00 Time'
run "$scenarios/pdtrsm.xml"
said yes 'Just as fast: uplo lower; grid 1x8, side right; grid 1x8, uplo lower, side right; and 4 more\. '
run "$scenarios/gj256.xml"
said no 'Just as fast|each alternative takes'

# Where several alternatives vary, what each costs at its best, for each problem; where only one does, the times say it.
run -s size=1024,2048 "$scenarios/icluster-switch.xml"
said yes 'all else at its best size 1024 size 2048 .*platform icluster x 4\.[0-9]+ x 2\.[0-9]+ .*icluster-myrinet x 1\.00 x 1\.00 '
said no '\[s\] size platform [^0-9]* 1024'
narrow
run -s ranks=16 -s n=64 "$scenarios/gj-broadcasts.xml"
said no 'each alternative takes'

# The answer says so where its share is a sum, and the largest part, as the table has it, another one.
said yes '44 % of its critical path is communication in all; the largest single part is I/O input, 34 %\. .* chain 0\.368 .* I/O input 34\.4 %'

# Ranks without work do not lower the efficiency, and the report says so.
run -s grid=1x1,4x8 "$scenarios/pdgemm2048.xml"
said yes ' 1x1 [^%]* 1 1\.00 100\.0 % .*efficiency is speedup / processors'
run -s grid=4x8 "$scenarios/pdgemm2048.xml"
said no 'processors speedup'

# The line on the platform has no network that varies, nothing that is at its default, and nothing that the run does not use.
run -s network=quiet,fifo -s size=1024 "$scenarios/pdgemm-8x4.xml"
said yes 'Platform icluster, ranks 32, grid 8x4\. '
run -s ranks=2 "$scenarios/gj256.xml"
said yes 'Platform t800-mesh, network model fifo, n 256\. '
run -s ranks=2 -s layout=row-major -s root=corner -s broadcast_segment=64 -s broadcast_order=reverse "$scenarios/gj256.xml"
said yes 'Platform t800-mesh, network model fifo, layout row-major, root corner, n 256\. '
run -s ranks=2 -s broadcast=chain_segmented -s broadcast_segment=64 -s broadcast_order=reverse "$scenarios/gj256.xml"
said yes 'n 256, broadcast chain_segmented, broadcast_segment 64\. '
run -s ranks=2 -s broadcast=flat -s broadcast_radix=8 -s broadcast_order=reverse "$scenarios/gj256.xml"
said yes 'n 256, broadcast flat, broadcast_order reverse\. '
run -s ranks=2 -s root=corner "$scenarios/matmul100.xml"
said yes 'Platform pentium2-cluster, network model fluid, n 100\.'

run -s topology=torus -s dimensions=4x4 -s ranks=16 -s n=64 "$scenarios/gj256.xml"
said yes 'Platform t800-mesh as torus 4x4, network model fifo, n 64\. '
run -s topology=star,dragonfly -s ranks=16 -s n=64 "$scenarios/gj256.xml"
said no 'layout|root'
run -s topology=mesh,star -s ranks=16 -s n=64 "$scenarios/gj256.xml"
said no 'layout|root'

# Sizes have units.
run -s bytes=4194304,2056 -s ranks=4 -s broadcast=flat,chain "$scenarios/broadcast-crossover.xml"
said yes 'among 4 ranks, icluster \(bytes=4MiB,2056, .* for bytes 4MiB: .*Candidates for bytes 4MiB'
said no '4194304'

# Columns of zeros are left out; overheads below 1 are in percent; no zero has a sign.
run "$scenarios/matmul100.xml"
said yes 'overhead: communication idle anomaly 3 .* 2\.6 % What'
said no 'memory|control|fpu|I/O'
run -s size=1024,4096 "$scenarios/pdgemm-8x4.xml"
said no ' -0\.00 '

# No line is wider than 120 columns.
run -s uplo=upper -s side=left "$scenarios/pdtrsm.xml"
said no '[^ ]{121}'
"$SIMRUN" -s size=4096 "$scenarios/align.xml" >>"$work/out"
fewer= # ranks, where programs are slow
[ "${SLOW-1}" -eq 1 ] || fewer='-s ranks=2'
for scenario in ncp2-water dsm-vs-mpi treadmarks-atm; do
    # shellcheck disable=SC2086
    "$SIMRUN" $fewer "$scenarios/$scenario.xml" >>"$work/out"
done
narrow

# Overheads are percentages in every run, small or large; -v has them of each process.
run -s ranks=2,128 "$scenarios/gj256.xml"
said yes 'overhead: control communication idle 2 .* 0\.0 % 2\.6 % 2\.5 % 128 .* 0\.4 % 231\.6 % 892\.9 % What'
run -v -s ranks=128 "$scenarios/gj256.xml"
said yes 'rank useful control send receive idle \| overhead: communication idle 0( [0-9.]+ %){7} 1 '

# One phase is all of the communication; only several make a table.
scenario "$work/ring.xml" t800-mesh "name='ring'"
run -s ranks=4 "$work/ring.xml"
said yes 'What the time consists of.* communication'
said no 'by phase'
run -s ranks=4 "$scenarios/gj256.xml"
said yes 'by phase ranks initialisation formula distribution formula broadcast formula collection formula 4 5\.219 ms 4\.000 ms 560\.4 ms'

# A trace: bandwidths have digits, and no time is written as none.
run -s ranks=4 -s network=quiet -t "$work/gj.otf2" "$scenarios/gj256.xml"
run "$work/gj.otf2"
said yes ' bandwidth 4 B [0-9]+ 4 .* [1-9][0-9.]+ kB/s '
said no ' 0\.000 [a-z]?s'

# Times measured on the scenario's own machine do not stand beside those of another one.
run -q -s ranks=1,16 "$scenarios/gj256.xml"
said yes 'measured \[s\]'
run -q -s ranks=1,16 -p t800-mesh-64x64 "$scenarios/gj256.xml"
said no 'measured \[s\]|formula|error'

# Every format is explained.
for ending in $("$SIMRUN" list formats | awk '$1 ~ /^\./ { print $1 }'); do
    for page in docs/ref/trace-formats.md docs/man/simrun.1; do
        command="$page"
        cp "$SOURCE_DIR/$page" "$work/out"
        said yes "\\$ending"
    done
done

# A decision names its criterion; from twice on it counts how many times.
sed "s|\.\./platforms|$SOURCE_DIR/platforms|; s|<decision[^>]*>|<decision by=\"bytes\"/>|" "$scenarios/align.xml" >"$work/bytes.xml"
run -s size=4096 -s grid=2x2,4x3,12x1 "$work/bytes.xml"
said yes 'Best by data moved: grid 2x2 in 90\.79 s; grid 4x3 moves 2\.2 times as much data and needs 8 more processors but'

# Where networks vary, a decision says on which alternatives they do not agree, and what has no effect, as studies do.
crossover=$scenarios/broadcast-crossover.xml
run -v -s network=fifo,fluid -s bytes=64KiB,512KiB -s ranks=16 "$crossover"
said yes 'The networks do not agree on 14 of 110 pairs of alternatives: bytes [^:]*: broadcast chain_segmented before broadcast'
said yes ' \.\.\. 8 more in -f json\. .* Changes without effect: .* network has no effect in 7 of 22 settings, such as '
said yes 'Best by time bytes \\ network fifo fluid [^ ]* scatter_doubling scatter_ring [^ ]* chain_segmented scatter_doubling '

# The algorithm that `fastest` has chosen, also in a decision, and the sentence that this is why it takes as long.
run -s broadcast=fastest -s ranks=16 -s bytes=64,8KiB,512KiB "$crossover"
said yes 'The fastest algorithms of collectives, .* slowest 64 64 \.\.\. 127 knomial 64 331\.6 us .* scatter_doubling .* chain_segmented .* In all rows: collective broadcast, among 16\. '
said no 'Where the best|Best by time bytes'
run -s broadcast=fastest,scatter_doubling,binomial -s ranks=16 "$scenarios/gj-broadcasts.xml"
said yes 'such as fastest and scatter_doubling: fastest has chosen scatter_doubling there\.'
said no 'neither program nor machine uses it'

# A long ranking has the best and the worst, three digits of each, the largest part of the time, and one block of
# columns.
run -s n=64 -s ranks=16 "$scenarios/gj-topologies.xml"
said yes 'Candidates, by time: the best 10 and the worst 3 of 120; \.\.\. 107 more in -f csv\. topology'
said yes 'How many times as long as the fastest each alternative takes, all else at its best slowdown topology mesh x 1\.03 torus x 1\.02'
said yes ' star chain 0\.356 x 1\.00 [^x]* I/O input .* dragonfly flat 1\.51 x 4\.24 [^x]* broadcast In all rows: I/O 0\.12[0-9]*, moved 531\.1 kB\. .*Changes'
said no 'processors|moved \[[^]]*\] .* moved'
same 'rows of the ranking' "$(grep -cE '^ +[a-z_]+ +[a-z_]+ +[0-9.]+ +x ' "$work/out")" 13
narrow

# Many rankings are a matrix of the best, where it changes, and the first of each.
run "$crossover"
said yes 'Best by time: knomial up to bytes 256, split_binary at 1KiB, scatter_doubling from 4KiB to 64KiB, chain_segmented from'
said yes '256KiB on\. 4 of 27 cases have another best\. Best by time bytes \\ ranks 4 16 64 64 flat knomial knomial '
said yes 'Platform icluster, network model fifo, broadcast_segment 8KiB\. '
said yes 'Where the best candidate changes: ranks 4: from flat to split_binary between bytes 256 and 1KiB, to chain_segmented between'
said no 'bytes 64: from flat'
said yes 'Candidates, by time: the best 3 of each ranking; \.\.\. [0-9]+ more in -f csv\. ranks bytes broadcast time slowdown moved'
said no 'Best by time for|processors'
check 'short enough' test "$(wc -l <"$work/out")" -le 60
narrow
run -v "$crossover"
said yes 'bytes 64: from flat to knomial between ranks 4 and 16\.'
run -s grid=4x3,4x2 "$scenarios/align.xml"
said yes 'Best by time: grid 4x3 throughout\. Best by time for size 2048: grid 4x3'

run -v -s grid=4x3,4x2 "$scenarios/align.xml"
same 'one block for each ranking' "$(grep -c '^Candidates for size' "$work/out")" 6
run -v -s size=2048,9600 "$scenarios/align.xml"
said yes ' 2048 4x3 9\.23 x 1\.00 .* 2048 4x2 9\.31 x 1\.01 .* 2048 2x2 13\.26 x 1\.44 .* 9600 4x3 457\.49 x 1\.00 '
narrow

# Notes: data that do not fit, those of T_seq, hosts that differ, costs that are extrapolated.
run -s size=20480 -s grid=4x4 -s ranks=16 -s network=quiet "$scenarios/pdgemm-8x4.xml"
said yes 'Note: the data of rank 0 take 629\.1 MB, but a host has 268\.4 MB of memory\. Note: one host .* take 10066\.3 MB'
run -s size=1024,4096 "$scenarios/pdgemm-8x4.xml"
said yes 'Note on 1 of 2 runs: one host cannot hold the problem; T_seq is what it would take .*one rank alone take 402\.7 MB'
run -s size=1024,4096 -f json "$scenarios/pdgemm-8x4.xml"
holds '[.runs[].notes | length] == [0, 1] and (.runs[1].notes[0] | startswith("T_seq"))'
sed "s|\.\./platforms/icluster.xml|$SOURCE_DIR/platforms/icluster-loaded.xml|" "$scenarios/pdgemm-8x4.xml" >"$work/loaded.xml"
run -s size=1024 -s ranks=4 -s grid=2x2 "$work/loaded.xml"
said yes 'Note: the hosts have profiles of their speed, which simulations ignore'
sed 's/mnk=4.3956ns/mnk=4.3956ns from=100 to=1000/' "$SOURCE_DIR/platforms/icluster.xml" >"$work/range.xml"
sed "s|\.\./platforms/icluster.xml|range.xml|" "$scenarios/pdgemm-8x4.xml" >"$work/ranged.xml"
run -s size=1024 -s block=128 "$work/ranged.xml"
said yes 'Platform range'
said no 'Note: dgemm'
run -s size=1024 "$work/ranged.xml"
said yes 'Note: dgemm is called 512 times outside the dimensions from 100 to 1000 that its cost was fitted for, first m=128 n=256 k=64\.'

finish
