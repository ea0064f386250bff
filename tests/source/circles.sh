#!/usr/bin/env bash
# No circle between folders, by what their objects define and need: "A B" where A needs a symbol of B must have an order.
# A folder in a folder counts as one of its own. Says how much was looked at.
# SPDX-License-Identifier: BSD-3-Clause
set -u
cd "$BUILD_DIR/src" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Print for each object file: itself, its source, and its library. Objects of sources that are gone are ignored.
find . -name '*.o' | sed -nE -e 's|^\./eppa/CMakeFiles/([^/]*)\.dir/(.*)\.o$|& eppa/\2 \1|p' \
    -e 's|^\./CMakeFiles/([^/]*)\.dir/(.*/.*)\.o$|& \2 \1|p' | while read -r object source library; do
    folder=${source%/*}
    case $folder in stubs*) folder=${library//_//} ;; esac # as what it replaces
    [ ! -e "$SOURCE_DIR/src/$source" ] || echo "$object: $folder"
done >"$work/folders"
if ! cut -d : -f 1 "$work/folders" | xargs nm -A --extern-only --no-sort --format=posix >"$work/nm" 2>"$work/errors"; then
    cat "$work/errors"
    exit 1
fi
awk 'NR == FNR { folder[$1] = $2; next } $2 == "main" || $2 ~ /^P?MPI_/ { next }
    $3 ~ /^[TDBRCV]$/ { print folder[$1], $2, "has" } $3 == "U" { print folder[$1], $2, "needs" }' "$work/folders" "$work/nm" |
    sort -u >"$work/symbols"

awk '$3 == "has" { owner[$2] = $1 } $3 == "needs" { n++; folder[n] = $1; symbol[n] = $2 }
    END { for (i = 1; i <= n; i++) { to = owner[symbol[i]]; if (to != "" && to != folder[i]) print folder[i], to, symbol[i] } }' \
    "$work/symbols" | sort -u >"$work/uses"
cut -d ' ' -f 1,2 "$work/uses" | sort -u >"$work/edges"
folders=$(cut -d ' ' -f 1 "$work/symbols" | sort -u | wc -l)
edges=$(wc -l <"$work/edges")
if [ "$folders" -lt 30 ] || [ "$edges" -lt 60 ]; then
    echo "only $folders folders and $edges uses of one by another were found: something is not looked at"
    exit 1
fi

if ! tsort "$work/edges" >"$work/order" 2>"$work/loop"; then
    echo "folders that need each other:"
    sed -n 's/^tsort: //p' "$work/loop"
    while read -r from to symbol; do
        grep -q "^$to $from " "$work/uses" && echo "  $from needs $symbol of $to"
    done <"$work/uses"
    exit 1
fi
echo "no circle: $folders folders, $edges uses of one by another, $(wc -l <"$work/uses") symbols; from the top:"
tr '\n' ' ' <"$work/order"
echo
