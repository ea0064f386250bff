#!/usr/bin/env bash
# The laboratory, a page with a timeline, and a page that simulates in Firefox: see firefox.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the laboratory (npm, clang)" test -e "$BUILD_DIR/lab/lab.html"
need "Firefox (firefox-esr)" test -x "${FIREFOX:-/usr/bin/firefox-esr}"
cd "$work" || exit
check 'a laboratory' "$SIMRUN" lab -o lab.html
check 'a page' "$SIMRUN" -q -f html -o page.html --set ranks=1,4,8 gj256
check 'a page that simulates' "$SIMRUN" -q -f html --live -o live.html --set ranks=1,2,4,8 gj256
for name in page live; do
    printf '<!doctype html><iframe sandbox="allow-scripts" src="%s.html" width="1300" height="900"></iframe>\n' $name >frame-$name.html
done
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/lab/firefox.mjs" "$BUILD_DIR/page" "$work" "$SIMRUN"
finish
