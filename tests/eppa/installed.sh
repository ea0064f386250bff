#!/usr/bin/env bash
# The tracer as it is installed: a program is linked with it by what pkg-config says, and by the CMake package, for each MPI; its
# archive has its messages and scopes. CMake says what is missing.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need pkg-config command -v pkg-config
[ "$preload" = "$library" ] || need "libraries without sanitizers" false

cmake --install "$BUILD_DIR" --prefix "$work/installed" >log 2>&1 || { cat log && exit 1; }
libraries=$(dirname "$(find installed -name libeppa.so)")
[ "$libraries" != . ] || { echo "FAILED: libeppa.so is not installed" && exit 1; }
export PKG_CONFIG_PATH=$work/$libraries/pkgconfig

# archive WHAT COMMAND...: the archive of a program that is linked with the library, and that eppa.h is known to it.
archive() {
    local what=$1
    shift
    EPPA_FILE=trace.otf2 timeout 300 mpirun -n 2 "$@" 60 >out 2>messages || { fail "$what: status $?" && head messages; }
    same "$what"
    [ "$(otf2-print trace.otf2 | grep -c '^ENTER.*"set up"')" = 2 ] || fail "$what: scopes"
    rm -rf trace*
}

# by_pkgconfig NAME: C, and Fortran, whose programs call nothing of the library by name.
by_pkgconfig() {
    local flags
    read -ra flags <<<"$(pkg-config --cflags --libs "$1")"
    mpicc -Wno-stringop-overflow -Wl,--as-needed -o ring "$programs/ring.c" "${flags[@]}" -lm || fail "pkg-config $1: linking"
    LD_LIBRARY_PATH=$work/$libraries archive "$MPI, pkg-config" ./ring
    mpicc -Wno-stringop-overflow -o ring "$programs/ring.c" "${flags[@]}" -Wl,-rpath,"$(pkg-config --variable=libdir "$1")" -lm
    archive "$MPI, pkg-config, rpath" ./ring
    mpif90 -Wl,--as-needed -o ring_f "$programs/ring.f90" "${flags[@]}" || fail "pkg-config $1: linking Fortran"
    LD_LIBRARY_PATH=$work/$libraries EPPA_FILE=$PWD/trace.otf2 timeout 300 mpirun -n 2 ./ring_f >out || fail "pkg-config $1: Fortran"
    same "$MPI, pkg-config, Fortran"
    [ "$(pkg-config --variable=preload "$1")" -ef "$libraries/lib$1.so" ] || fail "pkg-config $1: preload"
    ! pkg-config --variable=preload --variable=includedir "$1" | grep '//' || fail "pkg-config $1: paths"
}

# configure COMPONENT: a project that wants it, with the compiler of the MPI.
configure() {
    mkdir -p project
    cat >project/CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.13)
project(ring C)
find_package(eppa 1.0 REQUIRED COMPONENTS $1)
add_executable(ring "$programs/ring.c")
target_link_libraries(ring PRIVATE eppa::$2 m)
EOF
    rm -rf built
    cmake -G Ninja -S project -B built -DCMAKE_PREFIX_PATH="$work/installed" -DCMAKE_C_COMPILER="$BUILD_DIR/tests/$MPI/mpicc" >log 2>&1
}

by_cmake() {
    configure "$MPI" "$1" && cmake --build built >>log 2>&1 || { fail "CMake, $MPI" && cat log; return; }
    archive "$MPI, CMake" built/ring
}

for mpi in openmpi mpich; do
    use_mpi $mpi
    name=${library##*/lib}
    by_pkgconfig "${name%.so}"
    by_cmake "${name%.so}"
done

# Where LD_PRELOAD cannot name the library, simrun trace takes a link to its folder, and removes that.
mv installed "$work/a place: mine" && mkdir temporary
use_mpi openmpi
mpicc -Wno-stringop-overflow -I"$SOURCE_DIR/src/eppa" -o ring "$programs/ring.c" -lm -ldl
TMPDIR=$PWD/temporary timeout 300 "$work/a place: mine/bin/simrun" trace -n 2 -o 'a trace.otf2' ./ring 60 >out 2>messages ||
    { fail "simrun trace, in a folder with a blank and a colon" && cat messages; }
[ -z "$(ls temporary)" ] || fail "a link to the library remains"
! TMPDIR=$PWD/none "$work/a place: mine/bin/simrun" trace -n 2 ./ring 60 >out 2>messages || fail "no place for a link"
grep -q 'LD_PRELOAD cannot name it' messages || fail "no place for a link: the reason"
mv "$work/a place: mine" installed
rm -rf 'a trace'* temporary

! configure lam eppa || fail "CMake: a component that does not exist"
grep -q 'there is no tracer for lam; known: openmpi mpich' log || fail "CMake: no word of a component that does not exist"
rm "$libraries/libeppa-mpich.so"
! configure mpich eppa-mpich || fail "CMake: a library that is not there"
configure openmpi eppa || fail "CMake: the other library"
[ $failed = 0 ]
