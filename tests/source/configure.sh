#!/usr/bin/env bash
# CMake's messages when simrun is configured: presets, missing libraries, switches, and folders of installations.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit

# configured STATUS ARGUMENT...: CMake ends with this status; its messages are in out and err, and in text as one line.
configured() {
    local expected=$1 status=0
    shift
    cmake -S "$SOURCE_DIR" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >out 2>err || status=1
    tr -s '\n ' ' ' <err >text
    same "status of cmake $*" $status "$expected"
}
says() { # PATTERN
    check "it says" grep -qE -- "$1" text
}

# --- what is missing ---

# pkg-config, but for one package.
cat >pkg-config <<END
#!/bin/sh
case " \$* " in *"\${HIDDEN-none}"*) exit 1 ;; esac
exec $(command -v pkg-config) "\$@"
END
chmod +x pkg-config
HIDDEN=cunit configured 1 -DPKG_CONFIG_EXECUTABLE="$work/pkg-config" -DBUILD_TESTING=ON
says 'CUnit is missing: apt-get install libcunit1-dev, .*-DBUILD_TESTING=OFF'
rm -rf build
HIDDEN=libxml configured 1 -DPKG_CONFIG_EXECUTABLE="$work/pkg-config"
says 'Libraries that simrun needs are missing .* libxml2 is missing: apt-get install libxml2-dev'
rm -rf build
configured 1 -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
says 'pkg-config is missing: apt-get install pkgconf'
rm -rf build

# --- presets: users need not have what tests need ---

same 'tests in the presets' "$(jq -r '.configurePresets[] | select(.name == "release" or .name == "strict") | .cacheVariables.BUILD_TESTING' \
    "$SOURCE_DIR/CMakePresets.json" | paste -sd ' ')" 'ON OFF'

# --- switches ---

configured 1 -DSIMRUN_OTF=OFF
says 'no such switch: SIMRUN_OTF\. Did you mean SIMRUN_OTF2\? .*SIMRUN_MPI'
rm -rf build
configured 0 -DBUILD_TESTING=OFF -DSIMRUN_MPI=OFF -DSIMRUN_LIBDW=OFF -DCMAKE_INSTALL_PREFIX=/opt/simrun \
    -DCMAKE_INSTALL_LIBDIR=/opt/simrun/lib/parallel -DCMAKE_INSTALL_DATADIR=/opt/simrun/data
for name in simrun-mpi simrun-calibrate libeppa libeppa-mpich; do
    check 'without MPI' grep -q -- "-- $name is not built: .*SIMRUN_MPI=OFF" out
done
check 'without libdw' grep -q 'it needs libdw (SIMRUN_LIBDW=OFF' out
check 'neither is looked for' test "$(grep -cE "module '(libdw|openblas|ompi|mpich)" out)" -eq 0
HIDDEN=libdw configured 1 -DSIMRUN_LIBDW=ON -DPKG_CONFIG_EXECUTABLE="$work/pkg-config"
says 'SIMRUN_LIBDW is ON, but it is missing: apt-get install libdw-dev, or configure with -DSIMRUN_LIBDW=OFF'

# --- folders: absolute ones below the prefix are relative ones, others are refused ---

sed -n 's/^\(prefix\|libdir\|datadir\)=//p' build/simrun.pc >folders
# shellcheck disable=SC2016 # as it stands in the file
same 'folders in simrun.pc' "$(paste -sd ' ' folders)" '${pcfiledir}/../../.. ${prefix}/lib/parallel ${prefix}/data/simrun'
configured 1 -DSIMRUN_LIBDW=OFF -DCMAKE_INSTALL_LIBDIR=/elsewhere/lib
says 'CMAKE_INSTALL_LIBDIR is /elsewhere/lib, which is not below CMAKE_INSTALL_PREFIX, /opt/simrun'
rm -rf build

# --- the library alone ---

# It is not built here but copied: it is the same.
configured 0 -DCORE_ONLY=ON -DBUILD_TESTING=OFF
cp "$BUILD_DIR/libsimrun.a" build/libsimrun.a
check 'it is installed' cmake --install build --prefix "$work/core" >out 2>err
for file in include/simrun/simrun.h include/simrun/metrics/result.h libsimrun.a pkgconfig/simrun.pc cmake/simrun/simrunConfig.cmake; do
    check "$file" test -n "$(find core -path "*/$file")"
done
check 'no program' test ! -e core/bin
check 'no // in simrun.pc' test "$(PKG_CONFIG_PATH=$(dirname "$(find core -name simrun.pc)") pkg-config --cflags simrun | grep -c //)" -eq 0
check 'uninstalled' cmake --build build --target uninstall >out 2>err
same 'files that remain' "$(find core -type f | wc -l)" 0
finish
