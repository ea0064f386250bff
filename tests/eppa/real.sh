#!/usr/bin/env bash
# Real runs and simulated ones: a ring matrix product and broadcasts run on this computer under the tracer, and their traces
# are analyzed and replayed. Both are to have the same messages, and reports that read alike.
#
# Without --messages the times are compared, too. The machine of the replay is then the one that calibrate makes of this
# computer, and the main part of the program is to take as long in both, within 5 % (medians of several runs). What a rank
# computes between messages is as long in the replay as it was, so it is communication that is simulated; how much of the
# time it is, is printed. If it does not fit, it is tried again. Times can be compared while nobody else uses the
# processors, and calibrating twice gives the same; where they cannot, that is a failure.
#
#     real.sh [--messages]
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
set -eo pipefail
. "$SOURCE_DIR/tests/shell/needs.sh"
need "libeppa and its programs (Open MPI)" test -x "$BUILD_DIR/tests/mpi_ring" -a -f "$BUILD_DIR/libeppa.so"
PATH=$BUILD_DIR/tests/openmpi:$PATH
need mpirun command -v mpirun
cd "$work"
mode=${1---times}
bound=0.05 runs=5 attempts=3
most_others=0.05 # of the processors' time

# Name, program, arguments: messages of 16 KiB, 400 KiB, 1 MiB and 256 KiB.
programs="ring-short ring 64 2000
ring-long ring 320 40
flat broadcast flat 1048576 300
binomial broadcast binomial 262144 1200"
if [ "$mode" = --messages ]; then
    cp "$SOURCE_DIR/platforms/icluster.xml" here.xml
    programs="ring-short ring 64 100
flat broadcast flat 65536 30"
fi

# ---- Runs ----

# Seconds of the main part, and the share of it that is not computation.
times_of() {
    "$BUILD_DIR/tests/trace_pairs" --times "$1" | sed -n 's/^main: //p'
}

# trace NAME PROGRAM ARGUMENT...: trace a run and replay it; prints the times of both.
trace() {
    local name=$1 program=$2
    shift 2
    if ! mpirun --allow-run-as-root --oversubscribe --bind-to none -n 2 -x LD_PRELOAD="$BUILD_DIR/libeppa.so" \
        -x EPPA_FILE="$name.otf2" "$BUILD_DIR/tests/mpi_$program" "$@" >"$name.out" 2>&1 </dev/null; then
        cat "$name.out" >&2
        return 1
    fi
    scenario "$name.xml" here.xml "name='trace' file='$name.otf2'"
    "$SIMRUN" -q -f json -o "$name.simulated.json" -t "$name.simulated.otf2" "$name.xml"
    echo "$(times_of "$name.otf2") $(times_of "$name.simulated.otf2")"
}

# median COLUMN FILE
median() {
    awk -v column="$1" '{ print $column }' "$2" | sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'
}

# measure NAME PROGRAM ARGUMENT...: medians in NAME.medians: real s, share, simulated s, share, deviation.
measure() {
    local i
    : >"$1.runs"
    for ((i = 0; i < runs; i++)); do trace "$@" >>"$1.runs"; done
    echo "$(median 1 "$1.runs") $(median 2 "$1.runs") $(median 3 "$1.runs") $(median 4 "$1.runs")" |
        awk '{ print $0, $3 / $1 - 1 }' >"$1.medians"
    awk -v name="$1" '{ printf "%-12s %10.3f %9.1f %% %12.3f %9.1f %% %+11.1f %%\n", name, 1e3 * $1, 100 * $2, 1e3 * $3,
        100 * $4, 100 * $5 }' "$1.medians"
}

# within LOWER UPPER NAME: whether the deviation is between them.
within() {
    awk -v lower="$1" -v upper="$2" '{ exit !(NF == 5 && $5 > lower && $5 < upper) }' "$3.medians"
}

all_within() {
    local name arguments
    while read -r name arguments; do within "$1" "$2" "$name" || return 1; done <<<"$programs"
}

# Seconds of the processors' time that somebody has used, and that we have; call it in this shell.
note_use() {
    awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat >"$1.all"
    times >"$1.ours"
}

# others BEFORE AFTER SECONDS: the share of the processors' time that others have used.
others() {
    cat "$1.all" "$2.all" "$1.ours" "$2.ours" | awk -F'[ms ]+' -v hertz="$(getconf CLK_TCK)" -v seconds="$3" \
        -v processors="$(nproc)" '
        NR <= 2 { all[NR] = $1 }
        NR > 2 { ours[NR <= 4 ? 1 : 2] += 60 * $1 + $2 + 60 * $3 + $4 }
        END { print ((all[2] - all[1]) / hertz - (ours[2] - ours[1])) / seconds / processors }'
}

# Succeeds if two calibrations or more give the same bandwidth, within 15 %.
is_steady() {
    awk 'NR == 1 || $1 < least { least = $1 } $1 > most { most = $1 } END { exit !(NR >= 2 && most <= 1.15 * least) }' bandwidths
}

