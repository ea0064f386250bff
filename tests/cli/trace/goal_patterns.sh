#!/usr/bin/env bash
# Schedules in GOAL of collectives and other patterns take the time of their closed forms, where a message takes L and nothing
# else does: chains that are independent of each other go on side by side. See tests/goal/closed_forms.py.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/goal.sh"
latency=2500 # ns
loggp_platform 64 $latency 0 0 65535 >"$work/loggp.xml"
python3 "$SOURCE_DIR/tests/goal/closed_forms.py" "$SIMRUN" "$work/loggp.xml" $latency >"$work/out" 2>"$work/err"
note $? "$(tail -n 1 "$work/out")"

# The generator itself: the same seed gives the same schedule, and what it cannot do it says.
generate=$SOURCE_DIR/tests/goal/generate.py
for name in x y; do python3 "$generate" random seed=5 cpus=2 "$work/$name.bin"; done
check 'the same seed' cmp "$work/x.bin" "$work/y.bin"
python3 "$generate" random seed=6 cpus=2 "$work/y.bin"
check 'another seed' test "$(cmp -s "$work/x.bin" "$work/y.bin" && echo same)" != same
python3 "$generate" ring rings=3 >"$work/out" 2>"$work/err"
check 'an unknown parameter' grep -q '^generate: rings=3: ring has ranks root bytes calc rounds' "$work/err"
finish
