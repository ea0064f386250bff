#!/usr/bin/env bash
# functions.sh [--headlines]: what a trace says of functions: times, calls and the share of MPI against a count of the archive's
# events by otf2-print. --headlines: nothing else runs, so that in programs in which it is known who waits for whom most of the time
# is that waiting, as the headline says; archives of such runs are read by script.waits.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
headlines=${1-}

# agree NAME: the functions of trace.otf2 are those that otf2-print counts, and what waits is idle.
agree() {
    "$SIMRUN" -f json trace.otf2 >analysed.json || { fail "$1: the analysis" && return; }
    otf2-print trace.otf2 2>/dev/null | count_printed >printed
    jq -r '.runs[0].functions[] | "\(.function) \(.calls) \(.time_s * 1e9 | round)"' analysed.json | sort >counted
    cmp -s printed counted || fail "$1: otf2-print (<) and simrun (>): $(diff printed counted | head -n 5 | tr '\n' ';')"
    [ "$(wc -l <counted)" -ge 2 ] || fail "$1: only $(wc -l <counted) functions"
    jq -e '.runs[0] | def close(a; b): (a - b) | fabs < 1e-8;
        close([.function_waits[].time_s] | add // 0; .state_s.idle) and close([.scope_waits[].time_s] | add // 0; .state_s.idle) and
        close([.rank_waits[].waiting_s] | add // 0; .state_s.idle) and close([.rank_waits[].useful_s] | add; .state_s.useful) and
        close(.pop.load_balance * .pop.communication_efficiency * (.pop.processor_efficiency // 1); .pop.parallel_efficiency)' analysed.json >/dev/null ||
        fail "$1: sums"
}

# causes WAY: a program, its analysis, and the answer on one line.
causes() {
    traced 2 ./causes "$1" 25 || { fail "$1: the program" && return 1; }
    "$SIMRUN" trace.otf2 | tr '\n' ' ' | sed 's/  */ /g' >answer || fail "$1: the analysis"
    agree "$1"
}

# headline WAY FUNCTION WHY RANK: rank RANK computes eight of nine parts, and most of the waiting, in the first sentence, is for it.
headline() {
    causes "$1" || return 0
    jq -e --argjson late "$4" '.runs[0].process_state_s.useful | .[$late] > 2 * .[1 - $late]' analysed.json >/dev/null ||
        fail "$1: $(jq -c '.runs[0].process_state_s' analysed.json)"
    [ -n "$headlines" ] || return 0
    grep -qE "2 ranks in [0-9.]+ m?s: [0-9]+ % of the time ranks wait in $2 for $3, ([0-9]+ % of it )?(by )?rank $4, which computes" answer ||
        fail "$1: $(cut -c1-250 answer)"
    jq -e --arg function "$2" --argjson late "$4" '.runs[0].function_waits | map(select(.function == $function)) | max_by(.time_s) |
        .for_rank == $late and .for_rank_s > 0.5 * .time_s' analysed.json >/dev/null ||
        fail "$1: $(jq -c '.runs[0].function_waits' analysed.json)"
}

# Equal work: what is waited for is the collective, and no message.
no_headline() {
    causes "$1" || return 0
    [ -n "$headlines" ] || return 0
    grep -qE "2 ranks in [0-9.]+ m?s(: [0-9]+ % of the time ranks wait in MPI_Alltoall for the last one|; [0-9]+ % of its critical path)" answer ||
        fail "$1: $(cut -c1-250 answer)"
}

for program in every_message every_collective every_other; do
    compile $program
    traced 4 ./$program >/dev/null || fail "$program: the program"
    agree $program
done
compile causes
headline stencil MPI_Allreduce 'the last one' 0
headline master MPI_Recv 'messages that are sent late' 0
headline pipeline MPI_Recv 'messages that are sent late' 0
headline bad MPI_Send 'receivers that are late' 1
no_headline good
exit $((failed > 0))
