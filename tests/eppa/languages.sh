#!/usr/bin/env bash
# One program in C and in Fortran, by each of its three ways to MPI, with Open MPI and with MPICH: all traces say the same but for
# times, and simrun says the same of who sends how much to whom.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq

# Print the contents of a trace: the calls of each rank in their order, all messages, requests and collectives. Not
# reproducible, and left out: how often a rank tests, and which of several requests is the first.
said_by() {
    otf2-print "$1" 2>&1 | awk '
        $1 == "ENTER" {
            match($0, /"[^"]*"/)
            name = substr($0, RSTART + 1, RLENGTH - 2)
            if (name !~ /^MPI_(Test|Wait)/ && name !~ /^(no processor|asleep|off the processor)$/) printf "call %d %03d %s\n", $2, ++n[$2], name
            next
        }
        $1 == "LEAVE" || $1 == "PROGRAM_BEGIN" { next }
        $2 ~ /^[0-9]+$/ && $3 ~ /^[0-9]+$/ {
            $3 = ""
            gsub(/,? ?Request: [0-9]+|<[0-9]+>/, "")
            print
        }' | LC_ALL=C sort
}

matrix_of() {
    "$SIMRUN" -q -f json --detail messages "$1" |
        jq -c '.runs[0] | [.messages, .bytes, .collectives], (.communication_matrix[] | [.from, .to, .messages, .bytes])'
}

# compare LANGUAGE: the program of that name, in trace.otf2, against the first that there was.
compare() {
    traced 4 ./everyday >out 2>&1 || { fail "$MPI, $1: the program" && cat out && return; }
    said_by trace.otf2 >said
    matrix_of trace.otf2 >matrix
    [ -f expected.said ] || cp said expected.said
    [ -f expected.matrix ] || cp matrix expected.matrix
    diff expected.said said >difference || { fail "$MPI, $1: the first (<) and this (>)" && head -20 difference; }
    diff expected.matrix matrix >difference || { fail "$MPI, $1: the matrix" && head -20 difference; }
}

# other_library NAME: the library of another MPI says so, and the program runs without it.
other_library() {
    local status=0
    with LD_PRELOAD="${preload%"$library"}$BUILD_DIR/$1" EPPA_FILE=other.otf2
    timeout 300 mpirun -n 4 "${with[@]}" ./everyday >out 2>messages || status=$?
    [ $status = 0 ] && [ "$(grep -c "^eppa: this is the library for .* preload ${library##*/}; nothing is recorded$" messages)" = 1 ] ||
        { fail "$MPI, $1: status $status" && head messages; }
    [ ! -e other.otf2 ] || fail "$MPI, $1: an archive"
}

for mpi in openmpi mpich; do
    use_mpi $mpi
    compile everyday
    compare C
    for way in F08 MPI MPIF; do
        mpif90 -w -fallow-argument-mismatch -DUSE_$way -o everyday "$programs/everyday.F90"
        compare $way
    done
    case $mpi in
    openmpi) other_library libeppa-mpich.so ;;
    mpich) other_library libeppa.so ;;
    esac
done
# 48 messages are those of the text of the program: of each rank 12, but for those to nobody.
[ "$(head -n 1 expected.matrix)" = "[48,2256,68]" ] || fail "$(head -n 1 expected.matrix) messages, bytes and collectives"
[ "$(grep -c '^call' expected.said)" -gt 150 ] || fail "only $(grep -c '^call' expected.said) calls"
[ $failed = 0 ]
