#!/usr/bin/env bash
# The library in another build, such as WebAssembly, says what it says natively: every measure, every state of every rank, and a
# checksum of all events. usage: same_as_native.sh PROGRAM NATIVE_BUILD
set -u
SOURCE_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
SIMRUN=$2/simrun
. "$SOURCE_DIR/tests/core/runs.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! [ -x "$SIMRUN" ] || ! [ -x "$2/tests/core/measures" ]; then
    echo "there is nothing to compare with: build the preset release first ($2)"
    exit 1
fi
case $1 in
*.wasm) run=(node --no-warnings "$SOURCE_DIR/tests/core/wasi.mjs" "$1") ;;
*) run=("$1") ;;
esac
{ gj256 && others; } >"$work/runs"
"$2/tests/core/measures" <"$work/runs" >"$work/native" && "${run[@]}" <"$work/runs" >"$work/other" || exit 1
if ! cmp "$work/native" "$work/other"; then
    diff "$work/native" "$work/other" | head -20
    exit 1
fi
echo "$(jq -s length "$work/native") runs are the same, $(jq -s 'map(.events | split(" ")[0] | tonumber) | add' "$work/native") events"
