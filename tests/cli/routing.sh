#!/usr/bin/env bash
# Routings in scenarios: what fits and what does not, the same every time, and what a dragonfly lets through.
#
#     routing.sh --saturation    compare the table in docs/explain/models/routing.md with a long sweep, in minutes
#
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

# accepted MESSAGES SCENARIO ARGUMENT...: of each run pattern, routing, load, and what got through as a share of the wire.
accepted() {
    "$SIMRUN" -q -f json -s "messages=$1" "${@:3}" "$2" | jq -r --argjson sent "$1" '.runs[]
        | [.parameters.pattern, .parameters.routing, .parameters.load, $sent * 1024 / 12.5e9 / .time_s] | @tsv'
}

if [ "${1:-}" = --saturation ]; then
    accepted 300 "$SOURCE_DIR/scenarios/dragonfly-routing.xml" -s load=0.04,0.2,0.4,0.5,0.6,0.8,1 |
        awk -F'\t' '{ row = "| `" $2 "` | " $1; if (!(row in cells)) order[n++] = row; cells[row] = cells[row] sprintf(" | %.3f", $4) }
            END { for (i = 0; i < n; i++) print order[i] cells[order[i]] " |" }' | sort >"$work/out"
    grep -E '^\| `[a-z_]+` \| (uniform|adversarial) \|' "$SOURCE_DIR/docs/explain/models/routing.md" | sort >"$work/table"
    check 'the table of what gets through' diff "$work/table" "$work/out"
    finish
fi

scenario "$work/wires.xml" icluster "name='broadcast'" ranks=16 bytes=10000 network=fifo
small=(-s topology=dragonfly -s dimensions=9x4x2x2 -s ranks=72)

# Contradictions.
expect 2 "parameter 'routing': a torus has no 'valiant'; allowed: auto dimension_order adaptive" -s topology=torus -s routing=valiant "$work/wires.xml"
expect 2 "parameter 'routing' belongs to a topology; set 'topology' as well" -s routing=valiant "$work/wires.xml"
expect 2 "parameter 'routing': 'ugal_l' goes by the queues of links, and the network 'fluid' has none; it needs fifo" \
    -s network=fluid -s topology=dragonfly -s routing=ugal_l "$work/wires.xml"
expect 2 "'valliant' is unknown; did you mean 'valiant'" -s routing=valliant "$work/wires.xml"
expect 2 "a router has at most one wire to each of the 3 other groups, but 4 wires" -s topology=dragonfly -s dimensions=4x4x2x4 "$work/wires.xml"
expect 2 "the 6 wires of a group are fewer than the other groups, 8" -s topology=dragonfly -s dimensions=9x3x2x2 "$work/wires.xml"
expect 2 "wires between groups are given both by a fourth number and after a colon" -s topology=dragonfly -s dimensions=9x4x2x2:3 "$work/wires.xml"
expect 2 "a spine has at most one wire to each of the 1 other groups, but 2 wires" -s topology=dragonfly_plus -s dimensions=2x4x4:4x2 "$work/wires.xml"
expect 2 "3 numbers and 0 after the colon; allowed: GROUPSxLEAVESxHOSTS:SPINESxWIRES" -s topology=dragonfly_plus -s dimensions=2x4x4 "$work/wires.xml"
expect 2 "9 is no odd prime up to 127" -s topology=slim_fly -s dimensions=9x1 "$work/wires.xml"
expect 2 "one number; allowed: SIDExSIDE" -s topology=hyperx -s dimensions=16 "$work/wires.xml"
expect 2 "parameter 'routing': a platform file has one route for each pair of hosts, which 'valiant' has not" \
    platform -s topology=dragonfly -s routing=valiant "$work/wires.xml"
expect 2 "parameter 'routing': the text format cannot express 'adaptive'" platform --text -s topology=mesh -s routing=adaptive "$work/wires.xml"
expect 2 "the routes of a hyperx are written for each pair of hosts, of at most 1024 hosts; it has 1156" \
    platform -s topology=hyperx -s dimensions=17x17x4 "$work/wires.xml"
