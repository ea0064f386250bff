#!/usr/bin/env bash
# The timeline in a browser, and the panels that follow the window that it shows: see timeline.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the page (npm)" test -e "$BUILD_DIR/page/page.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
run=(--set ranks=16 --set n=64 "$SOURCE_DIR/scenarios/gj256.xml")
check page "$SIMRUN" -q -f html -o "$work/page.html" "${run[@]}"
check JSON "$SIMRUN" -q -f json -o "$work/page.json" "${run[@]}"
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/page/timeline.mjs" "$BUILD_DIR/page" "$work"
finish
