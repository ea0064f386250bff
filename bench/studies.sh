#!/usr/bin/env bash
# A sweep of 10,000 small runs on two jobs, with and without an experiment store: how much of two processors it keeps busy,
# (user + sys) / (2 x wall), reading, checking and the report included; the best of three. Where others use the computer the
# wall clock says nothing, so beside it stands what the processor times allow: if nothing that the program itself does without
# a store overlapped with its jobs, and all else did, the share would be all / (2 x alone + the rest of all).
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/sweep.xml" <<END
<scenario name="sweep">
  <platform file="$SOURCE_DIR/platforms/t800-mesh.xml"/>
  <application name="broadcast"/>
  <param name="ranks" value="1..100"/>
  <param name="bytes" value="1KiB..100KiB:1KiB"/>
  <param name="rounds" value="20"/>
  <param name="network" value="fifo"/>
</scenario>
END

# Processor times of a process and of its children that have ended, in ticks, until it has ended.
watch_times() {
    local pid=$1 fields last="0 0 0 0"
    while [ -d /proc/$pid ]; do
        fields=$(cut -d ' ' -f 3,14-17 /proc/$pid/stat 2>/dev/null) || break
        case $fields in '' | Z*) break ;; *) last=${fields#* } ;; esac
        sleep 0.005
    done
    echo "$last"
}

# measure TITLE ARGUMENT...: the best of three.
measure() {
    local title=$1 best=0 bound=0
    shift
    for attempt in 1 2 3; do
        rm -f "$work/store.db"
        begin=$(date +%s.%N)
        "$SIMRUN" -q -j 2 "$@" -f csv -o "$work/out.csv" "$work/sweep.xml" &
        read -r user sys of_jobs sys_of_jobs < <(watch_times $!)
        wait $!
        read -r best bound < <(awk -v best=$best -v bound=$bound -v w="$begin $(date +%s.%N)" -v own=$((user + sys)) -v alone=$alone \
            -v jobs=$((of_jobs + sys_of_jobs)) -v hz="$(getconf CLK_TCK)" 'BEGIN {
                split(w, wall, " ")
                r = (own + jobs) / hz / (wall[2] - wall[1]) / 2
                serial = alone < 0 ? own : alone
                b = (own + jobs) / (2 * serial + own - serial + jobs)
                print (r > best ? r : best), (b > bound ? b : bound) }')
    done
    [ $alone -ge 0 ] || alone=$((user + sys))
    [ "$(wc -l <"$work/out.csv")" = 10001 ]
    awk -v title="$title" -v best="$best" -v bound="$bound" 'BEGIN {
        printf "%-24s %5.1f %% of two processors by the clock, %5.1f %% or more by processor times (target 90 %%)\n", title,
            100 * best, 100 * bound }'
}
alone=-1 # ticks of the program itself without a store
measure "10,000 runs"
measure "the same, with a store" --store "$work/store.db"
