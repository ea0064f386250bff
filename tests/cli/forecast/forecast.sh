#!/usr/bin/env bash
# Forecasts from outside: routines, messages, and parallel routines on grids, by the formulas worked out in jq.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

# Forecasts of a platform.
loaded=$SOURCE_DIR/platforms/icluster-loaded.xml
expect 2 "'5' lacks a unit" forecast "$loaded" 'n0 to n1' --at 5
expect 2 "'1e7s' is too large; the limit is 9223372 s" forecast "$loaded" 'n0 to n1' --at 1e7s
expect 2 'too few arguments: simrun forecast \[PLATFORM\] QUERY' forecast
expect 2 "'icluster': a QUERY is missing; for example: simrun forecast .pdgemm 2048 on 4x8" forecast icluster
expect 2 'icluster-loaded.xml.: not understood; allowed' forecast 'n0 to n1' "$loaded"
expect 2 'icluster-loaded.xml.: not understood; allowed' forecast "$loaded" 'n0 to n1' "$loaded"
run forecast "$loaded" 'n0 to n1' 'dgemm 1024 1024 64 on n2' -f csv
same 'CSV: forecasts' "$(head -n 1 "$work/out" | cut -d , -f 1-4) $(wc -l <"$work/out")" 'query,from,to,hops 3'
expect 2 "unrecognized option '-s' of simrun forecast" forecast "$loaded" 'n0 to n1' -s n=5
expect 2 'is an input, and would be overwritten' forecast "$loaded" 'n0 to n1' -o "$loaded"
expect 2 "unknown host 'n225'; known: n0 \.\.\. n224 \(225 hosts\)" forecast "$SOURCE_DIR/platforms/icluster.xml" 'n0 to n225'
expect 2 "unknown routine 'dgemn'; did you mean 'dgemm'" forecast "$loaded" 'n0 to n1' 'dgemn 1 2 3 on n0'
expect 2 'gj.rsub costs by iteration' forecast "$SOURCE_DIR/platforms/t800-mesh.xml" 'gj.rsub 1 2 on n0'
run forecast "$SOURCE_DIR/platforms/t800-mesh.xml" 'gj.rsub on n0' 'n0 to n127 1KiB'
run forecast "$loaded" 'dgemm 1024 1024 64 on n2' 'n0 to n1 1MiB' --at 600s
same 'the answer first' "$(head -n 1 "$work/out")" 'dgemm 1024 1024 64 on n2: 867.6 ms expected at 600 s'
run forecast "$loaded" 'dgemm 1024 1024 64 on n2' 'n0 to n1 1MiB' --at 600s -f json
holds '.platform == "icluster-loaded" and .at_s == 600 and (.forecasts[0] | .availability == 0.34
    and .availability_predictor == "last value" and .availability_measurements == 61
    and (.best_s / .availability / .expected_s - 1 | fabs) < 1e-12 and .memory_bytes == 9437184
    and .extrapolated == false) and (.forecasts[1] | .hops == 2 and .message_s == .message_at_0_s)'
message_s=$(jq '.forecasts[1].message_s' "$work/out")

# A forecast message takes as long as a simulated one; a cost outside its range is said to be extrapolated.
scenario "$work/send.xml" icluster-loaded "name='broadcast'" ranks=2 bytes=1MiB
run -n quiet -f json "$work/send.xml"
holds "(.runs[0].time_s / $message_s - 1 | fabs) < 1e-9"
sed 's/mnk=4.3956ns/mnk=4.3956ns from=32 to=1000/' "$SOURCE_DIR/platforms/icluster.xml" >"$work/range.xml"
run forecast -f json "$work/range.xml" 'dgemm 1000 1001 64 on n2' 'dgemm 1000 1000 32 on n2'
holds '[.forecasts[].extrapolated] == [true, false]'
run forecast "$work/range.xml" 'dgemm 1000 1001 64 on n2'
said yes 'extrapolated: the cost was fitted for dimensions from 32 to 1000'

