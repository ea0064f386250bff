#!/usr/bin/env bash
# Pages for everybody: see access.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the page (npm)" test -e "$BUILD_DIR/page/page.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
need axe-core test -e "$BUILD_DIR/page/node_modules/axe-core/axe.min.js"
files=()
for name in gj256 ncp2-em3d broadcast-crossover; do
    files+=("$work/$name.html")
    check "$name: page" "$SIMRUN" -q -f html -o "$work/$name.html" "$SOURCE_DIR/scenarios/$name.xml"
done
files+=("$work/models.html")
check 'models: page' "$SIMRUN" model time_s -q -f html -o "$work/models.html" "$SOURCE_DIR/scenarios/gj128.xml"
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/page/access.mjs" "$BUILD_DIR/page" "${files[@]}"
finish
