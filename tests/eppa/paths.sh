#!/usr/bin/env bash
# Call paths: of programs in C, C++, Fortran and Python whose call trees are known, under Open MPI and MPICH; with EPPA_PATHS=1 each
# call has its path, the tree closes, and without it there is nothing of the sort.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
need "libdw in libeppa" grep -q libdw <(ldd "$BUILD_DIR/libeppa.so")

# tree NAME RANKS COMMAND...: records it, and prints calls and path of each function of MPI, of all ranks.
tree() {
    local name=$1 n=$2
    shift 2
    rm -rf trace*
    with EPPA_PATHS=1
    timeout 300 mpirun -n "$n" "${recording[@]}" "${with[@]}" "$@" >out || fail "$name: the program"
    "$SIMRUN" -q -f json trace.otf2 >analysed.json || fail "$name: the analysis"
    jq -r '.runs[0].call_paths[] | select(.function | startswith("MPI_")) | "\(.calls) \(.path)"' analysed.json | sort >found
    jq -e '.runs[0] | .call_paths as $paths | def close(a; b): (a - b) | fabs < 1e-8;
        ([$paths[] | . as $path | [$paths[] | select(.outer == $path.id)] |
            close($path.own_s + ([.[].time_s] | add // 0); $path.time_s) and
            close($path.own_idle_s + ([.[].idle_s] | add // 0); $path.idle_s)] | all) and
        close([$paths[].own_idle_s] | add; [.call_path_waits[].time_s] | add)' analysed.json >/dev/null || fail "$name: sums"
}

# expect NAME LINE...: the tree that has been found is this.
expect() {
    local name=$1
    shift
    printf '%s\n' "$@" | sort >expected
    cmp -s expected found || fail "$name: expected (<) and found (>): $(diff expected found | tr '\n' ';')"
}

check_languages() {
    local how
    for how in -O0 -O2; do
        env -u CFLAGS mpicc -g $how -fno-optimize-sibling-calls -o paths "$programs/paths.c"
        tree "C $how" 3 ./paths
        expect "C $how" "30 main > solve > solve > solve > exchange > MPI_Barrier" "30 main > exchange > MPI_Barrier" \
            "30 main > norm > reduce > MPI_Allreduce"
    done
    mpif90 -g -O1 -o paths_f "$programs/paths.F90"
    tree Fortran 2 ./paths_f
    expect Fortran "6 main > heat > field::solve > field::exchange > MPI_Barrier" \
        "2 main > heat > field::solve > field::inner > field::exchange > MPI_Barrier" "2 main > heat > outside > MPI_Barrier"
    env -u CXXFLAGS "$1" -g -O1 -o paths_cpp "$programs/paths.cpp"
    tree C++ 2 ./paths_cpp
    expect C++ "8 main > grid::Halo::update > grid::Halo::exchange<4> > MPI_Barrier"
}

# Without lines the functions are those of the symbols.
check_symbols() {
    env -u CXXFLAGS "$1" -O1 -o paths_cpp "$programs/paths.cpp"
    tree "C++ without debug information" 2 ./paths_cpp
    expect "C++ without debug information" "8 main > grid::Halo::update > void grid::Halo::exchange<4> > MPI_Barrier"
}

# Without symbols they are the program, which is one function then; what calls it is left out.
check_stripped() {
    strip -s paths_cpp
    rm -rf trace*
    with EPPA_PATHS=1
    timeout 300 mpirun -n 2 "${recording[@]}" "${with[@]}" ./paths_cpp >out || fail "stripped: the program"
    otf2-print trace.otf2 >printed 2>/dev/null
    otf2-print -G trace.otf2 >defined 2>/dev/null
    [ "$(grep '"eppa.site"' printed | grep -c '"eppa.path" <[0-9]*>; CALLING_CONTEXT; "paths_cpp@paths_cpp:0" <0>')" = 8 ] || fail "stripped: $(grep eppa.path printed)"
    grep -q '^CALLING_CONTEXT  *0  Region: "paths_cpp" .*Parent: UNDEFINED' defined || fail "stripped: $(grep CALLING_CONTEXT defined)"
    "$SIMRUN" -q -f json trace.otf2 | jq -e '.runs[0].call_paths | map(.path) == ["paths_cpp", "paths_cpp > MPI_Barrier"]' >/dev/null ||
        fail "stripped: $("$SIMRUN" -q -f json trace.otf2 | jq -c '.runs[0].call_paths')"
}

# Deeper paths than there is room for are cut, and it is said.
check_bounds() {
    env -u CFLAGS mpicc -g -O0 -o paths "$programs/paths.c"
    tree deep 2 ./paths 200
    "$SIMRUN" trace.otf2 2>&1 | grep -q "recorded only in part: 20" || fail "no note: $("$SIMRUN" trace.otf2 2>&1 | grep -i note)"
    rm -rf trace*
    timeout 300 mpirun -n 2 "${recording[@]}" ./paths >out
    ! otf2-print -G trace.otf2 2>/dev/null | grep -q CALLING_CONTEXT || fail "paths without EPPA_PATHS"
    "$SIMRUN" -q -f json trace.otf2 | jq -e '.runs[0] | has("call_paths") | not' >/dev/null || fail "a tree without paths"
}

check_python() {
    local python=/usr/bin/python3
    [ "$MPI" = openmpi ] && "$python" -c 'import mpi4py' 2>/dev/null || {
        echo "paths.sh: not tested, mpi4py is not there for $MPI"
        return
    }
    tree Python 2 "$python" "$programs/paths.py"
    grep "<module>" found >python && mv python found
    expect Python "6 <module> > Solver.solve > exchange > MPI_Barrier" "4 <module> > exchange > MPI_Barrier" \
        "2 <module> > Solver.solve > MPI_Bcast"
    otf2-print trace.otf2 2>/dev/null | grep -c '"eppa.site" <[0-9]*>; STRING; "paths.py:10 in exchange"' >counted || fail "Python: sites"
}

for mpi in openmpi mpich; do
    compiler=/usr/bin/mpicxx.$mpi
    [ -x "$compiler" ] && [ -f "$BUILD_DIR/libeppa$([ $mpi = openmpi ] || echo -mpich).so" ] || continue
    use_mpi $mpi
    check_languages "$compiler"
    check_symbols "$compiler"
    check_stripped
    check_bounds
    check_python
done
exit $((failed > 0))
