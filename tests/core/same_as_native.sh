#!/usr/bin/env bash
# The library as WebAssembly says what it says natively: every measure, every state of every rank, and a checksum of all intervals.
# usage: same_as_native.sh NATIVE_MEASURES
# SPDX-License-Identifier: BSD-3-Clause
set -u
. "$SOURCE_DIR/tests/core/runs.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{ gj256 && others; } >"$work/runs"
"$1" <"$work/runs" >"$work/native" || exit 1
node --no-warnings "$SOURCE_DIR/tests/core/wasi.mjs" "$BUILD_DIR/lab/wasm/tests/core/measures.wasm" <"$work/runs" >"$work/other" || exit 1
if ! cmp "$work/native" "$work/other"; then
    diff "$work/native" "$work/other" | head -20
    exit 1
fi
echo "$(jq -s length "$work/native") runs are the same, $(jq -s 'map(.intervals | split(" ")[0] | tonumber) | add' "$work/native") intervals"

# So does the whole command, of what grows with the ranks, too.
"$SIMRUN" model time_s -q "$SOURCE_DIR/scenarios/gj256.xml" >"$work/native" || exit 1
node --no-warnings "$SOURCE_DIR/tests/core/wasi.mjs" "$BUILD_DIR/lab/wasm/simrun.wasm" model time_s -q "$SOURCE_DIR/scenarios/gj256.xml" >"$work/other" || exit 1
diff "$work/native" "$work/other" && grep -q '^  time_s = ' "$work/native"
