#!/usr/bin/env bash
# Topologies in scenarios: what fits and what does not, sweeps on every network, and platforms written and used again.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

# says FILTER ARGUMENT...: a filter of jq that must be true of the JSON.
says() {
    run -f json "${@:2}"
    holds "$1"
}

scenario "$work/t800.xml" t800-mesh "name='broadcast'" ranks=16
scenario "$work/wires.xml" icluster "name='broadcast'" ranks=16 bytes=10000
scenario "$work/both.xml" icluster "name='broadcast'" ranks=16 topology=torus dimensions=4x4
all=mesh,torus,ring,hypercube,star,tree,fat_tree,dragonfly,complete

# Contradictions.
expect 2 "'3x' is not numbers joined by x such as 16x8 \(1 to 16 of them, each 1 ... 65536\)" -s dimensions=3x "$work/t800.xml"
expect 2 "'0x4' is not numbers joined by x"                   -s topology=mesh -s dimensions=0x4 "$work/t800.xml"
expect 2 "'99999999999' is not numbers joined by x"           -s dimensions=99999999999 "$work/t800.xml"
expect 2 "'taurus' is unknown; did you mean 'torus'\? known: auto mesh torus ring hypercube star tree fat_tree dragonfly dragonfly_plus slim_fly hyperx complete" \
    -s topology=taurus "$work/t800.xml"
expect 2 "t800.xml: parameter 'dimensions' belongs to a topology; set 'topology' as well" -s dimensions=4x4 "$work/t800.xml"
expect 2 "t800.xml: parameter 'dimensions': a ring of 15 has 15 hosts; at least 16 are needed, or a larger 'ranks_per_host'" \
    -s topology=ring -s dimensions=15 "$work/t800.xml"
expect 2 "12 does not fit the topology hypercube: the number of hosts must be a power of two; 8 and 16 are the next" \
    -s ranks=4 -s topology=hypercube -s dimensions=12 "$work/t800.xml"
expect 2 "32x8x8x65536 does not fit the topology torus: at most 1048576 hosts" -s topology=torus -s dimensions=32x8x8x65536 "$work/t800.xml"
expect 2 "1048577 hosts are wanted; a topology has at most 1048576" -s ranks=1048577 -s topology=torus "$work/t800.xml"
expect 2 "8x8 does not fit into the 4x4 mesh of t800-mesh as mesh 4x4" \
    -s topology=mesh -s dimensions=4x4 -s mesh=8x8 "$work/t800.xml"
run -s topology=hypercube -s broadcast=neighbour "$work/t800.xml"
said yes 'broadcast neighbour'
expect 2 "'fluid' shares the bandwidth of wires"              -s topology=torus -s network=fluid "$work/t800.xml"

# simrun check looks at every run.
run check -s topology=$all "$work/t800.xml"
said yes 't800.xml: ok, 9 runs'
expect 2 "a mesh of 4x4 has 16 hosts; at least 64 are needed" check -s topology=mesh -s dimensions=4x4 -s ranks=4,16,64 "$work/t800.xml"
run -s topology=fat_tree -s ranks=128 "$work/t800.xml"
said no 'has more hosts than'
run -s topology=fat_tree -s ranks=16,300 "$work/t800.xml"
said yes 'Note on 1 of 2 runs: the topology has more hosts than t800-mesh, which has 128: unless dimensions are set, it is as large as the ranks need\.'
run -s topology=fat_tree -s dimensions=8x8x5 -s ranks=300 "$work/t800.xml"
said no 'has more hosts than'
run list topologies
said yes 'dragonfly +groups of routers'
said yes 'D-mod-k'

# The machines, and what a way round is worth.
says '[.runs[] | .platform] == ["t800-mesh", "t800-mesh as mesh 4x4", "t800-mesh as hypercube 16", "t800-mesh as fat_tree 4x4"]' \
    -s topology=auto,mesh,hypercube,fat_tree "$work/t800.xml"
says '.runs[0].time_s == .runs[1].time_s and .runs[0].messages == .runs[1].messages' \
    -s topology=auto,mesh -s broadcast=neighbour "$work/t800.xml"
