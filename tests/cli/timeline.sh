#!/usr/bin/env bash
# The page's decoder of timelines reads what the tests' own does: an exact form, and overviews.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/needs.sh"
need "node, which reads timelines as the page does" command -v node
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

decode() { # FILE: as the page does
    node --no-warnings "$SOURCE_DIR/tests/timeline/print.mjs" "$SOURCE_DIR/page/src/timeline_data.js" "$1"
}

for most_bytes in 1000000 20000 2000; do
    "$BUILD_DIR/tests/unit" timeline "$work/encoding" $most_bytes >"$work/expected"
    note $? "writing $most_bytes bytes"
    decode "$work/encoding" >"$work/out" 2>"$work/err"
    note $? "reading $most_bytes bytes"
    check "the same of $most_bytes bytes" cmp "$work/expected" "$work/out"
    case $most_bytes in 1000000) kind=message ;; *) kind=scope ;; esac
    check "it has some" grep -q "^$kind " "$work/out"
done

# A file that is cut off, or is something else, is refused.
head -c -1 "$work/encoding" >"$work/cut"
for bad in cut expected; do
    decode "$work/$bad" >"$work/out" 2>"$work/err"
    [ $? -ne 0 ] && grep -q 'Error: .*timeline' "$work/err"
    note $? "$bad is read"
done

finish
