#!/usr/bin/env bash
# run-scenario.sh [--write] FILE [OPTION...]: simulate a scenario, with its runs side by side. What it says must be what
# tests/figures has, which another process has said, of its runs one after the other (figures.py). --write: the figures become
# that file.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
write=no
if [ "$1" = --write ]; then
    write=yes
    shift
fi
scenario=$1
shift
name=$(basename "$scenario" .xml)
pinned=$SOURCE_DIR/tests/figures/$name.txt
case $name in ncp2-*) pinned=$SOURCE_DIR/tests/figures/ncp2/$name.txt ;; esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

jobs=2
[ $write = no ] || jobs=1
"$SIMRUN" --quiet --format json --jobs $jobs -o "$work/report.json" "$@" "$scenario"
if [ $write = yes ]; then
    {
        echo "# ./simrun${*:+ $*} scenarios/$name.xml"
        python3 -IS "$SOURCE_DIR/tests/cli/figures.py" show "$work/report.json" "$scenario" "$@"
    } >"$work/figures"
    cp "$work/figures" "$pinned"
elif ! python3 -IS "$SOURCE_DIR/tests/cli/figures.py" compare "$pinned" "$work/report.json" "$scenario" "$@"; then
    echo "the figures are not those of $pinned (cmake --build build/release --target figures writes it anew)"
    exit 1
fi