run forecast "$SOURCE_DIR/platforms/pentium2-cluster.xml" 'dtrsm 1000 1000 on n0' -f json
holds '.forecasts[0] | .memory_bytes == 16e6 and .host_memory_bytes == 134217728'

# Beyond the clock there are years; a cost may be negative where it was not fitted, and is refused there.
run forecast "$loaded" 'dgemm 1e6 1e6 1e6 on n0'
same 'years' "$(head -n 1 "$work/out")" 'dgemm 1e6 1e6 1e6 on n0: 139.3 years expected at 0 s'
sed 's/mnk=4.3956ns/mnk=4.3956ns mn=-100ns from=64 to=1000/' "$SOURCE_DIR/platforms/icluster.xml" >"$work/dip.xml"
expect 2 'kernel.dgemm is negative for these dimensions' forecast "$work/dip.xml" 'dgemm 64 64 8 on n0'
scenario "$work/dip-scenario.xml" dip.xml "name='pdgemm'" ranks=4 size=40 block=8
expect 2 'rank 0 calls dgemm with m=24 n=24 k=8, for which the polynomial kernel.dgemm of dip is negative' \
    "$work/dip-scenario.xml"

# The predictor that is named is the one with the largest error among the wires of a route.
printf '0 0.00005\n' >"$work/constant.txt"
printf 'PERIODICITY 20\n0 0.0001\n10 0.0004\n' >"$work/varies.txt"
sed -e 's/costs_from" value="/&'"${SOURCE_DIR//\//\\/}"'\/platforms\//' -e 's/speed_file="[^"]*"//' -e 's/bandwidth_file="[^"]*"//' \
    -e 's/profiles\/n2-latency/varies/' -e '/id="wire1"/s/sharing/latency_file="constant.txt" &/' "$loaded" >"$work/wires.xml"
for pair in 'n0 to n1' 'n0 to n2' 'n1 to n2' 'n2 to n1'; do
    run forecast "$work/wires.xml" "$pair" -f json --at 600s
    jq -r '.forecasts[0].latency_predictor' "$work/out"
done >"$work/predictors"
same "predictors: $(paste -sd, "$work/predictors")" "$(tail -n 3 "$work/predictors" | sort -u | wc -l)" 1
same 'of another wire' "$(sort -u "$work/predictors" | wc -l)" 2

# --- parallel routines ---

# Eqs. 1 and 3 of Caron02 and Amdahl's law with nothing serial, on the platform of the paper unless another is named.
expect 2 'put the query in quotes' forecast pdgemm 2048 on 4x8
expect 2 'put the query in quotes' forecast icluster pdgemm 2048 on 4x8
run forecast 'pdgemm 2048 on 4x8'
same 'the answer first' "$(head -n 1 "$work/out")" 'pdgemm 2048 on 4x8 of icluster: 4.246 s expected, 4.256 s simulated'
check 'each estimate has a row' said yes "formula +4.25 -0.2 % .* simulation 4.26 - .* LogP 4.26 .0.1 % .* Amdahl's law 1.18 -72.3 % "
narrow
check 'it fits a screen' test "$(wc -l <"$work/out")" -le 24
said no 'trust the simulation'
run forecast 'pdgemm 300 network=quiet on 8x4' -f json
quiet=$(jq '.forecasts[0].simulated_s * 1e3' "$work/out")
run forecast 'pdgemm 300 on 8x4'
said yes "trust the simulation: the formula leaves out .* wait for links: without such waits .network=quiet. $(printf %.2f "$quiet") ms are simulated"
run forecast 'pdgemm 300 network=quiet on 8x4'
said yes 'trust the simulation: the formula leaves out that blocks are dealt unevenly and steps overlap *$'
run forecast 'pdgemm 300 algorithm=library on 8x4'
said no 'trust the simulation'
run forecast 'pdgemm 2048 on 4x8' -f json
paper='def near($x): (. / $x - 1 | fabs) < 1e-9;
    def eq1($p; $q): 32 * 4.3956e-9 * (2048 / $p) * (2048 / $q) * 64;
    def eq3($p; $q; $a; $b): ($a * 2048 * 2048 / $p + $b * 2048 * 2048 / $q) * 8 / 11e6 + ($a + $b) * 32 * 100e-6;'
