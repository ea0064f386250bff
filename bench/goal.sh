#!/usr/bin/env bash
# Schedules in GOAL, binary, of a million messages and more: processor time and memory of simrun, whole program, on the network
# quiet with L = 2500 ns and o = g = G = 0, and on loggp with o = 1500 ns, g = 1000 ns and G = 6 ns, too; and of LogGOPSim with
# the same, if LOGGOPSIM is the path of its program. Then, of some schedules as text: simrun on quiet, and LogGOPSim with its
# txt2bin, in the same folder, before. The least of three runs.
#
#     bench/goal.sh [NAME...]        default: all of the table below; they take 1 GB in $TMPDIR, and minutes to generate
# SPDX-License-Identifier: BSD-3-Clause
. "$(dirname "$0")/common.sh"
. "$SOURCE_DIR/tests/shell/goal.sh"
need_simrun

# Name, pattern and parameters (tests/goal/generate.py).
schedules='
ring            ring ranks=64 rounds=20000 bytes=80
ring-computing  ring ranks=64 rounds=20000 bytes=80 calc=700
broadcasts      broadcast-binomial ranks=1024 runs=1000 bytes=80
alltoall        alltoall ranks=1000 bytes=80
random          random seed=7 ranks=64 messages=300000 lines=4 ties=0
random-decided  random seed=7 ranks=64 messages=300000 decided=1
streams         streams ranks=64 layers=32 channels=4 bytes=65536 calc=100000 copy=200
ten-million     dissemination-chained ranks=1024 runs=315 bytes=80 calc=100
a-million       dissemination-chained ranks=1024 runs=31 bytes=80 calc=100
'
as_text='ring random a-million'

# cost COMMAND...: the least s of processor time and MB of three runs.
cost() {
    local turn
    for turn in 1 2 3; do
        command time -o "$work/time" -f '%U %S %M' "$@" >"$work/out" 2>"$work/err" || { echo '- -' && return; }
        tail -n 1 "$work/time"
    done | awk '/^-/ { print; exit } { s = $1 + $2; if (NR == 1 || s < best) best = s; if (NR == 1 || $3 < least) least = $3 }
        END { if (!/^-/) printf "%.2f %.0f\n", best, least / 1000 }'
}

# generate NAME FILE: the schedule of that name.
generate() {
    read -r _ pattern parameters < <(grep "^$1 " <<<"$schedules") || fail "$1 is not a schedule of this benchmark"
    # shellcheck disable=SC2086
    python3 "$SOURCE_DIR/tests/goal/generate.py" $pattern $parameters "$2"
}

[ $# -gt 0 ] || mapfile -t names < <(awk 'NF { print $1 }' <<<"$schedules")
[ $# -eq 0 ] || names=("$@")
loggp_platform 1024 2500 0 0 65535 >"$work/quiet.xml"
loggp_platform 1024 2500 1500 6 65535 loggp 1000 >"$work/loggp.xml"
printf '%-16s %11s %7s %11s %7s %7s   %s\n' 'GOAL, binary' 'quiet [s]' '[MB]' 'loggp [s]' '[MB]' 'ratio' \
    "${LOGGOPSIM:+LogGOPSim [s]    [MB]   all [s]    [MB]}"
for name in "${names[@]}"; do
    generate "$name" "$work/x.bin"
    read -r quiet quiet_memory < <(cost "$SIMRUN" -q --platform "$work/quiet.xml" "$work/x.bin")
    read -r loggp loggp_memory < <(cost "$SIMRUN" -q --platform "$work/loggp.xml" "$work/x.bin")
    ratio=$(awk "BEGIN { printf \"%.2f\", ${loggp/-/0} / (${quiet/-/0} + 1e-9) }")
    printf '%-16s %11s %7s %11s %7s %7s' "$name" "$quiet" "$quiet_memory" "$loggp" "$loggp_memory" "$ratio"
    if [ -n "${LOGGOPSIM-}" ]; then
        read -r seconds memory < <(cost "$LOGGOPSIM" -b -f "$work/x.bin" -L 2500 -o 0 -g 0 -G 0)
        read -r all all_memory < <(cost "$LOGGOPSIM" -b -f "$work/x.bin" -L 2500 -o 1500 -g 1000 -G 6)
        printf '   %13s %7s %9s %7s' "$seconds" "$memory" "$all" "$all_memory"
    fi
    echo
done

printf '\n%-16s %11s %7s   %s\n' 'GOAL, text' 'quiet [s]' '[MB]' "${LOGGOPSIM:+txt2bin [s]  LogGOPSim [s]   ratio}"
for name in "${names[@]}"; do
    [[ " $as_text " = *" $name "* ]] || continue
    generate "$name" "$work/x.goal"
    read -r seconds memory < <(cost "$SIMRUN" -q --platform "$work/quiet.xml" "$work/x.goal")
    printf '%-16s %11s %7s' "$name" "$seconds" "$memory"
    if [ -n "${LOGGOPSIM-}" ]; then
        read -r making _ < <(cost "$(dirname "$LOGGOPSIM")/txt2bin" -i "$work/x.goal" -o "$work/x.bin")
        read -r running _ < <(cost "$LOGGOPSIM" -b -f "$work/x.bin" -L 2500 -o 0 -g 0 -G 0)
        ratio=$(awk "BEGIN { printf \"%.2f\", (${making/-/0} + ${running/-/0}) / (${seconds/-/0} + 1e-9) }")
        printf '   %11s %14s %7s' "$making" "$running" "$ratio"
    fi
    echo
done
