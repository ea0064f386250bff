#!/usr/bin/env bash
# Details, from outside: the option, what users get wrong of it, what JSON, CSV and text have, jobs, the store, traces.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
scenarios=$SOURCE_DIR/scenarios
small=(-s n=32 -s ranks=1,8)

expect 2 "detail: unknown detail 'colour'; known: messages links path scopes delays counters source all" --detail colour "$scenarios/gj128.xml"
expect 2 "detail: unknown detail 'mesages'; did you mean 'messages'\?" --detail mesages "$scenarios/gj128.xml"
expect 2 "detail: unknown detail ''" --detail path, "$scenarios/gj128.xml"
expect 2 "'--detail' is an option of simrun FILE|unrecognized option '--detail' of simrun check" check --detail all gj128
run list details
said yes 'messages .* links .* path .* scopes .* delays .* all '
run list metrics
said yes 'communication_matrix --detail messages: '
said yes 'message_sizes --detail messages, or a trace: '

# sums FILE: whatever adds up in all runs of the JSON, to 12 digits.
sums() {
    jq -e 'def same($a; $b): ($a - $b | fabs) <= 1e-12 * ($a | fabs);
        all(.runs[]; . as $run | .critical_path_segments as $path
            | .messages == ([.communication_matrix[].messages] | add // 0)
            and .bytes == ([.communication_matrix[].bytes] | add // 0)
            and same(.state_s.idle; ([.communication_matrix[].wait_s] | add // 0) + .communication_matrix_of[0].other_wait_s)
            and $path[0].start_s == 0 and $path[-1].end_s == .time_s
            and all(range(1; $path | length); $path[.].start_s == $path[. - 1].end_s)
            and same(.critical_path_s.communication;
                [$path[] | select(.component == "communication") | .end_s - .start_s] | add // 0)
            and all(.scope_states | group_by(.rank)[];
                same($run.process_state_s.receive[.[0].rank]; [.[].receive_s] | add)))' "$1" >/dev/null
}
# holds WHAT ARGUMENT...: jq says true of it.
holds() {
    local what=$1
    shift
    jq -e "$@" >"$work/out" 2>"$work/err"
    note $? "$what"
}
for name in gj128 pdtrsm ncp2-sor broadcast-crossover; do
    "$SIMRUN" -q -s ranks=4 -f json --detail all "$scenarios/$name.xml" >"$work/$name.json" 2>"$work/err" ||
        "$SIMRUN" -q -f json --detail all "$scenarios/$name.xml" >"$work/$name.json" 2>"$work/err"
    check "sums of $name" sums "$work/$name.json"
done
# The 13 intervals of waits are no detail: JSON always has them, and -v says them by operation.
"$SIMRUN" -q -s ranks=4 -f json "$scenarios/ncp2-sor.xml" >"$work/intervals.json" 2>"$work/err"
holds 'the 13 intervals are told apart' '[.runs[].wait_intervals[].interval] | unique | length > 8' "$work/intervals.json"
holds 'and add up to each wait' 'all(.runs[];
    ([.wait_intervals[] | [.scope, .category, .operation]] | unique) == ([.waits[] | [.scope, .category, .operation]] | unique)
    and (. as $run | all(.waits[]; . as $wait | .total_s - ([$run.wait_intervals[]
        | select(.scope == $wait.scope and .category == $wait.category and .operation == $wait.operation) | .time_s] | add)
        | fabs < 1e-9)))' "$work/intervals.json"
run -q -s ranks=4 -s variant=I "$scenarios/ncp2-sor.xml"
said no 'intervals 1 to 13'
run -q -v -s ranks=4 -s variant=I "$scenarios/ncp2-sor.xml"
said yes 'Waits by operation, and the intervals 1 to 13 .*category operation total \| 1 2 3 4 '
narrow

# Nothing of it where it is not asked for, and no more than is asked for.
plain() {
    "$SIMRUN" -q -f json "$@" "${small[@]}" "$scenarios/gj128.xml" 2>"$work/err" | jq 'del(.runs[].host)'
}
plain >"$work/none"
plain --detail all >"$work/all"
plain --detail all -j 2 >"$work/jobs"
check 'on two jobs' cmp "$work/all" "$work/jobs"
holds 'not asked for' 'all(.runs[]; has("communication_matrix") or has("scope_states") or has("message_sizes") | not)' "$work/none"
plain --detail path | jq 'del(.runs[].critical_path_segments)' >"$work/path"
check 'one detail only' cmp "$work/none" "$work/path"

# Links: what they carry is in their bins; all ranks have a place; a message of one hop is on one link.
for network in quiet fifo; do
    plain --detail links --network $network >"$work/links"
    holds "links on $network" 'all(.runs[]; . as $run
        | ([.links[].bytes] | add) == ([.link_bins.rows[]?.bytes[]] | add // 0)
        and all(.link_bins.rows[]?; (.busy_s | length) == (.bytes | length)
            and ([.busy_s, .bytes] | transpose | all(first, last; any(. > 0))) and .first >= 0)
        and ([.links[].messages] | add) >= .messages
        and ([.links[].waited_s] | add == 0) == ($run.network == "quiet" or $run.ranks == 1)
        and (.placement | length) == .ranks
        and ([.nodes[].node] as $names | all(.links[] | .from, .to; IN($names[])) and all(.placement[].host; IN($names[])))
        and .topology.diameter == 22 and .topology.bisection == 8 and .topology.wires == 232)' "$work/links"
done
# A link can be busy for longer than the run: its wires are ten times as slow as the formula of messages.
cat >"$work/slow.xml" <<'END'
<platform version="4.1"><zone id="w" routing="Full">
  <prop id="message.1" value="start=110ns byte=25421ps hop=9753ns byte_hop=20230ps"/><prop id="packet" value="100B"/>
  <cluster id="c" prefix="n" suffix="" radical="0-3" speed="893Mf" bw="3537534Bps" lat="21ns"/>
</zone></platform>
END
cat >"$work/slow.s.xml" <<'END'
<scenario name="slow"><platform file="slow.xml"/><application name="ring"/><param name="rounds" value="5"/><param name="ranks" value="2,3,4"/></scenario>
END
for network in quiet fifo; do
    "$SIMRUN" -q -f json --detail links --network $network "$work/slow.s.xml" >"$work/links"
    holds "links within the run on $network" 'all(.runs[]; .time_s as $time | .link_bins.bin_s as $bin_s | (.links | map(.busy_s) | max) as $most
        | $most <= $time and $most > 0.9 * $time and all(.link_bins.rows[] | .busy_s[]; . <= $bin_s))' "$work/links"
    run -q --detail links --network $network "$work/slow.s.xml"
    check "links over time on $network" test -z "$(sed -n '/^Links over time/,/^$/p' "$work/out" | grep -oE '(-|[1-9])[0-9]{2,}\.[0-9] %' | grep -v '^100\.0')"
done
holds 'no links' 'all(.runs[]; has("links") or has("topology") or has("link_bins") | not)' "$work/none"

# Rankings of topologies have what is known of them, and say which a T800 cannot be put together to.
run -s n=32 -s ranks=32 -s broadcast=chain "$scenarios/gj-topologies.xml"
said yes 'topology time \[ms\] diameter bisection wires degree'
said yes 'hypercube 32 [0-9.]* 5 16 80 5'
said yes "More links than the 4 of a host's hardware: .*complete 32 \(31\)"
run -f json -s n=32 -s ranks=32 -s broadcast=chain "$scenarios/gj-topologies.xml"
cp "$work/out" "$work/topologies"
holds 'facts of topologies' '. as $all | [.topologies[].run | $all.runs[.].time_s] | length == 8 and . == sort' "$work/topologies"
holds 'those of a hypercube' '.topologies | any(.name == "hypercube 32" and .hosts == 32 and .diameter == 5
    and .bisection == 16 and .wires == 80 and .degree == 5 and .host_degree == 5 and .links_per_host == 4)' "$work/topologies"

# A store keeps runs without them, and does not have them.
"$SIMRUN" -q --store "$work/kept.db" --detail all "${small[@]}" "$scenarios/gj128.xml" >"$work/out" 2>"$work/err"
plain --store "$work/kept.db" >"$work/kept"
check 'kept without details' cmp "$work/none" "$work/kept"
plain --store "$work/kept.db" --detail all >"$work/kept"
check 'simulated again' cmp "$work/all" "$work/kept"
run store ls -f csv "$work/kept.db"
note "$([ "$(wc -l <"$work/out")" = 3 ]; echo $?)" 'each run is stored once'

# CSV has a table for each, text its largest rows.
run -q -f csv --detail all "${small[@]}" "$scenarios/gj128.xml"
said yes 'runs,communication_matrix.from,communication_matrix.to,communication_matrix.messages'
said yes 'runs,critical_path_segments.rank,critical_path_segments.start_s'
said yes 'runs,scope_states.rank,scope_states.scope'
said yes 'runs,links.link,links.from,links.to,links.messages,links.bytes,links.busy_s,links.waited_s'
said yes 'runs,link_bins.link,link_bins.first,link_bins.busy_s,link_bins.bytes'
run -q --detail all "${small[@]}" "$scenarios/gj128.xml"
said yes 'Messages by sender and receiver \(ranks\), 8 ranks \(the largest 10 of [0-9]*; all: -v\)'
said yes 'Segments of the critical path, 8 ranks'
said yes 'States by rank and scope, 8 ranks'
said yes 'Links by busy time, 8 ranks \(the largest 10 of [0-9]+ in use; all: -v\)'
said yes 'Messages by size'
said yes 'Links over time \(busy, by the beginning of each part \[ms\]\), 8 ranks \(the largest 10 of [0-9]+; all: -v\)'
# The busiest link: the parts of the run that the bins give.
cp "$work/out" "$work/text"
run -q -f json --detail links "${small[@]}" "$scenarios/gj128.xml"
jq -r '.runs[-1] as $run | $run.link_bins.bin_s as $bin_s
    | ([$run.link_bins.rows[] | .first + (.busy_s | length)] | max) as $n_bins | (($n_bins - 1) / 8 | floor + 1) as $each
    | ($run.links | sort_by(-.busy_s)[0].link) as $link
    | [$run.link_bins.rows[] | select(.link == $link) | .first as $first | .busy_s | to_entries[]
        | {part: (($first + .key) / $each | floor), busy: .value}] as $bins
    | [$link] + [range(0; $n_bins; $each) as $from | ([$bins[] | select(.part == $from / $each).busy] | add) as $busy
        | if ($busy // 0) == 0 then "." else
            ([$from + $each, $n_bins, ($run.time_s / $bin_s)] | min | . - $from) * $bin_s
            | 1000 * $busy / . | round / 10 end] | join(" ")' "$work/out" >"$work/parts"
sed -n '/Links over time/,/^$/p' "$work/text" | awk -v link="$(cut -d ' ' -f 1 "$work/parts")" '$1 == link {
    gsub(/ %/, ""); $1 = $1; gsub(/\.0( |$)/, " "); sub(/ $/, ""); print }' | sed 's/\.0 / /g' >"$work/row"
sed -i 's/\.0 / /g' "$work/parts"
check 'parts of the run are sums of bins' cmp "$work/parts" "$work/row"
sed -i '/^ "answer": /,/^ \],/d' "$work/out" # sentences are not wrapped
narrow
run -q -v --detail messages "${small[@]}" "$scenarios/gj128.xml"
said no 'all: -v'
said yes 'Messages by sender and receiver \(ranks\), 8 ranks from'

# Traces have them, too, and scopes that nest.
if "$SIMRUN" -q -s n=32 -s ranks=8 -t "$work/run.otf2" "$scenarios/gj128.xml" >"$work/out" 2>"$work/err"; then
    "$SIMRUN" -q -f json --detail all "$work/run.otf2" >"$work/trace.json" 2>"$work/err"
    check 'sums of a trace' sums "$work/trace.json"
    holds 'pairs of the trace are those of the run' -s '[.[].runs[-1].communication_matrix | map([.from, .to, .messages, .bytes])]
        | .[0] == .[1]' "$work/all" "$work/trace.json"
    holds 'scopes of a trace lie in the program' 'any(.runs[0].scopes[]; .parent == "program")' "$work/trace.json"
fi

finish