compare_times() {
    local attempt start end others name arguments was_compared=no was_alone=yes
    : >bandwidths
    for ((attempt = 1; attempt <= attempts; attempt++)); do
        note_use before
        start=$EPOCHREALTIME
        "$SIMRUN" calibrate -q here.xml
        sed -n 's/.*<prop \(id="\(send_completes\|eager_limit\|control\)".*\)\/>/\1/p; s/.*\(bw=.*\)/\1/p; s/^ *\(lat=[^ ]*\).*/\1/p
            s/.*\(residual .*%\)\.$/messages: \1/p' here.xml | paste -sd ' '
        sed -n 's/.*bw="\([0-9.e+]*\)Bps".*/\1/p' here.xml | head -n 1 >>bandwidths
        echo "main part, medians of $runs runs of 2 ranks; comm.: the share that is not computation"
        printf '%-12s %10s %11s %12s %11s %13s\n' program 'real [ms]' comm. 'simul. [ms]' comm. deviation
        while read -r name arguments; do
            # shellcheck disable=SC2086
            measure "$name" $arguments
        done <<<"$programs"
        end=$EPOCHREALTIME
        note_use after
        others=$(others before after "$(awk "BEGIN { print $end - $start }")")
        awk "BEGIN { printf \"others have used %.1f %% of the processors' time\n\", 100 * $others }"
        if ! awk "BEGIN { exit !($others < $most_others) }"; then was_alone=no; fi
        if all_within -$bound $bound; then
            was_compared=yes
            break
        fi
    done
    if [ $was_compared = no ] && { [ $was_alone = no ] || ! is_steady; }; then
        echo "not comparable: others use the processors, or their speed changes from one calibration to the next"
    fi
    while read -r name arguments; do
        check "$name: the simulated time is within 5 % of the measured one" within -$bound $bound "$name"
    done <<<"$programs"
}

if [ "$mode" = --messages ]; then
    while read -r name arguments; do
        # shellcheck disable=SC2086
        trace "$name" $arguments >/dev/null
    done <<<"$programs"
else
    compare_times
fi

# ---- The same messages ----

# Between whom, how many and how long, in the main part.
messages() {
    "$BUILD_DIR/tests/trace_pairs" "$1" | grep '^main: [0-9]'
}

same_messages() {
    messages "$1.otf2" >real.messages
    messages "$1.simulated.otf2" >simulated.messages
    cmp -s real.messages simulated.messages
}

# ---- Reports that read alike ----

# The subject of a report, and its measures.
same_measures() {
    local which side
    for which in .ranks .bytes '(.overhead_ratio | keys)' '(.b_ratio | keys - ["off_processor"])' '(.state_s | keys)' \
        '(.critical_path_s | keys | map(select(test("program|[.]$|end|off_processor") | not)))'; do
        for side in real simulated; do jq -c ".runs[0] | $which" "$1.$side.json" >"$side.measures"; done
        if ! cmp -s real.measures simulated.measures; then
            diff real.measures simulated.measures
            return 1
        fi
    done
}

# Shares of the processors' time: useful; sending, receiving and idle.
shares() {
    jq -r '.runs[0] | .state_s as $s | (.time_s * .ranks) as $all |
        "\($s.useful / $all) \(($s.send + $s.receive + $s.idle) / $all)"' "$1"
}

show_shares() {
    echo "$(shares "$1.real.json") $(shares "$1.simulated.json")" | awk -v name="$1" '{
        printf "%-12s useful %.1f and %.1f %%, sending, receiving and idle %.1f and %.1f %%\n", name, 100 * $1, 100 * $3,
            100 * $2, 100 * $4 }'
}

# Share of the main part that is not computation, in the median.
similar_shares() {
    awk -v bound=$bound '{ exit !($2 > $4 - bound && $2 < $4 + bound && $2 > 0 && $4 > 0) }' "$1.medians"
}

# The headings of a report's tables; all that the simulated run's has are in the real run's.
same_tables() {
    local side
    "$SIMRUN" -q "$1.otf2" >real.text
    "$SIMRUN" -q "$1.xml" >simulated.text
    for side in real simulated; do
        grep '^[A-Z]' $side.text | grep -vE '^(Platform|Note|Traced|With -v)|^A real program' | sed 's, *[[(].*,,' | sort >$side.headings
    done
    if [ "$(wc -l <simulated.headings)" -lt 4 ] || [ -n "$(comm -13 real.headings simulated.headings)" ]; then
        diff real.headings simulated.headings
        return 1
    fi
}

echo "reports of the last runs, start and end included; real and simulated:"
while read -r name arguments; do
    "$SIMRUN" -q -f json -o "$name.real.json" "$name.otf2"
    check "$name: the same messages" same_messages "$name"
    check "$name: the same measures" same_measures "$name"
    check "$name: the same tables" same_tables "$name"
    show_shares "$name"
    if [ "$mode" != --messages ]; then
        check "$name: similar shares of the time" similar_shares "$name"
    fi
done <<<"$programs"

finish
