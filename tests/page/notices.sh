#!/usr/bin/env bash
# A page has the licenses and notices of all that is part of it: see notices.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the page (npm)" test -e "$BUILD_DIR/page/page.html"
check 'a page' "$SIMRUN" -q -f html -o "$work/page.html" --set ranks=2 "$SOURCE_DIR/scenarios/gj128.xml"
check 'its notices' node --no-warnings "$SOURCE_DIR/tests/page/notices.mjs" "$BUILD_DIR/page" "$work/page.html" src/main.js
finish
