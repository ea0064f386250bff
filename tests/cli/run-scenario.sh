#!/usr/bin/env bash
# run-scenario.sh [--write] FILE [OPTION...]: simulate a scenario, with its runs side by side. What it says must be what
# tests/figures has, which another process has said, of its runs one after the other: tables of figures, and a
# digest of each part of the report but for what it says about the host. --write: the figures become that file.
set -euo pipefail
. "$SOURCE_DIR/tests/cli/figures.sh"
write=no
if [ "$1" = --write ]; then
    write=yes
    shift
fi
scenario=$1
shift
pinned=$(figures_file "$(basename "$scenario" .xml)")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

jobs=2
[ $write = no ] || jobs=1
"$SIMRUN" --quiet --format json --jobs $jobs -o "$work/report.json" "$@" "$scenario"
{
    echo "# ./simrun${*:+ $*} scenarios/$(basename "$scenario")"
    figures "$work/report.json"
} >"$work/figures"
if [ $write = yes ]; then
    cp "$work/figures" "$pinned"
    exit
fi

if ! cmp -s "$pinned" "$work/figures"; then
    echo "the figures are not those of $pinned (cmake --build build/release --target figures writes it anew):"
    diff -bU1 "$pinned" "$work/figures" | cut -c 1-200 | head -60
    exit 1
fi
