#!/usr/bin/env bash
# Whenever SIGINT comes, it is the signal that ends the program, so that a loop around it ends, too.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

# interrupt FRACTION ARGUMENT...: after this part (in 1/20) of the time that the command takes, $took. Background commands of
# this shell ignore SIGINT, which env takes back.
interrupt() {
    local delay=$((took * $1 / 20)) got=0
    shift
    env --default-signal=INT "$SIMRUN" "$@" -q >"$work/out" 2>"$work/err" &
    sleep "$((delay / 1000000)).$(printf %06d $((delay % 1000000)))"
    kill -INT $! 2>"$work/kill"
    wait $! 2>"$work/wait" || got=$?
    [ $got = 130 ] || [ $got = 0 ] # 0: it was done already, or had not begun
    note $? "status $got from simrun $*, interrupted after $delay us"
    interrupted=$((interrupted + (got == 130)))
}

# Platforms that take long to read, so that there is time to interrupt on any computer: most of them is comments.
head -c 8000000 /dev/zero | tr '\0' x | sed 's/.*/<!-- & -->/' >"$work/comment"
for platform in t800-mesh icluster; do
    cat "$SOURCE_DIR/platforms/$platform.xml" "$work"/comment{,,,} >"$work/$platform.xml"
done
scenario "$work/mesh.xml" t800-mesh.xml 'name="broadcast"' ranks=2
scenario "$work/fluid.xml" icluster.xml 'name="broadcast"' ranks=8 bytes=1KiB,2KiB,4KiB,8KiB network=fluid
for arguments in "check $work/mesh.xml" "--jobs 2 -s ranks=2,3 $work/mesh.xml" "$work/fluid.xml"; do
    began=${EPOCHREALTIME/./}
    "$SIMRUN" $arguments -q >"$work/out" || note 1 "simrun $arguments"
    took=$((${EPOCHREALTIME/./} - began))
    interrupted=0
    for part in 1 2 4 6 8 10 11 12 13 14 15 16 17 18; do interrupt $part $arguments; done
    check "interrupted in time: $arguments" test $interrupted -gt 0
done

# Ignored signals stay ignored: SIGHUP by nohup, SIGINT by a background job of a shell. Jobs of a sweep ignore it, too.
survive() { # survive SIGNAL OUTPUT ARGUMENT...
    local signal=$1 output=$2 got=0
    shift 2
    rm -f "$output"
    env --ignore-signal="$signal" "$SIMRUN" -q "$@" "$SOURCE_DIR/scenarios/gj256.xml" >"$work/out" 2>"$work/err" &
    local job=$!
    while kill -"$signal" $(pgrep -P $job) $job 2>"$work/kill"; do sleep 0.01; done
    wait $job || got=$?
    [ $got -eq 0 ] && [ -s "$output" ]
    note $? "status $got, and $output, though SIG$signal was sent to who ignores it: simrun $*"
}
for signal in HUP INT QUIT TERM; do survive $signal "$work/kept.txt" -o "$work/kept.txt"; done
survive HUP "$work/kept.txt" --jobs 2 -o "$work/kept.txt"
survive INT "$work/kept.otf2" -s ranks=32 -t "$work/kept.otf2"

# Through ./simrun, while it builds as well.
mkdir -p "$work/tree/src" "$work/tree/cmake" "$work/tree/tools"
touch "$work/tree/CMakeLists.txt" "$work/tree/CMakePresets.json"
cp "$SOURCE_DIR/simrun" "$work/tree"
printf '#!/bin/sh\n: >"%s"\nsleep 0.3\n' "$work/building" >"$work/tree/tools/install-packages"
chmod +x "$work/tree/tools/install-packages"
env --default-signal=INT sh -c 'trap "exit 7" INT; "$1"; echo "not interrupted: $?"' sh "$work/tree/simrun" >"$work/out" 2>"$work/err" &
for _ in $(seq 1000); do [ -e "$work/building" ] && break || sleep 0.02; done
kill -INT $(pgrep -P $! -f tree/simrun) 2>"$work/kill"
wait $!
grep -qx 'not interrupted: 130' "$work/out"
note $? './simrun, interrupted while it builds'

finish
