#!/usr/bin/env bash
# Gains of causes, from outside: the option and the element, mistakes of users, the output in JSON, CSV and text, and
# the identities of all scenarios.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
scenarios=$SOURCE_DIR/scenarios

small=(-s n=32 -s ranks=8)

# Bad usage.
expect 2 "what-if: unknown cause 'colour'; known: latency bandwidth" --what-if=colour "$scenarios/gj128.xml"
expect 2 'what-if= names no cause; give names of simrun list causes' --what-if= "$scenarios/gj128.xml"
expect 2 "what-if: unknown cause ''; known: latency" --what-if=latency, "$scenarios/gj128.xml"
expect 2 "what-if: 'latency' is listed twice" --what-if=latency,io,latency "$scenarios/gj128.xml"
expect 2 "'latency' is not a scenario; write --what-if=latency" --what-if latency "$scenarios/gj128.xml"
expect 2 "unrecognized option '--what-if' of simrun check" check --what-if "$scenarios/gj128.xml"
expect 2 "'list' is a command and must come first" --what-if list
sed -e 's/<what-if\/>/<what-if causes="io,sound"\/>/' -e "s,\.\./platforms,$SOURCE_DIR/platforms," \
    "$scenarios/what-limits-gj.xml" >"$work/bad.xml"
expect 2 "bad.xml:8: <what-if> causes: unknown cause 'sound'; known: latency" "$work/bad.xml"
expect 2 "bad.xml:8: <what-if> causes: unknown cause 'sound'" check "$work/bad.xml"
run --what-if=io "${small[@]}" "$work/bad.xml"
sed -i 's/io,sound//' "$work/bad.xml"
expect 2 "bad.xml:8: <what-if> causes: '' found; must be names of causes" "$work/bad.xml"
run list causes
said yes 'latency .* bandwidth .* contention .* io '

# With a store: what was asked is kept, and apart from runs of which nothing or something else was asked.
kept() { # kept RUNS ARGUMENT...: so many runs come from the store, and the report is the same as without it
    local runs=$1
    shift
    "$SIMRUN" -f json "$@" "$scenarios/gj128.xml" 2>"$work/err" | jq 'del(.runs[].host)' >"$work/without"
    "$SIMRUN" --store "$work/kept.db" -f json "$@" "$scenarios/gj128.xml" 2>"$work/err" | jq 'del(.runs[].host)' >"$work/with"
    same "from the store: $*" "x$(sed -n 's/^simrun: \([0-9]*\) of .* from the store .*/\1/p' "$work/err")" "x$runs"
    check "with a store: $*" cmp "$work/without" "$work/with"
}
run --store "$work/kept.db" "${small[@]}" "$scenarios/gj128.xml"
run --store "$work/kept.db" --what-if=latency "${small[@]}" "$scenarios/gj128.xml"
kept 1 "${small[@]}"
kept 1 --what-if=latency "${small[@]}"
run --store "$work/kept.db" --what-if=io -s n=32 -s ranks=1..9 "$scenarios/gj128.xml" # only the best is simulated again
kept 9 --what-if=io -s n=32 -s ranks=1..9
run -f json --store "$work/kept.db" --what-if=io -s n=32 -s ranks=8,9 "$scenarios/gj128.xml"
holds '[.runs[].what_if_causes[].cause] == ["io", "io"]'
kept '' --what-if=io -s n=32 -s ranks=8,9
run -v --store "$work/kept.db" --what-if=io -s n=32 -s ranks=4 "$scenarios/gj128.xml"
kept '' --what-if=io -s n=32 -s ranks=4

# A trace is simulated by the application trace, and there the causes are as for any other program.
run -q -t "$work/run.ti" "${small[@]}" "$scenarios/gj128.xml"
run -q -t "$work/run.otf2" "${small[@]}" "$scenarios/gj128.xml"
expect 2 'what-if needs a simulation; --platform FILE replays the trace' --what-if "$work/run.otf2"
scenario "$work/replay.xml" t800-mesh "name='trace' file='run.ti'"
run -q -f json --what-if=network,computation "$work/replay.xml"
holds '.runs[0] | .what_if."network.gain" > 0.3 and .what_if."computation.share" > 0 and .pop.transfer < 1'

# Without the option there is nothing of it; with it the rest of the output is the same.
run -q -f json "${small[@]}" "$scenarios/gj128.xml"
jq 'del(.answer, .runs[].host)' "$work/out" >"$work/without"
holds '.runs[0] | has("what_if") or has("pop") | not'
run -q -f json --what-if "${small[@]}" "$scenarios/gj128.xml"
jq 'del(.answer, (.runs[] | .host, .what_if, .pop, .what_if_causes, .what_if_paths))' "$work/out" >"$work/rest"
check 'what-if changes no other results' cmp "$work/without" "$work/rest"
run -q -f csv --what-if=io "${small[@]}" "$scenarios/gj128.xml"
said yes 'pop\.transfer,what_if\.io\.share,what_if\.io\.gain,what_if\.io\.time_s'

