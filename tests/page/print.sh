#!/usr/bin/env bash
# Ten pages, and all labs, on paper: see print.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the page (npm)" test -e "$BUILD_DIR/page/page.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
need "pdftotext (poppler-utils)" command -v pdftotext
names=(gj256 gj128 ncp2-em3d broadcast-crossover align lumi-allreduce matmul100 pdgemm2048 treadmarks-ethernet
    replay-heat)
for name in "${names[@]}"; do
    set -- -q --store "$work/$name.db" "$SOURCE_DIR/scenarios/$name.xml"
    [ "$name" != treadmarks-ethernet ] || set -- --set ranks=1,2 "$@"
    check "$name: page" "$SIMRUN" -f html -o "$work/$name.html" "$@"
    check "$name: JSON" "$SIMRUN" -f json -o "$work/$name.json" "$@"
done
if [ -e "$BUILD_DIR/lab/lab.html" ]; then
    check 'the laboratory' "$SIMRUN" lab -o "$work/lab.html"
else
    echo 'NOT COMPARED: the laboratory has not been built'
fi
check 'on paper' node --no-warnings "$SOURCE_DIR/tests/page/print.mjs" "$BUILD_DIR/page" "$work" "${names[@]}"
finish
