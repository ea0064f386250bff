#!/usr/bin/env bash
# The recipes of docs/dev/extending*.md: what their blocks of code add to simrun is compiled, with warnings as errors, and does what the text
# says (recipes.py).
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
python3 "$SOURCE_DIR/tests/source/recipes.py" "$BUILD_DIR" "$work" >"$work/out" 2>"$work/err"
note $? "the blocks of code are compiled, and linked"
for recipe in 'an application' 'a broadcast' 'a metric' 'a report' 'an answer'; do
    check 'there is a recipe' grep -q "^Add $recipe" "$work/added"
done
SIMRUN=$work/simrun

# An application: in lists, simulated, and on one rank without steps.
run list applications
said yes ' ping-pong .*rank 0 and the last rank send a message back and forth'
scenario "$work/ping.xml" icluster "name='ping-pong'" ranks=1,2,5 rounds=3 bytes=2KiB
run -f json "$work/ping.xml"
holds '[.runs[] | [.ranks, .messages, .bytes]] == [[1, 0, 0], [2, 6, 12288], [5, 6, 12288]]'
holds '.runs[1].parameters | .rounds == 3 and .bytes == 2048'

# A metric: in every format, under its group and name.
holds '.runs[1].load_balance == null and .runs[0].time_s == 0'
run -f json "$SOURCE_DIR/scenarios/matmul100.xml"
holds '.runs[0] | (.process_state_s.useful | add / length / max) as $balance | (.load_balance - $balance | fabs) < 1e-12'
holds '.runs[0] | (.process_state_s.useful | add / length) as $mean | [.loads[] | [.rank, .useful_s, (.of_mean * 1e9 | round)]] ==
    (.process_state_s.useful | to_entries | map([.key, .value, (.value / $mean * 1e9 | round)]))'
run -f csv "$SOURCE_DIR/scenarios/matmul100.xml"
said yes 'load_balance'
run list metrics
said yes 'load_balance .*mean useful work over the largest'

# A broadcast: a value of the parameter, and its row is among those that unit.collectives goes through.
scenario "$work/pairs.xml" icluster "name='broadcast'" ranks=7 bytes=1KiB broadcast=pairs,flat
run -f json "$work/pairs.xml"
holds '[.runs[] | [.parameters.broadcast, .messages]] == [["pairs", 6], ["flat", 6]] and .runs[0].time_s < .runs[1].time_s'
check 'unit.collectives' "$work/unit" collectives

# A report: a format.
run list formats
said yes ' markdown .*Markdown'
run -f markdown "$SOURCE_DIR/scenarios/matmul100.xml"
check 'a table' grep -qx '| ranks | time | speedup | efficiency |' "$work/out"
check 'a row' grep -qE '^\| 3 \| 198\.6 ms \| 2\.55 \| 85\.0 % \|$' "$work/out"

# An answer: the runs that are more than 3 % off what was measured.
check 'the answer' "$work/unit" answer "$SOURCE_DIR/scenarios/gj256.xml" "$work/outliers.json"
"$SIMRUN" -q -f json "$SOURCE_DIR/scenarios/gj256.xml" >"$work/report.json"
same 'outliers' "$(jq -c '[.outliers[] | [.ranks, .time_s, .measured_s]]' "$work/outliers.json")" \
    "$(jq -c '[.runs[] | select((.reference.error // 0 | fabs) > 0.03) | [.ranks, .time_s, .reference.measured_s]]' "$work/report.json")"
finish
