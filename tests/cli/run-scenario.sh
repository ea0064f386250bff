#!/usr/bin/env bash
# run-scenario.sh [--write] FILE [OPTION...]: simulate a scenario twice, the first time with its runs side by side. Both must
# succeed and say the same, apart from what they say about the host, and the figures must be those of
# tests/figures/NAME.txt. --write: once, and the figures become that file.
set -euo pipefail
. "$SOURCE_DIR/tests/cli/figures.sh"
write=no
if [ "$1" = --write ]; then
    write=yes
    shift
fi
scenario=$1
shift
pinned=$SOURCE_DIR/tests/figures/$(basename "$scenario" .xml).txt

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

simulate() {
    local name=$1
    shift
    "$SIMRUN" --quiet --format json -o "$work/$name.json" "$@" "$scenario"
    sed '/^   "host": {/,/^   }/d' "$work/$name.json" >"$work/$name.stripped"
}

simulate first --jobs 2 "$@"
{
    echo "# ./simrun${*:+ $*} scenarios/$(basename "$scenario")"
    figures "$work/first.json"
} >"$work/figures"
if [ $write = yes ]; then
    cp "$work/figures" "$pinned"
    exit
fi

status=0
if ! cmp -s "$pinned" "$work/figures"; then
    status=1
    echo "the figures are not those of $pinned (cmake --build build/release --target figures writes it anew):"
    diff -bU1 "$pinned" "$work/figures" | cut -c 1-200 | head -60
fi
simulate second "$@"
diff "$work/first.stripped" "$work/second.stripped" | head -60 || status=1
exit $status
