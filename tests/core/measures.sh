#!/usr/bin/env bash
# The library and the command line say the same of gj256, every measure, and the library says it twice alike.
# usage: measures.sh PROGRAM
# SPDX-License-Identifier: BSD-3-Clause
set -u
. "$SOURCE_DIR/tests/core/runs.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

if ! gj256 | "$1" >"$work/library" || ! "$SIMRUN" --quiet --format json "$SOURCE_DIR/scenarios/gj256.xml" >"$work/command"; then
    exit 1
fi
# Every number of the library, and what the command line says of it.
compared=$(jq -s --slurpfile command "$work/command" '
    def flat: . as $all | [paths(numbers) as $path | {key: $path | map(tostring) | join("."), value: getpath($path)}];
    [., $command[0].runs] | transpose |
    map((.[1] | flat | from_entries) as $said | .[0] | flat | map(select(.key | startswith("rank ") | not) | . + {said: $said[.key]})) |
    add | {n: length, different: map(select(.value != .said))}' "$work/library")
echo "$compared" | jq -c '{n, different: (.different | length)}'
if [ "$(jq '.n > 300 and (.different | length) == 0' <<<"$compared")" != true ]; then
    jq -c '.different[:5][]' <<<"$compared"
    status=1
fi

others >"$work/others"
"$1" <"$work/others" >"$work/once" && "$1" <"$work/others" >"$work/again" && cmp "$work/once" "$work/again" || status=1
if [ "$(jq -s length "$work/once")" -ne "$(grep -cE '^(run|what-if|forecast) ' "$work/others")" ]; then
    echo "not every run has a result"
    status=1
fi
exit $status
