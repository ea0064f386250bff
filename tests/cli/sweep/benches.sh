#!/usr/bin/env bash
# The scripts of bench/: they need nothing of the environment, and where they find nothing they fail and say why. (./check builds the
# programs there.)
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
bench=$SOURCE_DIR/bench

# finds_nothing SIMRUN ARGUMENT...: with that for simrun, or without one, and in a build in which there is nothing.
finds_nothing() {
    local program=$1 got=0
    shift
    command="SIMRUN=$program bench/$*"
    (cd "$work" && SIMRUN=$program BUILD_DIR=$work/empty timeout 60 bash "$bench/$@") >"$work/out" 2>"$work/err" || got=$?
    [ $got = 1 ] && grep -q "^$1: ..*" "$work/err"
    note $? "$command (status $got)"
}

mkdir "$work/empty"
for script in details extrapolation pages studies width; do
    for program in false true "$work/empty/simrun"; do finds_nothing "$(type -P $program || echo $program)" $script.sh; done
done
for script in eppa growth lammps; do finds_nothing "$SIMRUN" $script.sh "$work/folder"; done

# works SCRIPT ARGUMENT...: without a word of the environment about where things are, as the build's, from anywhere.
works() {
    command="bench/$*"
    (cd "$work" && env -u SOURCE_DIR SIMRUN="$SIMRUN" bash "$bench/$@") >"$work/out" 2>"$work/err"
    note $? "$command"
}
works width.sh 14
holds_rows=$(awk -F '|' 'NR > 2 && $5 + 0 > 1e6 && $8 + 0 >= 0 { n++ } END { print n + 0 }' "$work/out")
same 'bench/width.sh: rows with memory, foretold and measured' "$holds_rows" 4
works details.sh "$SOURCE_DIR/scenarios/matmul100.xml"
[ "$(grep -cE '^  [a-z0-9-]+ +[0-9.]+ ms +[-+][0-9.]+ % +[0-9.]+ ms' "$work/out")" = 1 ]
note $? 'bench/details.sh: a row'
finish