expect 2 "parameter 'group': 16 ranks are no whole number of groups of 3" -s pattern=adversarial -s group=3 -s ranks=16 dragonfly-routing
expect 2 "parameter 'ranks': a transpose needs a square number of ranks; 72 is none" -s pattern=transpose "${small[@]}" dragonfly-routing

# A machine that is written and named by a scenario gives the same times.
for shape in 'dragonfly 5x4x2x2' 'dragonfly_plus 4x3x2:2x2' 'slim_fly 3x1' 'hyperx 3x3x2'; do
    wiring=(-s "topology=${shape% *}" -s "dimensions=${shape#* }")
    run platform -q -o "$work/again.platform.xml" "${wiring[@]}" "$work/wires.xml"
    scenario "$work/again.xml" again.platform.xml "name='broadcast'" ranks=16 bytes=10000 broadcast=binomial
    run -f json "${wiring[@]}" -s broadcast=binomial -s network=quiet,fifo,fluid "$work/wires.xml"
    first=$(jq -c '[.runs[] | .time_s, .messages]' "$work/out")
    run -f json -s network=quiet,fifo,fluid "$work/again.xml"
    same "$shape, written and read" "$(jq -c '[.runs[] | .time_s, .messages]' "$work/out")" "$first"
done

# The same every time, with any number of jobs; what is drawn depends on the seed, and nothing else does.
all=(-f csv "${small[@]}" -s group=8 -s messages=10 -s load=1 -s routing=minimal,valiant,ugal_l,ugal_g -s pattern=uniform,adversarial,neighbour)
run -j 1 "${all[@]}" dragonfly-routing
cp "$work/out" "$work/one"
run -j 3 "${all[@]}" dragonfly-routing
check 'the same with three jobs' diff <(cut -d, -f1-25 "$work/one") <(cut -d, -f1-25 "$work/out")
run -f json "${small[@]}" -s group=8 -s messages=10 -s load=1 -s pattern=uniform -s routing=minimal,valiant -s routing_seed=1,2 dragonfly-routing
holds '[.runs[] | {(.parameters.routing): .time_s}] | map(select(.minimal).minimal) as $m | map(select(.valiant).valiant) as $v
    | ($m | unique | length) == 1 and ($v | unique | length) == 2'

# Where no message waits, ways that adapt are minimal.
run -f json "${small[@]}" -s network=quiet -s pattern=uniform -s load=1 -s messages=5 -s routing=minimal,ugal_l,ugal_g dragonfly-routing
holds '[.runs[].time_s] | unique | length == 1'
holds '[.without_effect[] | [.parameter, .reason, .all_values]] == [["routing", "same_ways", true]]'
run "${small[@]}" -s network=quiet -s pattern=uniform -s load=1 -s messages=5 -s routing=minimal,ugal_l dragonfly-routing
check 'it says so' said yes 'routing has no effect: messages take the same ways, or others on which they come at the same time'

# Accepted traffic: all of a low load; of traffic from each group to the next, 1 / (a p) of it by the one wire, more by
# detours; never more than is offered.
accepted 100 dragonfly-routing "${small[@]}" -s group=8 -s load=0.1,0.9 >"$work/out"
bounds() {
    check "$1 traffic by $2 at $3 between $4 and $5" awk -v p="$1" -v r="$2" -v l="$3" -v low="$4" -v high="$5" \
        '$1 == p && $2 == r && $3 == l { found = 1; ok = $4 >= low && $4 <= high } END { exit !(found && ok) }' "$work/out"
}
for routing in minimal valiant ugal_l ugal_g; do
    bounds uniform $routing 0.1 0.097 0.1001
    bounds adversarial $routing 0.1 0.097 0.1001
done
bounds adversarial minimal 0.9 0.12 0.125
bounds adversarial valiant 0.9 0.3 0.5
bounds uniform valiant 0.9 0.3 0.5
bounds uniform minimal 0.9 0.6 0.9
bounds uniform ugal_g 0.9 0.6 0.9
bounds adversarial ugal_g 0.9 0.25 0.6
bounds adversarial ugal_l 0.9 0.45 0.6 # where both ways begin with one link, each has a queue of its own behind it

finish
