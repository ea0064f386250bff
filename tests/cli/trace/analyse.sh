#!/usr/bin/env bash
# Traces analyzed from outside: a simulation's trace gives the simulation's account to the picosecond, in every form and
# through every format that is made of events; T_seq; what users get wrong.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
scenarios=$SOURCE_DIR/scenarios

# Members that must be the same for a simulation and for its trace.
account='.runs[0] | [.time_s, .state_s, .process_state_s, .messages, .bytes, .operations]'

# The critical path, but for the components of computation, which traces do not tell apart; in ps, as doubles round.
path='.runs[0].critical_path_s | [.processing + .memory, (to_entries[] | select(.key | test("^(communication|io)")) |
    select(.value != 0) | .key, .value)] | map(if type == "number" then . * 1e12 | round else . end)'

# as_simulated WHAT FILTER: what the filter makes of the last output, it makes of the simulation's.
as_simulated() {
    jq -se "map($2) | length == 2 and .[0] == .[1]" "$work/simulated" "$work/out" >/dev/null
    note $? "$1: another than the simulation's"
}

# trip ARGUMENT...: simulate with a trace, analyze the trace.
trip() {
    rm -rf "$work"/trip*
    run -f json -t "$work/trip.otf2" "$@"
    cp "$work/out" "$work/simulated"
    run -f json "$work/trip.otf2"
    as_simulated "the account of the trace of simrun $*" "$account"
    as_simulated "the path of the trace of simrun $*" "$path"
}

scenario "$work/ring.xml" icluster "name='ring'" ranks=8 rounds=20
for network in quiet fifo fluid; do
    trip -n $network "$work/ring.xml"
    trip -n $network -s ranks=4 -s grid=2x2 -s size=512 "$scenarios/pdgemm2048.xml"
    trip -n $network -s ranks=5 "$scenarios/matmul100.xml"
done
for mode in standard synchronous; do
    trip -n fifo -s ranks=4 -s n=64 -s broadcast=flat -s broadcast_mode=$mode "$scenarios/gj128.xml"
    trip -n quiet -s ranks=7 -s n=40 -s broadcast=chain_segmented -s broadcast_mode=$mode "$scenarios/gj128.xml"
    trip -n fifo -s ranks=8 -s n=40 -s broadcast=neighbour -s broadcast_mode=$mode "$scenarios/gj128.xml"
done
trip -s ranks=6 -s ranks_per_host=3 -s n=64 "$scenarios/gj128.xml"
trip -n fifo -s ranks=5 -s ranks_per_host=2 "$scenarios/matmul100.xml"
trip -s ranks=4 -s grid=2x2 -s m=256 -s n=256 -s uplo=upper -s side=right -s trans=no "$scenarios/pdtrsm.xml"

# One rank is a baseline of many: the same speedup as the simulation's own.
run -q -t "$work/one.otf2" -s ranks=1 "$scenarios/gj128.xml"
run -f json -t "$work/eight.otf2" -s ranks=8 "$scenarios/gj128.xml"
cp "$work/out" "$work/simulated"
ratios='.runs[0] | [.sequential_time_s, .speedup, .efficiency, .overhead_ratio, .granularity, .software_granularity]'
run -f json --baseline "$work/one.otf2" "$work/eight.otf2"
as_simulated 'ratios by --baseline' "$ratios"
holds '.runs[0].notes == []'
run -f json --baseline 9.5s "$work/eight.otf2"
holds '.runs[0] | .sequential_time_s == 9.5 and (.speedup * .time_s / 9.5 - 1 | fabs) < 1e-12'
run -f json "$work/eight.otf2"
holds '.scenario == "eight" and (.runs[0] | .platform == "traced" and .network == "real" and .ranks == 8
    and .parameters.ranks == 8 and (.notes | length) == 1 and (has("speedup") or has("efficiency")
    or has("sequential_time_s") or (.overhead_ratio | has("anomaly")) | not))'
holds '.runs[0] | (.overhead_ratio.idle * .state_s.useful / .state_s.idle - 1 | fabs) < 1e-12'
holds '.runs[0] | ([.message_sizes[].messages] | add) == .messages and ([.message_sizes[].bytes] | add) == .bytes'
holds '.runs[0] | ([.message_sizes[] | .send_s] | add) <= .state_s.send * 1.000001'
holds '.runs[0] | (.per_operation_s.useful * .operations / .state_s.useful - 1 | fabs) < 1e-12'

# The text reads like a simulation's.
run "$work/eight.otf2"
for line in '8 ranks in 2.331 s' 'T_seq is unknown' 'Where the processors' 'Bottlenecks' 'Messages by size' 'distribution'; do
    check 'text' grep -qF "$line" "$work/out"
done
said no 'speedup ='
run --baseline 9.5s "$work/eight.otf2"
said yes 'speedup 4\.08'
narrow

# A row of CSV for the run; simrun check; --output.
run -f csv "$work/eight.otf2"
same 'lines of CSV' "$(wc -l <"$work/out")" 2
said yes '^ranks,N,platform,network_used,time_s,'
run check "$work/eight.otf2"
said yes 'eight\.otf2: ok, 8 ranks, [0-9]+ records'
run -f json -o "$work/report.json" "$work/eight.otf2"
check 'nothing on standard output' test ! -s "$work/out"
holds . "$work/report.json"

# A replay is compared with a run on one rank too.
scenario "$work/replay.xml" icluster "name='trace' file='eight.otf2'"
run -f json "$work/replay.xml"
holds '.runs[0] | (has("speedup") | not) and (.notes | length) == 2 and any(.notes[]; startswith("computations take as long as traced"))'
run -f json -s speed=1Gf "$work/replay.xml"
holds '.runs[0].notes | length == 1'
run -f json --baseline "$work/one.otf2" "$work/replay.xml"
holds '.runs[0] | .speedup * .time_s / .sequential_time_s - 1 | fabs < 1e-12'
as_simulated 'T_seq of a replay with --baseline' '.runs[0].sequential_time_s'