# Causes that are not removed have no gain, and make no table.
run -q -f json --what-if=protocol "${small[@]}" "$scenarios/gj128.xml"
holds '.runs[0] | .what_if == null and [.what_if_causes[] | [.cause, .status]] == [["protocol", "only of programs that share memory"]]'
run -q --what-if=protocol "${small[@]}" "$scenarios/gj128.xml"
said no 'gain +share'

# Runs that take no time have no shares.
run -q -f json --what-if=latency,io -s ranks=1 -s bytes=64 -s broadcast=flat "$scenarios/broadcast-crossover.xml"
holds '.runs[0] | .time_s == 0 and .what_if == {"latency.time_s": 0, "io.time_s": 0} and
    (.what_if_causes | map(.status) == ["removed", "removed"])'

# On fluid, too: latency and bandwidth go alone, a broadcast takes what `fastest` has found, and what shares memory is simulated.
run -q -f json --what-if=latency,bandwidth,network -n fluid -s ranks=8 -s bytes=64KiB -s broadcast=fastest \
    "$scenarios/broadcast-crossover.xml"
holds '.runs[0] | .fastest[0].time_s == .time_s
    and (.what_if_causes | map(.status) == ["removed", "removed", "removed"] and map(.time_s) == [.[0].time_s, 0.00063, 0])'
run -q -f json --what-if=latency -n fluid -s ranks=4 -s rows=64 -s columns=64 "$scenarios/ncp2-jacobi.xml"
holds '.runs | length > 1 and all(.network == "fluid" and .what_if_causes[0].status == "removed" and .what_if_causes[0].time_s < .time_s)'

# On the T800 every cause that applies has its share and its gain, and what hardly matters has no reason.
run -q -f json "${small[@]}" "$scenarios/what-limits-gj.xml"
holds '[.runs[].what_if_causes[] | select(.status == "removed")] | length == 24 and all(.is_attributed == 1)'
holds 'any(.runs[].what_if_causes[]; .cause == "imbalance" and .differs == 1)'
run -q "${small[@]}" "$scenarios/what-limits-gj.xml"
said yes 'too small to matter, below 0.5 % of the time: [a-z_, ]*imbalance'
said no ' imbalance: '

# The text has a reason wherever they differ otherwise.
run -q -f json --what-if -s grid=4x2 -s uplo=upper -s trans=no "$scenarios/pdtrsm.xml"
cp "$work/out" "$work/json"
run -q -v --what-if -s grid=4x2 -s uplo=upper -s trans=no "$scenarios/pdtrsm.xml"
jq -r '.runs[] | .time_s as $t | .what_if_causes[] | select(.differs == 1 and
    ([.attributed_s, $t - .time_s] | map(fabs) | max) >= 0.005 * $t) | .cause' "$work/json" | sort >"$work/differ"
grep -oE '^  [a-z_]+(, [a-z_]+)*: ' "$work/out" | tr -d ': ' | tr ',' '\n' | sort >"$work/explained"
same 'what is explained, and what differs' "$(tr '\n' ' ' <"$work/explained")" "$(tr '\n' ' ' <"$work/differ")"
said yes 'processing, computation: .* of the time, but without it the run is only'

# The answer begins with what gains most, and goes on with the causes, by gain; after them comes all else.
run -q -v -s ranks=8,64 "$scenarios/what-limits-gj.xml"
check 'the answer' said yes '64 ranks, broadcast neighbour: without bandwidth it would take 3.408 s, -52.6 %; without I/O 5.207 s, -27.5 %;'
check 'the causes come before the times' awk '/^What a run gains without/ {causes = NR} /^Time$/ {exit !causes}' "$work/out"
check 'causes by gain' awk '$1 == "without" {last = 1e9} /^ +([a-z_]+|I\/O) +[0-9.]+ +-?[0-9.]+ %/ {n++} /^  ([a-z_]+|I\/O) +[0-9.]+ +-?[0-9.]+ %/ {if ($3 > last) exit 1; last = $3}
    END {if (n != 48) exit 1}' "$work/out"
narrow
"$SIMRUN" -q -f json -s ranks=8,64 "$scenarios/what-limits-gj.xml" >"$work/out"
holds '[.runs[] | .what_if as $w | [.ranks, .parameters.broadcast, (.time_s, $w["bandwidth.time_s"], $w["io.time_s"], $w["latency.time_s"] | . * 1e3 | round)]]
    == [[8, "neighbour", 13956, 11597, 11978, 13918], [64, "neighbour", 7185, 3408, 5207, 7118],
        [8, "flat", 17949, 11794, 15971, 17580], [64, "flat", 70086, 7674, 68109, 65561]]'

# Work that only the parallel program needs is what the states and overheads call control: the links' initialization, too.
holds '.runs[0] | .state_s.control > 0 and (.what_if_causes | map({key: .cause, value: .path_s}) | from_entries
    | .control > 0 and .control == .link_init)' <("$SIMRUN" -q -f json -s ranks=64 -s broadcast=neighbour "$scenarios/what-limits-gj.xml")

