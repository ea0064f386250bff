#!/usr/bin/env bash
# Random MPI programs (mpi/random.c) with Open MPI and MPICH: what a trace says of messages and collectives is what the program has
# counted; its times close; and a replay of it ends, with the same messages.
#
#     random.sh [PROGRAMS [FIRST-SEED [STEPS]]]
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
n_programs=${1-50}
first=${2-1}
steps=${3-120}

# Print the contents of an archive, as random.c counts them, and collectives that do not close: all bytes sent must be
# received.
counted() {
    account "$1" | awk '
        $1 == "collective" { n[$2 " " $3]++; sent[$3] += $(NF - 1); received[$3] += $NF; next }
        { print }
        END {
            for (k in n) print "calls", k, n[k]
            for (k in sent) if (sent[k] != received[k]) print "not closed:", k, sent[k], received[k]
        }' | LC_ALL=C sort
}

# The messages with a tag that random.c uses: those of neighbors and, in what simrun has written, of collectives have others.
tagged() {
    otf2-print "$1" 2>/dev/null | awk '
        $1 ~ /^MPI_I?SEND$/ {
            match($0, /Tag: [0-9]+/)
            if (substr($0, RSTART + 5, RLENGTH - 5) > 1000) next
            match($0, /<[0-9]+>\)/)
            k = $2 " " substr($0, RSTART + 1, RLENGTH - 3)
            match($0, /Length: [0-9]+/)
            n[k]++
            bytes[k] += substr($0, RSTART + 8, RLENGTH - 8)
        }
        END { for (k in n) print "sent", k, n[k], bytes[k] }' | LC_ALL=C sort
}

# The states of all ranks and of each make up its time, to the picosecond.
closes='.runs[0] | def ps: . * 1e12 | round;
    ([.state_s[]] | add | ps) == (.time_s * .ranks | ps) and
    (. as $run | [range(.ranks)] | all(. as $rank | ([$run.process_state_s[][$rank]] | add | ps) == ($run.time_s | ps)))'
matrix='.runs[0].communication_matrix[] | "sent \(.from) \(.to) \(.messages) \(.bytes)"'
totals='[.runs[0] | .messages, .bytes] | join(" ")'

# agree WHAT EXPECTED FOUND: two files are the same.
agree() {
    cmp -s "$2" "$3" || { fail "$run: $1" && { diff "$2" "$3" | head -n 20 || true; }; }
}

check_trace() {
    local said
    said=$("$SIMRUN" check trace.otf2 2>&1) && [[ $said == "trace.otf2: ok, "* ]] || fail "$run: check: $said"
    "$SIMRUN" -q -f json --detail messages trace.otf2 >analysed || fail "$run: the analysis"
    jq -e "$closes" analysed >/dev/null || fail "$run: states do not make up the time"
    jq -r "$matrix" analysed | LC_ALL=C sort >found
    agree "the analysis" sent found
    awk '{ n += $4; bytes += $5 } END { print n + 0, bytes + 0 }' sent >total
    jq -r "$totals" analysed >found
    agree "the totals" total found
}

check_replay() {
    "$SIMRUN" -q -f json --platform "$SOURCE_DIR/platforms/icluster.xml" -t replay.otf2 trace.otf2 >simulated || { fail "$run: the replay"; return; }
    jq -e "$closes" simulated >/dev/null || fail "$run: the replay's states do not make up its time"
    tagged trace.otf2 >traced
    tagged replay.otf2 >found
    agree "the replay" traced found
}

# check_program SEED: of two to six ranks.
check_program() {
    local n=$((2 + $1 % 5))
    run="$MPI, seed $1, $n ranks, $steps steps"
    rm -rf trace* count.* replay*
    traced $n "./random-$MPI" "$1" $steps >out 2>&1 || { fail "$run: status $?"; head -n 20 out; return; }
    LC_ALL=C sort count.* >expected
    grep '^sent' expected >sent || true
    counted trace.otf2 >found
    agree "the program (<) and its archive (>)" expected found
    balanced trace.otf2 || fail "$run: ENTER and LEAVE, or messages, do not match"
    check_trace
    check_replay
    n_messages=$((n_messages + $(cut -d' ' -f1 total)))
}

n_messages=0
for mpi in openmpi mpich; do
    use_mpi $mpi
    compile random
    mv random random-$mpi
done
for ((seed = first; seed < first + n_programs; seed++)); do
    for mpi in openmpi mpich; do
        use_mpi $mpi
        check_program $seed
    done
done
echo "$n_programs programs with each of two MPIs: $n_messages messages, $failed differences"
[ $failed = 0 ] && [ $n_messages -gt 0 ]
