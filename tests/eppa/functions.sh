#!/usr/bin/env bash
# What a trace says of functions and causes: times, calls and the share of MPI against a count of the archive's events
# by otf2-print; the headline of programs in which it is known who waits for whom.
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq

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

# headline WAY FUNCTION WHY RANK: most of the waiting, in the first sentence, and who is to blame: RANK, which computes eight of nine
# parts. How much of the time that is depends on what else the computer does, and the answer may be that there is too little of a
# processor; where most of the waiting in MPI is, and for whom, does not.
headline() {
    local who
    causes "$1" || return 0
    who="(, ([0-9]+ % of it )?(by )?rank $4, which computes (1\.[2-9]|2) times as long as|; rank $4 computes longest, (1\.[2-9]|2) times) the mean[.;]"
    grep -qE "2 ranks in [0-9.]+ m?s: [0-9]+ % of the time ranks wait (in $2 for $3$who|for a processor)" answer ||
        fail "$1: $(cut -c1-250 answer)"
    jq -e --arg function "$2" --argjson late "$4" '.runs[0] | .process_state_s.useful[$late] > 2 * .process_state_s.useful[1 - $late] and
        ([.function_waits[] | select(.function == $function)] | max_by(.time_s) | .for_rank == $late and .for_rank_s > 0.5 * .time_s)' \
        analysed.json >/dev/null || fail "$1: $(jq -c '.runs[0] | .process_state_s, .function_waits' analysed.json)"
}

# Equal work: what is waited for is the collective, and no message, or a processor.
no_headline() {
    local waits='in MPI_Alltoall for the last one|for a processor'
    causes "$1" || return 0
    grep -qE "2 ranks in [0-9.]+ m?s(: [0-9]+ % of the time ranks wait ($waits)|; [0-9]+ % of its critical path)" answer ||
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
