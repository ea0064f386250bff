#!/usr/bin/env bash
# A platform from tables of benchmarks: it can be simulated as the answer says, and options and files that are wrong are
# named. Formats and mistakes of tables are in unit.benchmark and unit.fabric, costs in unit.bring.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
table=$SOURCE_DIR/tests/data/benchmark/osu.txt

# ---- The platform ----

run calibrate --from "$table:ranks=4,hosts=4" -o "$work/made.xml"
check 'the step of the table is the eager limit' grep -q 'eager limit between hosts: 8192 B' "$work/out"
check 'collectives are compared' grep -q '^collectives, from which nothing was fitted: 2 measured times' "$work/out"
run check "$work/made.xml"
check 'the platform can be simulated' grep -q 'ok, a platform of 4 hosts' "$work/out"
check 'numbers name their file and lines' grep -q 'osu.txt:4 to' "$work/made.xml"

# The answer's ping-pong times are those that the file gives, and those of the table within 1 %.
cat >"$work/ping.xml" <<'END'
<scenario name="ping">
  <platform file="made.xml"/>
  <application name="pairs"/>
  <param name="ranks" value="2"/>
  <param name="bytes" value="0,64,1024,8192,16384,65536,1048576,4194304"/>
</scenario>
END
run -f json "$work/ping.xml"
jq -r '.runs[].time_s / 2' "$work/out" >"$work/file"
run calibrate --from -f json "$table"
jq -r '.compared[] | select(.benchmark == "osu_latency") | .simulated_s' "$work/out" >"$work/said"
check 'the file gives what the answer says' cmp "$work/file" "$work/said"
holds() { jq -e "$1" "$work/out" >/dev/null; }
check 'a ping-pong is within 1 %' holds '[.compared[] | select(.benchmark == "osu_latency") | .error | fabs] | length == 8 and max < 0.01'
check 'a window is within 2 %' holds '[.compared[] | select(.benchmark == "osu_bw") | .error | fabs] | length == 7 and max < 0.02'

# ---- The message rate of a host ----

# Two ranks of a host send twice as many messages as one, 32 no more than 16. All rates are within 15 %, and would not be
# without the gap.
rates=$SOURCE_DIR/tests/data/benchmark/message_rates.txt
run calibrate --from "$rates:hosts=2" -o "$work/rates.xml"
check 'a host has a gap between messages' grep -q '<prop id="node_gap"' "$work/rates.xml"
run calibrate --from -f json "$rates:hosts=2"
short='[.compared[] | select(.benchmark == "osu_mbw_mr" and .bytes <= 512)] | length == 20'
check 'rates of 2 to 32 pairs are within 15 %' holds "$short"' and all(.[]; .error | fabs < 0.15)'
run calibrate --from "$table:ranks=4,hosts=4" -o "$work/made.xml"
lacks() { ! grep -q "$@"; }
check 'no gap where no table has several pairs' lacks node_gap "$work/made.xml"

# ---- Nodes and wires ----

printf 'SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=top Switches=s[0-1]\n' >"$work/topology.conf"
printf '<topology>\n<object type="Machine">\n<object type="Core"/><object type="Core"/>\n' >"$work/lstopo.xml"
run calibrate --from "$table" "$work/topology.conf" "$work/lstopo.xml" -o "$work/tree.xml"
check 'hosts, cores and wires of descriptions' grep -q 'a platform of 8 hosts with 2 cores each; its wires: --set topology=fat_tree --set' "$work/out"
printf 'SwitchName=s0 Nodes=a,b\nSwitchName=s1 Nodes=c\nSwitchName=top Switches=s0,s1\n' >"$work/uneven.conf"
run calibrate --from "$table" "$work/uneven.conf" -o "$work/graph.xml"
run check "$work/graph.xml"
check 'a graph that is no fat tree' grep -q 'ok, a platform of 3 hosts' "$work/out"
run calibrate --from "$table" --topology 'torus 4x4' --cores 8 -o "$work/torus.xml"
check 'a topology with numbers' grep -q 'a platform of 16 hosts with 8 cores each; its wires: --set topology=torus' "$work/out"
run calibrate --from "$table" --eager-limit 1KiB
check 'an eager limit that is told' grep -q 'eager limit between hosts: 1024 B, as you say' "$work/out"

# ---- Mistakes ----

expect 2 'too few arguments: simrun calibrate --from FILE' calibrate --from
expect 2 '--output is for the platform here' calibrate --from -o - "$table"
expect 2 'simrun calibrate --from osu.txt -o x.xml$' calibrate osu.txt -o x.xml
expect 2 'go with --from' calibrate --hosts 4 "$work/x.xml"
expect 2 '--speed measures this computer, and --from reads files' calibrate --from --speed "$table"
expect 2 "--topology: .*'x 4'" calibrate --from --topology 'x 4' "$table"
expect 2 "--cores: '0' is outside 1" calibrate --from --cores 0 "$table"
expect 2 "--eager-limit: '2GiB' is outside" calibrate --from --eager-limit 2GiB "$table"
expect 2 'none.txt: cannot read' calibrate --from "$work/none.txt"
expect 2 'is not a regular file' calibrate --from "$work"
printf '# OSU MPI Bandwidth Test v5.8\n# Size      Bandwidth (MB/s)\n1000   500\n' >"$work/bw.txt"
expect 2 'no file has latencies between two hosts' calibrate --from "$work/bw.txt"
printf 'bytes,latency_us\n1,1\n2,2\n' >"$work/short.csv"
expect 2 'latency has 2 lengths; allowed: at least 4' calibrate --from "$work/short.csv"
printf 'bytes,latency_us\n1,1\n2,2\n3,3\n4,4\n\0' >"$work/zero.csv"
expect 2 'is not a text: a byte of it is 0' calibrate --from "$work/zero.csv"
expect 2 'is an input, and would be overwritten by --output' calibrate --from "$work/short.csv" -o "$work/short.csv"
check 'nothing is left of platforms that were not made' [ -z "$(find "$work" -name 'x.xml*')" ]
finish