says '.runs | map(.time_s) | .[1] < .[0]' -s topology=mesh,torus -s root=corner -s ranks=25 -s broadcast=flat -s layout=row-major -n quiet "$work/t800.xml"
says '.runs[0].platform == "t800-mesh as torus 8x4"' -s topology=torus -s mesh=8x4 "$work/t800.xml"
says '.runs[0].platform == "t800-mesh as ring 4"' -s topology=ring -s ranks_per_host=4 "$work/t800.xml"
says '[.runs[].parameters.dimensions] == ["4x4", "2x2x4"]' -s topology=torus -s dimensions=4x4,2x2x4 "$work/t800.xml"

# Times measured on the mesh are not those of a torus.
says '.runs | map(has("reference")) == [true, false]' -s topology=auto,torus -s broadcast=flat -s ranks=2 "$SOURCE_DIR/scenarios/gj128.xml"
printf 'ranks,topology,measured_s\n16,torus,1\n' >"$work/torus.csv"
sed 's#</scenario>#<reference file="torus.csv"/></scenario>#' "$work/both.xml" >"$work/measured.xml"
says '.runs | map(has("reference")) == [false, true]' -s topology=mesh,torus "$work/measured.xml"

# All networks, the platform itself among the topologies. Without contention a chain takes no longer than with.
says '(.runs | length) == 30
    and ([.runs[] | select(.network == "quiet").time_s] as $q | [.runs[] | select(.network == "fifo").time_s] as $f
        | [.runs[] | select(.network == "fluid").time_s] as $w
        | [range(10)] | all($q[.] > 0 and $f[.] >= $q[.] * 0.999 and $w[.] >= $q[.] * 0.999))' \
    -s topology=auto,$all -s network=quiet,fifo,fluid "$work/wires.xml"
"$SIMRUN" -f csv -j 1 -s topology=auto,$all -s network=quiet,fifo,fluid "$work/wires.xml" | cut -d, -f1-20 >"$work/one"
"$SIMRUN" -f csv -j 2 -s topology=auto,$all -s network=quiet,fifo,fluid "$work/wires.xml" | cut -d, -f1-20 >"$work/out"
check 'the same with two jobs' cmp "$work/one" "$work/out"
same 'lines of CSV' "$(wc -l <"$work/out")" 31

