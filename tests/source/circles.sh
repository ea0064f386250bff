#!/usr/bin/env bash
# No circle between layers, by what their libraries define and need: "A B" where A needs a symbol of B must have an order.
# Says how much was looked at.
set -u
cd "$BUILD_DIR/src" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for library in lib*.a; do
    layer=${library#lib}
    layer=${layer%.a}
    if ! nm --extern-only --no-sort --format=posix "$library" >"$work/nm" 2>"$work/errors"; then
        cat "$work/errors"
        exit 1
    fi
    awk -v layer="$layer" 'NF >= 2 && $2 ~ /^[TDBRCV]$/ { print layer, $1, "has" } NF >= 2 && $2 == "U" { print layer, $1, "needs" }' \
        "$work/nm" >>"$work/symbols"
done

awk '$3 == "has" { owner[$2] = $1 } $3 == "needs" { n++; layer[n] = $1; symbol[n] = $2 }
    END { for (i = 1; i <= n; i++) { to = owner[symbol[i]]; if (to != "" && to != layer[i]) print layer[i], to, symbol[i] } }' \
    "$work/symbols" | sort -u >"$work/uses"
cut -d ' ' -f 1,2 "$work/uses" | sort -u >"$work/edges"
layers=$(cut -d ' ' -f 1 "$work/symbols" | sort -u | wc -l)
edges=$(wc -l <"$work/edges")
if [ "$layers" -lt 20 ] || [ "$edges" -lt 40 ]; then
    echo "only $layers layers and $edges uses of one by another were found: something is not looked at"
    exit 1
fi

if ! tsort "$work/edges" >"$work/order" 2>"$work/loop"; then
    echo "layers that need each other:"
    sed -n 's/^tsort: //p' "$work/loop"
    while read -r from to symbol; do
        grep -q "^$to $from " "$work/uses" && echo "  $from needs $symbol of $to"
    done <"$work/uses"
    exit 1
fi
echo "no circle: $layers layers, $edges uses of one by another, $(wc -l <"$work/uses") symbols; from the top:"
tr '\n' ' ' <"$work/order"
echo
