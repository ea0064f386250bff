#!/usr/bin/env bash
# Iterations of a trace: those of a scope and of a call, a part of them, as text, JSON, CSV and a page; and what is refused.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1
"$SIMRUN" -q -o whole.txt --trace run.otf2 --set ranks=4 "$SOURCE_DIR/scenarios/gj256.xml"

run --iterations run.otf2
said yes 'Note: [0-9]+ iterations by [a-z]+, usually [0-9.]+ ms'
said yes 'Iterations over the run, means over ranks'
narrow
run --iterations=broadcast -f json run.otf2
holds '.runs[0].iterations | length > 5 and (map(.iteration) == [range(1; length + 1)])'
holds '.runs[0] | (.iterations | map(.useful_s + .communication_s + .idle_s <= .time_s * 1.000001) | all)'
# The time of a scope itself is that of its iterations.
same 'the time of a scope' \
    "$("$SIMRUN" -q -f json --detail=scopes run.otf2 | jq '[.runs[0].scope_states[]? | select(.scope == "broadcast") | .useful_s + .send_s + .receive_s + .idle_s] | add * 1e9 | round')" \
    "$(jq '[.runs[0].iterations[] | .time_s] | add * 4e9 | round' out)"
n=$(jq '.runs[0].iterations | length' out)
run --iterations=broadcast --from broadcast:3 -f json run.otf2
same 'of a part' "$(jq '.runs[0].iterations | length' out)" $((n - 2))
holds ".runs[0].iterations | map(.iteration) == [range(3; $n + 1)]" # the run's own numbers
run --iterations=broadcast -f csv run.otf2
check 'a page' "$SIMRUN" -q -f html -o page.html --iterations run.otf2
expect 2 "there is no scope or function 'broadcst' in the trace; did you mean 'broadcast'" --iterations=broadcst run.otf2
expect 2 'is about the traced run; without --platform it is analyzed' --iterations --platform icluster run.otf2
expect 2 'is a scenario; --iterations is about traces' --iterations gj256
expect 2 'names nothing; give a scope or a function' --iterations= run.otf2
finish
