#!/usr/bin/env bash
# A sweep of 10,000 small runs on two jobs, with and without an experiment store: how much of two processors it keeps busy,
# (user + sys) / (2 x wall), the reading of the runs, their checking and the report included. Meant for a computer that has
# nothing else to do; the best of three.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/sweep.xml" <<END
<scenario name="sweep">
  <platform file="$SOURCE_DIR/platforms/t800-mesh.xml"/>
  <application name="gauss-jordan"/>
  <param name="ranks" value="1..100"/>
  <param name="n" value="32..131"/>
  <param name="network" value="fifo"/>
</scenario>
END

# measure TITLE ARGUMENT...: the best of three.
measure() {
    local title=$1 best=0
    shift
    for attempt in 1 2 3; do
        rm -f "$work/store.db"
        read -r wall user sys < <({ TIMEFORMAT='%R %U %S'; time "$SIMRUN" -q -j 2 "$@" -f csv -o "$work/out.csv" "$work/sweep.xml" >/dev/null; } 2>&1)
        best=$(awk -v best=$best -v w=$wall -v u=$user -v s=$sys 'BEGIN { r = (u + s) / w / 2; print r > best ? r : best }')
    done
    [ "$(wc -l <"$work/out.csv")" = 10001 ]
    awk -v title="$title" -v best="$best" -v w=$wall -v u=$user -v s=$sys 'BEGIN {
        printf "%-24s %5.1f %% of two processors (target >= 90 %%); last: %.2f s wall, %.2f s user, %.2f s sys\n", title, 100 * best, w, u, s }'
}
measure "10,000 runs"
measure "the same, with a store" --store "$work/store.db"
