#!/usr/bin/env bash
# Cost of all details in each shipped scenario, for the whole program: processor time with `--detail all` against
# without, by turns, the best of three; and the bytes that are written. As text, which has the largest rows, and as
# JSON, which has all.
#
#     bench/details.sh [SCENARIO...]        default: those of scenarios/
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common.sh"
need_simrun
TIMEFORMAT='%U %S'

# measure FORMAT DETAIL: the processor's ms of one run, of several that take 50 ms and more.
measure() {
    { time for ((i = 0; i < n; i++)); do
        "$SIMRUN" -q -f "$1" ${2:+--detail "$2"} -o "$work/out" "${settings[@]}" "$scenario" 2>"$work/err" || exit
    done; } 2>&1 |
        awk -v n=$n '{ printf "%.2f", 1000 * ($1 + $2) / n }'
}

least() { printf '%s\n%s\n' "$1" "$2" | sort -g | head -1; }

[ $# -gt 0 ] || set -- "$SOURCE_DIR"/scenarios/*.xml
printf '%-22s %21s   %s\n' 'details, all' 'as text' 'as JSON'
for scenario; do
    name=$(basename "$scenario" .xml) settings=() n=1
    case $name in gj-topologies) settings=(-s n=64) ;; gj-scaling) settings=(-s n=1024) ;; hpl-icluster) settings=(-s n=8000) ;; esac
    once=$(measure text '') || fail "$scenario: $(said)"
    n=$(awk -v once="$once" 'BEGIN { print once < 50 ? int(50 / (once + 1)) + 1 : 1 }')
    for format in text json; do
        none=1e9 all=1e9
        for turn in 1 2 3; do
            none=$(least "$none" "$(measure $format '')")
            all=$(least "$all" "$(measure $format all)")
        done
        [ -s "$work/out" ] || fail "$scenario: nothing is written as $format"
        bytes=$(stat -c %s "$work/out")
        awk -v name="$name" -v format=$format -v none="$none" -v all="$all" -v bytes="$bytes" 'BEGIN {
            if (format == "text") printf "  %-20s %8.1f ms %+7.1f %%", name, none, 100 * (all / none - 1)
            else printf "   %8.1f ms %+8.1f %%, %.1f MB\n", none, 100 * (all / none - 1), bytes / 1e6 }'
    done
done