holds "$paper"' .platform == "icluster" and (.forecasts | length == 1) and (.forecasts[0] | .grid == "4x8" and .rows == 4
    and (.computation_s | near(eq1(4; 8))) and (.communication_s | near(eq3(4; 8; 3; 2)))
    and (.expected_s | near(eq1(4; 8) + eq3(4; 8; 3; 2))) and .best_s == .expected_s
    and (.one_process_s | near(4.3956e-9 * 2048 * 2048 * 2048)) and .serial_share == 0
    and (.amdahl_s | near(4.3956e-9 * 2048 * 2048 * 2048 / 32))
    and (.delay_s | near(eq1(4; 8) + 5 * 32 * 100e-6)) and .unreceived_s == 0
    and .logp_processes == 32 and .logp_bytes == 262144 and .memory_bytes == 3145728
    and .network == "fluid" and .latency_s == 1e-4 and .bandwidth_Bps == 11e6 and .logp_overhead_s == 3e-5
    and (.logp_latency_s * 1e7 | round) == 1207 and (.logp_gap_s * 1e5 | round) == 2383 and (.logp_s * 1e3 | round) == 4259)'
simulated=$(jq '.forecasts[0].simulated_s' "$work/out")
scenario "$work/grid.xml" icluster "name='pdgemm'" size=2048 block=64 grid=4x8 ranks=32
run -f json "$work/grid.xml"
holds "(.runs[0].time_s / $simulated - 1 | fabs) < 1e-9"

# A B' on 4x8: 3 additions and messages of each sum and 2 of a panel; and eq. 7 as printed, with 16 16 broadcasts.
run forecast -f json 'pdgemm 2048 transb=yes on 4x8' 'pdtrsm 1024 diag=unit on 4x1'
holds "$paper"' .forecasts[0].expected_s | near(eq1(4; 8) + 3 * 32 * 80e-9 * 512 * 64 + eq3(4; 8; 3; 2))'
holds '.forecasts[1].unreceived_s | . / (16 * 16 * (100e-6 + 64 * 64 * 8 / 11e6) + 16 * 100e-6) - 1 | fabs < 1e-9'
run forecast 'pdtrsm 1024 on 4x1'
check 'what the formula leaves out' said yes 'messages that nobody receives on 4x1; as printed, eqs. 6 and 7 give 789.8 ms more'

# All grids: the first is the fastest of those that are simulated, and all formulas are those of the grids alone.
run forecast 'pdgemm 2048 on 32'
same 'the best grid first' "$(head -n 1 "$work/out")" \
    'pdgemm 2048 on 32 of icluster: fastest on 4x8, 4.246 s expected, 4.256 s simulated'
narrow
check 'ten grids' test "$(grep -cE '^ +[0-9]+x[0-9]+ ' "$work/out")" = 10
run forecast 'pdgemm 2048 on 32' -f json
holds "$paper"' (.forecasts | length == 119 and all(.simulated_s != null)) and ([.forecasts[].simulated_s] | . == sort)
    and ([.forecasts[] | .rows * .columns] | max == 32)
    and ([.forecasts[] | select(.grid == "1x32") | .communication_s | near(eq3(1; 32; 5; 0))] == [true])'
run forecast 'pdgemm 2048 on 32' -f csv
same 'CSV: a row for each grid' "$(head -n 2 "$work/out" | tail -n 1 | cut -d , -f 4) $(wc -l <"$work/out")" '4x8 120'
run forecast 'pdgemm 2048 on 300' -f json
holds '.forecasts | length == 1261 and (map(.rows * .columns) | max == 225)
    and (map(select(.simulated_s != null)) | length == 128)'

