#!/usr/bin/env bash
# Runs benchmarks one after the other, programs and scripts: bench/all.sh FILE... One that fails does not keep the others from running;
# at the end a line names those that have failed.
# SPDX-License-Identifier: BSD-3-Clause
set -uo pipefail
failed=()
for file; do
    echo "== $(basename "$file")"
    case $file in
    *.sh) bash "$file" ;;
    *) "$file" ;;
    esac || failed+=("$(basename "$file")")
done
[ ${#failed[@]} -eq 0 ] || { echo "failed: ${failed[*]}" >&2 && exit 1; }
