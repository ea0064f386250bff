#!/usr/bin/env bash
# spool_seed.sh NAME.eppa [BYTES] >SEED: a spool, such as that of a run that was killed, as an input of tests/fuzz_spool.c.
# BYTES limits each file. The room behind the last record is left out.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
export LC_ALL=C

byte() {
    printf "\\x$(printf %02x "$1")"
}

rest=$(mktemp)
trap 'rm -f "$rest"' EXIT
kind=0
most=${2:-65535}
for ending in defs events done; do
    for file in "$1"/*."$ending"; do
        [ -f "$file" ] || continue
        cp "$file" "$rest"
        [ $ending != events ] || sed -i '$ s/\x00*$//' "$rest"
        [ "$(stat -c %s "$rest")" -le "$most" ] || truncate -s "$most" "$rest"
        length=$(stat -c %s "$rest") name=$(basename "$file")
        byte $kind
        byte "${name%%.*}"
        byte $((length % 256))
        byte $((length / 256))
        cat "$rest"
    done
    kind=$((kind + 1))
done
