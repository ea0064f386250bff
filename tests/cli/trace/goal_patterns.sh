#!/usr/bin/env bash
# Schedules in GOAL of collectives and other patterns take the time of their closed forms, where a message takes L and nothing
# else does: chains that are independent of each other go on side by side. So they do on the network loggp, with all
# parameters of LogGOPS. See tests/goal/closed_forms.py.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/goal.sh"
latency=2500 # ns
loggp_platform 64 $latency 0 0 65535 >"$work/loggp.xml"
python3 "$SOURCE_DIR/tests/goal/closed_forms.py" "$SIMRUN" "$work/loggp.xml" $latency >"$work/out" 2>"$work/err"
note $? "$(tail -n 1 "$work/out")"

# loggops L o g G O BYTES [LIMIT]: the same by LogGOPS, messages of more than LIMIT bytes being rendezvous.
loggops() {
    loggp_platform 64 $1 $2 $4 ${7:-65535} loggp $3 $5 >"$work/loggp.xml"
    python3 "$SOURCE_DIR/tests/goal/closed_forms.py" "$SIMRUN" "$work/loggp.xml" "$1,$2,$3,$4,$5,$6" >"$work/out" 2>"$work/err"
    note $? "L o g G O bytes = $*: $(tail -n 1 "$work/out")"
}
loggops 2500 1500 1000 6 0 80      # the processor takes longer than the wire,
loggops 2500 1500 1000 6 1 1000    # the wire longer than a send,
loggops 9000 200 5000 1 2 190      # and than taking a message in;
loggops 700 50 10 1 8 40           # bytes cost processors more than the wire;
loggops 2500 1500 1000 6 1 1000 99 # rendezvous

# The generator itself: the same seed gives the same schedule, and what it cannot do it says.
generate=$SOURCE_DIR/tests/goal/generate.py
for name in x y; do python3 "$generate" random seed=5 cpus=2 "$work/$name.bin"; done
check 'the same seed' cmp "$work/x.bin" "$work/y.bin"
python3 "$generate" random seed=6 cpus=2 "$work/y.bin"
check 'another seed' test "$(cmp -s "$work/x.bin" "$work/y.bin" && echo same)" != same
python3 "$generate" ring rings=3 >"$work/out" 2>"$work/err"
check 'an unknown parameter' grep -q '^generate: rings=3: ring has ranks root bytes calc rounds' "$work/err"
finish