# Runs of which the same is to be said are named together.
run -q -v --what-if=latency,bandwidth -s grid=2x4 "$scenarios/pdtrsm.xml"
same 'tables of causes' "$(grep -c '^ *without  *time' "$work/out")" 2
said yes 'trans no and 3 more: without bandwidth'

# Only the best of many runs, of the last problem, is explained; all are if there are up to eight.
run -q -f json --what-if=io -j 2 -s n=16,32 -s ranks=1,2,4,8,16 "$scenarios/gj128.xml"
holds '[.runs[] | select(has("pop"))] | length == 1 and .[0].parameters.n == 32'
holds '(.runs[] | select(has("pop")) | .time_s) == ([.runs[] | select(.parameters.n == 32) | .time_s] | min)'
run -q -f json --what-if=io -s n=32 -s ranks=1,2,4,8 "$scenarios/gj128.xml"
holds '[.runs[] | select(has("pop"))] | length == 4'

# In a decision, it is the best of the last ranking.
run -q -f json --what-if=latency -s bytes=64,4KiB "$scenarios/broadcast-crossover.xml"
holds '[.runs[] | select(has("pop") or has("what_if"))] | length == 1 and
    (.[0] | .place == 1 and .parameters.ranks == 64 and .parameters.bytes == 4096)'
run -q --what-if=latency -s ranks=4,16 -s bytes=64 "$scenarios/broadcast-crossover.xml"
check 'it is told' said yes 'Of 22 runs only one is examined: the best of the last ranking. Gains, 16 ranks, '
run -q -f json --what-if=latency -s size=8192 -s grid=4x3,2x2 "$scenarios/align.xml"
holds '[.runs[] | [.parameters.grid, has("discarded"), has("what_if")]] == [["4x3", false, true], ["2x2", true, false]]'

# The identities, for every scenario: efficiencies multiply; what is removed less what is returned is the gain; the path's
# communication and I/O are those of the metrics, and of control it has no more than the ranks. Large ones are made
# smaller, and of ncp2-16, which has all programs, two are simulated. Where programs are slow, one in five.
every=1 number=0
[ "${SLOW-1}" -eq 1 ] || every=5
for file in "$scenarios"/*.xml; do
    [ $((number++ % every)) -eq 0 ] || continue
    name=$(basename "$file" .xml)
    case $name in
    gj-scaling) smaller='-s n=64 -s ranks=64,256' ;;
    hpl-icluster) smaller='-s n=400 -s grid=3x4 -s ranks=12' ;;
    gj* | what-limits-gj) smaller='-s n=32 -s ranks=4,32' ;;
    ncp2-16) smaller='-s ranks=4 -s variant=treadmarks,I -s program=em3d,sor' ;;
    ncp2-ocean) smaller='-s ranks=4 -s variant=treadmarks,I -s size=66' ;;
    ncp2-*) smaller='-s ranks=4 -s variant=treadmarks,I' ;;
    treadmarks-*) smaller='-s ranks=2' ;;
    *) smaller= ;;
    esac
    # shellcheck disable=SC2086
    run -q -f json --what-if=network,io,link_init,imbalance,control $smaller "$file"
    holds 'def same($a; $b): ($a - $b | fabs) <= 1e-12 * ([($a | fabs), ($b | fabs), 1e-3] | max);
        [.runs[] | select(has("what_if_causes"))] | length > 0 and all(.[]; . as $run
        | (if .state_s.useful == 0 then .pop.transfer == null else
            (.pop | same(.parallel_efficiency; .load_balance * .communication_efficiency) and
            same(.communication_efficiency; .serialisation * .transfer) and .load_balance <= 1 and .serialisation <= 1) and
            same(.pop.parallel_efficiency; .state_s.useful / .ranks / .time_s) and
            same(.pop.transfer; .pop.ideal_time_s / .time_s) end)
        and all(.what_if_causes[] | select(.status == "removed"); same(.removed_s + .time_s; $run.time_s + .returned_s))
        and all(.what_if_causes[] | select(.cause == "control"); .path_s <= $run.state_s.control * (1 + 1e-12) and
            ($run.state_s.control > 0 or .time_s == $run.time_s))
        and (if any(.what_if_causes[]; .cause == "io" and .status == "removed") then
            ([.what_if_causes[] | select(.cause == "network" or .cause == "link_init").path_s] | add) as $path
            | same($path; .critical_path_s.communication)
            and same(.what_if."io.share" * .time_s; .critical_path_s.io) else true end))'
done

# T_seq, the run, the run for the comparison, and the ideal network, which also the efficiencies take.
check 'the ideal network is simulated once' \
    test "$("$SIMRUN" -q --debug run --what-if=network --set ranks=8 -o /dev/null gj256 2>&1 | grep -c ' begin ')" = 4
finish