# Into other formats, and back: the same account.
for ending in prv paje json; do
    run -t "$work/again.$ending" "$work/eight.otf2"
    check "again.$ending is not empty" test -s "$work/again.$ending"
done
run -t "$work/again.otf2" "$work/eight.otf2"
run -f json "$work/again.otf2"
as_simulated 'the account of what is written again' "$account"

# Commands that are refused.
printf '0 init\n1 init\n0 compute 1e6\n0 send 1 1 100\n1 recv 0 1 100\n0 finalize\n1 finalize\n' >"$work/x.ti"
expect 2 'x.ti: is a trace without times.*platform FILE replays it on a machine' "$work/x.ti"
expect 2 'is a trace without times'                          --baseline "$work/x.ti" "$work/eight.otf2"
expect 2 'set and --network apply to simulations.*platform FILE replays' -s ranks=2 "$work/eight.otf2"
expect 2 'set and --network apply to simulations'                       -n fifo "$work/eight.otf2"
expect 2 'baseline needs a trace .*on one rank; this one has 8' --baseline "$work/eight.otf2" "$work/eight.otf2"
expect 2 "baseline is for traces .*T_seq of 'ring' is simulated" --baseline "$work/one.otf2" "$work/ring.xml"
expect 2 "T_seq of 'ring' is simulated"                      --baseline 1s "$work/ring.xml"
expect 2 "baseline: '1' lacks a unit"                         --baseline 1 "$work/eight.otf2"
expect 2 'outside 1ps'                                       --baseline 0s "$work/eight.otf2"
expect 2 'baseline goes with one file, not with 2'           --baseline 1s "$work/one.otf2" "$work/eight.otf2"
expect 2 'x.ti: is a trace without times'                     model time_s "$work/x.ti"
expect 2 'eight.otf2: is a trace; this needs a scenario'     platform "$work/eight.otf2"
expect 2 'a trace must be given alone'                                "$work/one.otf2" "$work/eight.otf2"
expect 2 'none.otf2'                                         "$work/none.otf2"
expect 2 'none.otf2'                                         --baseline "$work/none.otf2" "$work/eight.otf2"
expect 2 'eight.otf2: is an input, and would be overwritten'  -o "$work/eight.otf2" "$work/eight.otf2"
expect 2 'the same file as an input, .*/eight.otf2, and would' -o "$work/./eight.otf2" "$work/eight.otf2"
mkdir "$work/links" && ln -s ../eight "$work/links/events"
for output in eight.def eight/0.evt eight/7.def eight/new links/events/0.evt links/../eight.def; do
    expect 2 "is part of an input, .*/eight.otf2, and would be overwritten" -o "$work/$output" "$work/eight.otf2"
    expect 2 "is part of an input, .*/eight.otf2, and would be overwritten" -o "$work/$output" "$work/replay.xml"
done
expect 2 "is part of an input, .*/one.otf2"   -o "$work/one/0.evt" --baseline "$work/one.otf2" "$work/eight.otf2"
expect 2 "is part of an input, .*/one.otf2"   -t "$work/one/0.paje" --baseline "$work/one.otf2" "$work/replay.xml"
run -o "$work/eighth" "$work/eight.otf2"
run check "$work/eight.otf2" # all of it is there still
run check "$work/one.otf2"
expect 2 'is an input'                                       -t "$work/one.otf2" --baseline "$work/one.otf2" "$work/eight.otf2"
expect 2 'out.ti: a .ti file describes a program'            -t "$work/out.ti" "$work/eight.otf2"
expect 2 'unknown extension; known:'                            -t "$work/x.xyz" "$work/eight.otf2"
expect 2 'eight: is a folder, not a scenario; is the trace meant, .*/eight.otf2\?'       "$work/eight"
expect 2 'eight/: is a folder, not a scenario; is the trace meant, .*/eight.otf2\?'      "$work/eight/"
expect 2 'eight.def: is a part of an OTF2 archive, not a scenario; is the trace meant, .*/eight.otf2\?'   "$work/eight.def"
expect 2 'eight/3.evt: is a part of an OTF2 archive, not a scenario; is the trace meant, .*/eight.otf2\?' "$work/eight/3.evt"
run "$work/again.prv"
expect 2 'again.paje: is a Paje trace, not a scenario or a trace that can be read'        "$work/again.paje"
expect 2 'other.def: cannot read: No such file'         "$work/other.def"
expect 2 'nothing: cannot read'                                             "$work/nothing"
cp "$work/one.otf2" "$work/renamed.otf2"
expect 2 'renamed.otf2: .*/renamed/: No such file or directory; an archive consists of .*/renamed.otf2, .*/renamed.def and the folder .*/renamed/' "$work/renamed.otf2"
cp -r "$work/one" "$work/renamed"
expect 2 'renamed.otf2: .*/renamed.def: No such file or directory; an archive consists of' "$work/renamed.otf2"
head -c 300 "$work/one.def" >"$work/renamed.def"
expect 2 'renamed.otf2: its definitions, .*/renamed.def, cannot be read: .'  "$work/renamed.otf2"
: >"$work/empty.otf2"
expect 2 'empty.otf2'                                        "$work/empty.otf2"
: >"$work/empty.ti"
expect 2 'empty.ti'                                          "$work/empty.ti"
check 'nothing half-written is left' test -z "$(ls "$work" | grep -E '^x.xyz|partial')"

finish