# Grids that do not fit come last; a formula below Amdahl's law does not win.
run forecast 'pdgemm 6000 on 4' -f json
holds '.forecasts | .[0].grid == "2x2" and (map(.memory_bytes <= .host_memory_bytes) | . == (sort | reverse) and (map(select(not)) | length == 5))'
sed 's/value="256MiB"/value="1MiB"/' "$SOURCE_DIR/platforms/icluster.xml" >"$work/small.xml"
run forecast "$work/small.xml" 'pdgemm 256 on 2' -f json # one process would be faster
holds '.forecasts | map(.grid) | .[0] == "1x2" and .[-1] == "1x1"'
holds '.forecasts[-1] | .memory_bytes > .host_memory_bytes'
run forecast 'pdgemm 20000 on 2x2'
check 'it is told' said yes 'a process needs 2.4[0-9]* GB; its host has 268.4 MB: it does not fit'
run forecast 'pdtrsm 4096 on 2x1'
same 'the answer' "$(head -n 1 "$work/out" | cut -d, -f 1)" 'pdtrsm 4096 on 2x1 of icluster: at least 76.70 s expected'
run forecast 'pdtrsm 4096 on 2 of icluster-loaded' --at 600s -f json
holds '[.forecasts[] | [.grid, .expected_s < .amdahl_s, (.amdahl_s * 10 | round)]] == [["2x1", true, 1138], ["1x2", false, 1138], ["1x1", false, 1510]]'
run forecast 'pdtrsm 4096 on 2 of icluster-loaded' --at 600s
same 'the answer, by the law' "$(head -n 1 "$work/out" | grep -o 'fastest on .* expected')" 'fastest on 2x1, at least 113.8 s expected'
run forecast 'pdtrsm 4096 on 8' -f json
holds '[.forecasts[].simulated_s] | .[0] == min'

# Load: what others use of hosts and wires makes the formula longer, and the simulation does not know it.
run forecast 'pdgemm 2048 on 2x2 of icluster-loaded' --at 600s
same 'under load' "$(head -n 1 "$work/out")" 'pdgemm 2048 on 2x2 of icluster-loaded: 32.50 s expected at 600 s'
run forecast 'pdgemm 2048 on 2x2 of icluster-loaded' --at 600s -f json
holds '.at_s == 600 and (.forecasts[0] | .latency_s == 250e-6 and (.bandwidth_Bps / 1e3 | round) == 7114 and .availability == 0.34
    and (.best_s * 1e2 | round) == 1250 and (.expected_s * 1e2 | round) == 3250)'

# Parameters, one platform for all queries, and what users get wrong.
run forecast icluster-gigabit 'pdgemm 2048 block=32 on 4x8' 'pdtrsm 512 1024 uplo=lower on 2x2' 'n0 to n1'
check 'three answers' test "$(grep -c 'expected' "$work/out")" = 3
run forecast 'pdgemm 2048 network=quiet on 2x2' -f json
holds '.forecasts[0] | .network == "quiet" and (.simulated_s * 1e3 | round) == 12501'
expect 2 "the platform is already 'icluster'; allowed: one for all queries" forecast icluster 'n0 to n1 of lassen'
run forecast icluster 'n0 to n1 of icluster'
expect 2 "'pdgemm 2 on 16x16': a grid of 16x16 processes needs 256 hosts, one for each process; icluster has 225" forecast 'pdgemm 2 on 16x16'
expect 2 "unknown parameter 'blok'; did you mean 'block'" forecast 'pdgemm 64 blok=3 on 2x2'
expect 2 'pdgemm has 3 dimensions .m n k., or one for all; found 2' forecast 'pdgemm 64 64 on 2x2'
expect 2 "'iclster' is neither a platform nor a file; did you mean 'icluster'\?" forecast 'pdgemm 2048 on 4x8 of iclster'
expect 2 "'pdgemm' is neither a platform nor a file; known: " forecast pdgemm 'n0 to n1'
expect 2 "lassen.* lacks the kernel 'dgemm'" forecast 'pdgemm 64 on 2x2 of lassen'
run forecast 'pdgemm 1000000 on 1x1' -f json
holds '.forecasts[0] | .simulated_s == null and .expected_s == 4395600000'
finish
