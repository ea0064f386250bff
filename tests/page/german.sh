#!/usr/bin/env bash
# Pages in German; see german.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the page (npm)" test -e "$BUILD_DIR/page/page.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
cd "$work" || exit 1
for name in gj256 what-limits-gj; do
    check "a page of $name" "$SIMRUN" -q -f html -o "$name.html" "$name"
done
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/page/german.mjs" "$BUILD_DIR/page" "$work/gj256.html" \
    "$work/what-limits-gj.html"
finish
