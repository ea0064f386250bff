#!/usr/bin/env bash
# A run on quiet says the same on one processor and on two, whatever the program, and ends when it is told to.
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

if [ "$(nproc)" -lt 2 ]; then
    echo "one processor: nothing is compared"
    exit 77
fi
one=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')

# write APPLICATION PARAMETER=VALUE...: a scenario on quiet, of enough messages that halves are made.
write() {
    echo "<scenario name='two'><platform file='$SOURCE_DIR/platforms/t800-mesh.xml'/><application name='$1'/>"
    printf "<param name='%s' value='%s'/>" network quiet ranks 128
    shift
    printf "<param name='%s' value='%s'/>" $(printf '%s ' "${@//=/ }")
    echo "</scenario>"
}

# What a run says, but of this computer.
said() {
    "$@" --format json "$work/two.xml" 2>&1 | grep -vE '"(wall_s|peak_rss_bytes)":'
}

for program in "ring rounds=500" "broadcast rounds=400" "broadcast rounds=400 broadcast=flat" \
    "broadcast rounds=400 broadcast=chain" "gauss-jordan n=512" "gauss-jordan n=512 broadcast=binomial" \
    "gauss-jordan n=384 ranks_per_host=2" "collective collective=allreduce rounds=300" \
    "collective collective=gather rounds=300" "collective collective=barrier rounds=100" "gauss-jordan n=512 root=centre"; do
    # shellcheck disable=SC2086 # words
    write $program >"$work/two.xml"
    said taskset -c "$one" "$SIMRUN" >"$work/one.json"
    said "$SIMRUN" >"$work/two.json"
    grep -q '"messages":' "$work/one.json"
    note $? "$program: it is simulated: $(head -c 300 "$work/one.json")"
    cmp -s "$work/one.json" "$work/two.json"
    note $? "$program: on two processors it says the same as on one: $(diff "$work/one.json" "$work/two.json" | head -5)"
done

write ring rounds=2000000 >"$work/two.xml"
"$SIMRUN" "$work/two.xml" >"$work/out" 2>&1 &
sleep 0.3
kill -TERM $!
status=0
wait $! || status=$?
[ $status -eq 143 ] && [ "$(cat "$work/out")" = "simrun: interrupted" ]
note $? "ring, ended by SIGTERM: status $status"
finish
