#!/usr/bin/env bash
# Call sites: the lines that a profile, a trace and simrun name are those that the program itself prints, in C and Fortran,
# in programs at fixed and at random addresses, in libraries, and in inlined functions; without debug information they are
# named by symbols or modules.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
need "libdw in libeppa" grep -q libdw <(ldd "$BUILD_DIR/libeppa.so")
profiling=(-x LD_PRELOAD="$preload" -x EPPA_FILE=run.json -x EPPA_SITES=1)

# From a printed archive: calls at each site, by function.
sites_of_archive() {
    otf2-print trace.otf2 2>/dev/null | awk '
        $1 == "ENTER" { match($0, /Region: "[^"]*"/); name = substr($0, RSTART + 9, RLENGTH - 10) }
        /"eppa.site"/ { match($0, /"eppa.site" <[0-9]+>; STRING; "[^"]*"/); text = substr($0, RSTART, RLENGTH)
            sub(/.*STRING; "/, "", text); sub(/ in .*/, "", text); sub(/"$/, "", text); n[text " " name]++ }
        END { for (key in n) print key, n[key] }' | sort
}

# agree NAME RANKS COMMAND...: all say what the program prints.
agree() {
    local name=$1 n=$2
    shift 2
    timeout 300 mpirun -n "$n" "${profiling[@]}" "$@" | sort >expected || fail "$name: the program"
    [ "$(wc -l <expected)" -ge 3 ] || fail "$name: prints nothing"
    jq -r '.sites[] | "\(.site | sub(" in .*"; "")) \(.function) \(.calls)"' run.json | sort >found
    cmp -s expected found || fail "$name: the program (<) and the profile (>): $(diff expected found | tr '\n' ';')"
    rm -rf trace*
    timeout 300 mpirun -n "$n" "${recording[@]}" -x EPPA_SITES=1 "$@" >out || fail "$name: the program, traced"
    sites_of_archive >found
    cmp -s expected found || fail "$name: the program (<) and the trace (>): $(diff expected found | tr '\n' ';')"
    "$SIMRUN" -q -f json trace.otf2 >analysed.json || fail "$name: the analysis"
    jq -r '.runs[0].sites[] | "\(.site | sub(" in .*"; "")) \(.function) \(.calls)"' analysed.json | sort >found
    cmp -s expected found || fail "$name: the program (<) and simrun (>): $(diff expected found | tr '\n' ';')"
    jq -e '.runs[0] | def close(a; b): (a - b) | fabs < 1e-8;
        close([.sites[].time_s] | add; [.functions[].time_s] | add) and
        close([.sites[].idle_s] | add; [.site_waits[].time_s] | add)' analysed.json >/dev/null || fail "$name: sums"
}

check_c() {
    local how
    env -u CFLAGS mpicc -g -O1 -fPIC -shared -DLIBRARY -o libfar.so "$programs/sites.c"
    for how in "-O0 -pie -fPIE" "-O2 -pie -fPIE" "-O2 -no-pie -fno-pie"; do
        env -u CFLAGS mpicc -g $how -o sites "$programs/sites.c" -L. -Wl,-rpath,"$PWD" -lfar
        agree "sites $how" 3 ./sites
    done
    jq -e '[.sites[].site] | any(test("^sites.c:[0-9]+ in inlined$")) and any(test(" in requests$")) and any(test(" in far_away$"))' \
        run.json >/dev/null || fail "functions: $(jq -c '[.sites[].site]' run.json)"
}

check_fortran() {
    mpif90 -g -O1 -o sites_f "$programs/sites.F90"
    agree "Fortran" 2 ./sites_f
}

# Without lines a site is its symbol, without that its module.
check_stripped() {
    env -u CFLAGS mpicc -O1 -o sites "$programs/sites.c" -L. -Wl,-rpath,"$PWD" -lfar
    timeout 300 mpirun -n 2 "${profiling[@]}" ./sites >out || fail "no debug information"
    jq -e '[.sites[].site] | any(test("^main\\+0x[0-9a-f]+ in sites$"))' run.json >/dev/null || fail "symbols: $(jq -c '[.sites[].site]' run.json)"
    strip -s sites
    timeout 300 mpirun -n 2 "${profiling[@]}" ./sites >out || fail "stripped"
    jq -e '[.sites[].site] | any(test("^sites\\+0x[0-9a-f]+$"))' run.json >/dev/null || fail "modules: $(jq -c '[.sites[].site]' run.json)"
}

# Off unless asked for; another value is said.
check_switch() {
    traced 2 ./sites >out
    ! otf2-print -G trace.otf2 2>/dev/null | grep -q 'STRING.*sites[.+]' || fail "sites without EPPA_SITES"
    traced 2 env EPPA_SITES=yes ./sites >out 2>messages
    [ "$(grep -c "^eppa: EPPA_SITES: 'yes'; allowed: 0 or 1; using 0$" messages)" = 1 ] || fail "EPPA_SITES=yes: $(cat messages)"
}

# A run that is killed has its sites in the archive, too.
check_killed() {
    local i
    env -u CFLAGS mpicc -g -O1 -I"$SOURCE_DIR/src/eppa" -o end "$programs/end.c"
    rm -rf trace*
    timeout 300 mpirun -n 2 "${recording[@]}" -x EPPA_SITES=1 ./end crash 1000 >out 2>&1 && fail "killed: status 0"
    for ((i = 0; i < 1200; i++)); do
        { [ -e trace.otf2 ] && [ ! -e trace.eppa ]; } || sleep 0.05
    done
    sites_of_archive >found
    grep -q "^end.c:$(grep -n 'MPI_Sendrecv' "$programs/end.c" | cut -d: -f1) MPI_Sendrecv 2000$" found || fail "killed: $(cat found)"
}

check_c
check_fortran
check_stripped
check_switch
check_killed
exit $((failed > 0))
