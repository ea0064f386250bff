#!/usr/bin/env bash
# What a trace says of functions and causes: times, calls and the share of MPI against a count of the archive's events
# by otf2-print; the headline of programs in which it is known who waits for whom.
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq

# Calls and time [ns] of each function of MPI, from a printed archive: of calls within calls the outermost.
count_printed() {
    awk '
        $1 == "ENTER" { where = $2; polls = 0; match($0, /"[^"]*"/); name = substr($0, RSTART + 1, RLENGTH - 2)
            if (name ~ /^MPI_/ && depth[where]++ == 0) { from[where] = $3; calls[name]++; latest = name } else latest = "" }
        /"eppa.polls"/ && latest != "" { match($0, /UINT64; [0-9]+/); calls[latest] += substr($0, RSTART + 8, RLENGTH - 8) - 1 }
        $1 == "LEAVE" { match($0, /"[^"]*"/); name = substr($0, RSTART + 1, RLENGTH - 2)
            if (name ~ /^MPI_/ && --depth[$2] == 0) time[name] += $3 - from[$2] }
        END { for (name in calls) printf "%s %d %.0f\n", name, calls[name], time[name] }' | sort
}

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
        close(.pop.load_balance * .pop.communication_efficiency; .pop.parallel_efficiency)' analysed.json >/dev/null ||
        fail "$1: sums"
}

# headline WAY PATTERN: the first sentence of the answer.
headline() {
    traced 2 ./causes "$1" 40 || { fail "$1: the program" && return; }
    "$SIMRUN" trace.otf2 | tr '\n' ' ' | sed 's/  */ /g' >answer || fail "$1: the analysis"
    grep -qE "2 ranks in [0-9.]+ ms$2" answer || fail "$1: $(cut -c1-250 answer)"
    agree "$1"
}

for program in every_message every_collective every_other; do
    compile $program
    traced 4 ./$program >/dev/null || fail "$program: the program"
    agree $program
done
compile causes
headline stencil ': 2[0-9] % of the time ranks wait in MPI_Allreduce for the last one, (9[0-9] % of it )?rank 0, which computes 1\.[23] times as long as the mean\.'
headline master ': 3[0-9] % of the time ranks wait in MPI_Recv for messages that are sent late, (9[0-9] % of it )?by rank 0, which computes 1\.[45] times as long as the mean\.'
headline pipeline ': 2[0-9] % of the time ranks wait in MPI_Recv for messages that are sent late, (9[0-9] % of it )?by rank 0, which computes 1\.[23] times as long as the mean\.'
headline bad ': 3[0-9] % of the time ranks wait in MPI_Send for receivers that are late, (9[0-9] % of it )?rank 1, which computes 1\.[56] times as long as the mean\.'
headline good '(: [2-9] % of the time.*|; )[89][0-9] % of its critical path is processing\.'
exit $((failed > 0))
