#!/usr/bin/env bash
# A build with all switches off (src/os/libraries.def), made in a folder of its own: it simulates the same, says what it
# is without, and refuses that. Then its own tests. Target check-without runs this.
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
whole=$SIMRUN build=$BUILD_DIR/without

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
check 'nothing to load later' test "$(grep -c 'libsimgrid' "$SIMRUN")" -eq 0
for file in gj256 ncp2-gauss; do
    "$whole" -f json "$file" | jq 'del(.. | .host?)' >expected
    run -f json "$file"
    jq 'del(.. | .host?)' out >found
    check "$file says the same" cmp found expected
done
run -t gj.paje -s ranks=4 gj256

# refused LIBRARY ARGUMENT...: one line, which says what is missing, and the switch.
refused() {
    local name=$1 says
    shift
    says="needs $name, and this simrun was built without it; cmake -DSIMRUN_${name^^}=ON adds it"
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

# What there is.
run --version
said yes '^simrun [0-9.]+ without OTF2, SQLite, SimGrid sources '
run --help
said no 'store'
run list formats
said no 'otf2'
said yes '\.paje .*\.prv .*\.ti .*\.ti '
expect 2 'known: \.paje \.prv \.json \.ti$' -t x.what -s ranks=4 gj256
expect 2 'known extensions of traces: \.ti$' x.def
SIMRUN=$whole
run --version
said no 'without'

ctest --test-dir "$build" -j "$(nproc)" -R '^(unit|script)\.' >out 2>&1
status=$?
grep -c '\*\*\*Skipped' out | sed 's/$/ tests were skipped/'
grep -E 'Failed|Not Run' out
note $status 'its own tests'
finish