# A machine that is written and named by a scenario gives the same times.
for topology in ${all//,/ }; do
    for scenario in t800 wires; do
        networks=quiet,fifo,fluid option=broadcast=binomial
        [ $scenario = wires ] || networks=fifo option=broadcast=chain
        run platform -q -o "$work/$scenario-$topology.platform.xml" -s topology=$topology "$work/$scenario.xml"
        scenario "$work/again.xml" $scenario-$topology.platform.xml "name='broadcast'" ranks=16 bytes=10000
        run -f json -s $option -s bytes=10000 -s network=$networks -s topology=$topology "$work/$scenario.xml"
        first=$(jq -c '[.runs[] | .time_s, .messages, .events]' "$work/out")
        run -f json -s $option -s network=$networks "$work/again.xml"
        same "$scenario as $topology, written and read" "$(jq -c '[.runs[] | .time_s, .messages, .events]' "$work/out")" "$first"
    done
done

# Where links are initialized, too, on all hosts and on half of them: there are as many.
for topology in ${all//,/ }; do
    for dimensions in 2x4x4 $([ $topology = mesh ] && echo 8x4); do
        shape=(-s topology=$topology -s dimensions=$dimensions)
        scenario "$work/gj.xml" t800-mesh "name='gauss-jordan'" n=32 broadcast=flat ranks=32
        run platform -q -o "$work/gj.platform.xml" "${shape[@]}" "$work/gj.xml"
        run -f json -s ranks=16,32 -s network=quiet,fifo "${shape[@]}" "$work/gj.xml"
        first=$(jq -c '[.runs[] | .time_s, .critical_path_s["communication.initialisation"]]' "$work/out")
        holds '[.runs[].critical_path_s["communication.initialisation"] > 0] == [true, true, true, true]'
        scenario "$work/gj-again.xml" gj.platform.xml "name='gauss-jordan'" n=32 broadcast=flat
        run -f json -s ranks=16,32 -s network=quiet,fifo "$work/gj-again.xml"
        same "links of $topology $dimensions, written and read" \
            "$(jq -c '[.runs[] | .time_s, .critical_path_s["communication.initialisation"]]' "$work/out")" "$first"
    done
done

# Topologies that cannot be written, and the options that go with them.
expect 2 "the machine is the unchanged platform; to write another one, use --set topology=NAME \(simrun list topologies\)" platform -o "$work/x.xml" "$work/t800.xml"
expect 2 "several machines, such as 't800-mesh as mesh 4x4' and 't800-mesh as torus 4x4'; pick one with --set" \
    platform -o "$work/x.xml" -s topology=mesh,torus "$work/t800.xml"
levels=(-s ranks=128 -s dimensions=18x44:1x9 -s bytes=8 -s allreduce=recursive_doubling "$SOURCE_DIR/scenarios/lassen-allreduce.xml")
expect 2 "lassen.xml: has the prop wire.host, and SimGrid's clusters have wires of one kind; allowed: simrun platform --text" \
    platform -o "$work/x.xml" "${levels[@]}"
run platform --text "${levels[@]}"
check 'the text has the levels of wires' grep -qE '^wire\.leaf bandwidth=25GBps' "$work/out"
expect 2 "would be overwritten"                     platform -o "$work/both.xml" "$work/both.xml"
expect 2 "cannot be written"                        platform -o "$work/none/x.xml" "$work/both.xml"
expect 2 "output is given twice"                    platform -o "$work/x.xml" -o "$work/y" "$work/both.xml"
expect 2 "too many arguments"                       platform -o "$work/x.xml" "$work/both.xml" "$work/both.xml"
check 'nothing is written where nothing can be' test ! -e "$work/x.xml"
run platform -o "$work/x.xml" "$work/both.xml"
check 'nothing on standard output' test ! -s "$work/out" -a -s "$work/x.xml"
run platform "$work/both.xml"
check 'on standard output the same' cmp "$work/out" "$work/x.xml"
run check "$work/both.xml"
said yes 'both.xml: ok, 1 run'

# A host's cores stay when its wires change, whether a prop or the host itself says how many there are; a written machine has them.
for cores in 'core="16"' ''; do
    prop='<prop id="cores" value="16"/>'
    [ -z "$cores" ] || prop=
    cat >"$work/cores.xml" <<END
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="w" routing="Full">$prop<cluster id="c" prefix="n" suffix="" radical="0-31" speed="1Gf" $cores bw="1GBps" lat="1us"/></zone>
</platform>
END
    printf '<scenario name="c"><platform file="cores.xml"/><application name="ring"/><param name="ranks" value="2"/></scenario>' \
        >"$work/cores-run.xml"
    run -q -f json -s ranks_per_host=8 -p "$work/cores.xml" -s topology=star "$SOURCE_DIR/scenarios/traces/heat.ti"
    check 'eight ranks on sixteen cores do not take turns' awk '/"time_s"/ { gsub(/[^0-9.e-]/, "", $2); exit !($2 < 0.06) }' "$work/out"
    run platform -s topology=fat_tree -s dimensions=8x4:1x8 -o "$work/written.xml" "$work/cores-run.xml"
    check 'a written machine has its cores' grep -q 'id="cores" value="16"' "$work/written.xml"
done

# A million hosts, without a list of routes; and of those that a computer has few of, all.
for shape in 'torus 128x128x64' 'fat_tree 128x128x64' 'dragonfly 256x256x16'; do
    run -f json -s ranks=1048576 -s "topology=${shape% *}" -s "dimensions=${shape#* }" "$work/t800.xml"
    check "ranks of a $shape" grep -qE '^ *"ranks": 1048576,?$' "$work/out" # jq would take longer than the simulation
    check "its messages" grep -qE '^ *"messages": 1048575,?$' "$work/out"
    check "its memory" awk '/^ *"peak_rss_bytes": / { bytes = $2 + 0 } END { exit !(bytes > 0 && bytes < 1.5e9) }' "$work/out"
done

finish
