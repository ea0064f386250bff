#!/usr/bin/env bash
# run-scenario.sh FILE [OPTION...]: simulate a scenario twice, the second time with its runs side by side. Both must
# succeed and say the same, apart from what they say about the host.
set -euo pipefail
scenario=$1
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

simulate() {
    local name=$1
    shift
    "$SIMRUN" --format json -o "$work/$name.json" "$@" "$scenario"
    jq 'if (.runs | length) == 0 then error("no runs") else del(.runs[].host) end' \
        "$work/$name.json" >"$work/$name.stripped"
}

simulate first "$@"
simulate second --jobs 2 "$@"
diff "$work/first.stripped" "$work/second.stripped"
