#!/usr/bin/env bash
# The sentences, notes and titles of all scenarios' answers, of the experiments of the labs, and of other commands have
# German; so have the words in the sources that they are made of: see said.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the page (npm)" test -e "$BUILD_DIR/page/page.html"
cd "$work" || exit
mkdir pages

answer() { # answer NAME ARGUMENT...
    local name=$1
    shift
    check "the page of $name" "$SIMRUN" "$@" -f html -o "pages/$name.html"
}

for file in "$SOURCE_DIR"/scenarios/*.xml; do
    name=$(basename "$file" .xml)
    smaller=()
    case $name in
    dragonfly-routing) smaller=(--set load=0.1 --set routing=minimal,valiant) ;;
    gj-topologies) smaller=(--set n=32 --set ranks=32) ;;
    gj-scaling) smaller=(--set n=512 --set ranks=32,128) ;;
    hpl-icluster) smaller=(--set n=500) ;;
    ncp2-16) smaller=(--set program=em3d,sor) ;;
    ncp2-ocean) smaller=(--set size=34) ;;
    ncp2-radix | ncp2-tsp) smaller=(--set variant=treadmarks,I+P+D) ;;
    treadmarks-*) smaller=(--set ranks=1,2) ;;
    what-limits-gj) smaller=(--set n=64) ;;
    esac
    answer "$name" -q "${smaller[@]}" "$file"
done

# Stored runs, models, comparisons, traces.
gj=$SOURCE_DIR/scenarios/gj128.xml
check 'runs to be stored' "$SIMRUN" -q --store runs.db -o out "$gj"
answer listing store ls runs.db
answer difference store diff runs.db 3 7
answer models model time_s,overhead_ratio,messages "$gj"
answer growth model --predict 256 "$gj"
for way in flat binomial; do
    check "a trace with $way" "$SIMRUN" -q -s ranks=4 -s broadcast=$way -t $way.otf2 -o out "$gj"
done
answer comparison compare flat.otf2 binomial.otf2
answer traced -q flat.otf2
answer replayed -q -p icluster --what-if flat.otf2
for archive in "teams_otf2 teams" "streams_otf2 busy"; do
    mkdir "${archive#* }"
    # shellcheck disable=SC2086 # a test and its archive
    "$BUILD_DIR/tests/unit" $archive "$work/${archive#* }" >out || note 1 "$archive"
    answer "${archive#* }" -q "${archive#* }/trace.otf2"
done

# The experiments of the labs, as these begin.
node "$SOURCE_DIR/tests/page/said.mjs" experiments >experiments || note 1 experiments
number=0
while read -r _ arguments; do
    number=$((number + 1))
    # shellcheck disable=SC2086 # arguments are words
    answer "experiment$number" -q $arguments
done <experiments
check 'experiments' test $number -gt 20
check 'German' node "$SOURCE_DIR/tests/page/said.mjs" check pages/*.html
finish
