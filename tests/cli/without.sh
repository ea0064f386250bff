#!/usr/bin/env bash
# A build with each switch off, then one with all libraries of src/os/libraries.def off, in folders of their own: they
# simulate the same, say what they are without, and refuse that. Then the tests of the last one. Target check-without
# runs this.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
whole=$SIMRUN build=$BUILD_DIR/without

# configured ARGUMENT...: CMake's messages are in out and err.
configured() {
    cmake -S "$SOURCE_DIR" -B "$BUILD_DIR/without-one" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLTO=OFF \
        -DWARNINGS_AS_ERRORS=ON -DBUILD_TESTING=OFF "$@" >out 2>err
}
same_as_whole() { # FILE
    "$whole" -f json "$1" | jq 'del(.. | .host?)' >expected
    run -f json "$1"
    jq 'del(.. | .host?)' out >found
    check "$1 says the same" cmp found expected
}

# One by one.
rm -rf "$BUILD_DIR/without-one"
switches=$(sed -n 's/^LIBRARY(\([A-Z0-9]*\),.*/\1/p' "$SOURCE_DIR/src/os/libraries.def")
all="$switches ARCHIVES PAGES MPI BLAS LIBDW"
for one in $all; do
    options=()
    for switch in $all; do
        options+=("-DSIMRUN_$switch=$([ "$switch" = "$one" ] && echo OFF || echo ON)")
    done
    check "SIMRUN_$one=OFF is configured" configured "${options[@]}"
    check "SIMRUN_$one=OFF is built" cmake --build "$BUILD_DIR/without-one" --target simrun >out 2>err
    SIMRUN=$BUILD_DIR/without-one/simrun same_as_whole gj256
    check "docs/howto/troubleshooting.md has" grep -q "^| \`SIMRUN_$one\` " "$SOURCE_DIR/docs/howto/troubleshooting.md"
done
configured -DSIMRUN_ZLIB=OFF
check 'what is no switch is refused' grep -q 'no such switch: SIMRUN_ZLIB' err
# Libraries that are not installed: their packages are named, and the switches.
rm -rf "$BUILD_DIR/without-one"
PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH='' configured
while IFS= read -r row; do
    name=$(cut -d '"' -f 2 <<<"$row") package=$(cut -d '"' -f 4 <<<"$row")
    check 'CMake names' grep -qF "$name is missing: apt-get install $package" err
done < <(grep -E '^(NEEDED|LIBRARY)\(' "$SOURCE_DIR/src/os/libraries.def")
check 'and the switch' grep -q ', or configure with -DSIMRUN_OTF2=OFF (no OTF2 traces' err
rm -rf "$BUILD_DIR/without-one"

# All at once.

check 'it is configured' cmake -S "$SOURCE_DIR" -B "$build" --fresh -G Ninja -DCMAKE_BUILD_TYPE=Release -DLTO=OFF \
    -DWARNINGS_AS_ERRORS=ON -DBUILD_TESTING=ON -DSIMRUN_OTF2=OFF -DSIMRUN_SQLITE=OFF -DSIMRUN_SIMGRID=OFF >out 2>err
for name in OTF2 SQLite SimGrid; do
    check 'what is lost' test "$(grep -c -- "^-- SIMRUN_${name^^}=OFF: without $name " out)" -eq 1
done
check 'what is left out is not searched for' test "$(grep -ciE "module '(otf2|sqlite3|simgrid)'" out)" -eq 0
check 'it is built' cmake --build "$build" >out 2>err

SIMRUN=$build/simrun
ldd "$SIMRUN" >out
check 'it is not linked to what is left out' test "$(grep -cE 'otf2|sqlite|simgrid' out)" -eq 0
check 'nothing to load later' test "$(grep -c 'libsimgrid\.so' "$SIMRUN")" -eq 0
for file in gj256 ncp2-gauss; do same_as_whole $file; done
run -t gj.paje -s ranks=4 gj256

# refused LIBRARY ARGUMENT...: one line, which says what is missing, and the switch.
refused() {
    local name=$1 package says
    shift
    package=$(sed -n "s/^LIBRARY([^\"]*\"$name\", \"\([^\"]*\).*/\1/p" "$SOURCE_DIR/src/os/libraries.def")
    says="needs $name, and this simrun was built without it; install $package and build with -DSIMRUN_${name^^}=ON"
    expect 2 "^simrun: [^ ]+( [^ ]+)?: $says$" "$@"
    check 'one line' test "$(wc -l <err)" -eq 1
}
scenario replay.xml t800-mesh "name='trace' file='x.otf2'"
cat >grid.xml <<'END'
<platform version='4.1'><zone id='w' routing='Full'>
<cluster id='c' prefix='n' suffix='' radical='0-3' speed='1Gf' bw='1GBps' lat='1us' topology='TORUS'
 topo_parameters='2,2'/></zone></platform>
END
scenario torus.xml "$work/grid.xml" "name='ring'" ranks=4
refused OTF2 x.otf2
refused OTF2 -t x.otf2 -s ranks=4 gj256
refused OTF2 replay.xml
refused SQLite --store x.db gj256
refused SQLite store ls x.db
refused SQLite store diff x.db 1 2
refused SQLite store
refused SimGrid torus.xml
refused SimGrid gj-scaling
check 'nothing is written' test ! -e x.otf2 -a ! -e x.db

# Libraries, options and formats that are left.
run --version
for name in OTF2 SQLite SimGrid; do said yes "without $name .-DSIMRUN_${name^^}=OFF. "; done
run --help
said no '(simrun|-)[- ]store|store (ls|diff|merge)'
run list formats
said no 'otf2'
said yes '\.paje .*\.prv .*\.ti .*\.ti '
expect 2 'known: \.paje \.prv \.json \.ti \.goal \.bin$' -t x.what -s ranks=4 gj256
expect 2 '^simrun: x.def: cannot read: ' x.def
SIMRUN=$whole
run --version
said no 'without'

ctest --test-dir "$build" -j "$(nproc)" -R '^(unit|script)\.' >out 2>&1
status=$?
grep -c '\*\*\*Skipped' out | sed 's/$/ tests were skipped/'
grep -E 'Failed|Not Run' out
note $status 'its own tests'
finish
