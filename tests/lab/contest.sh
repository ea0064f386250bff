#!/usr/bin/env bash
# Several broadcasts of one reader race in the laboratory, and the best of them in `simrun marks`. See contest.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the laboratory (npm, clang)" test -e "$BUILD_DIR/lab/lab.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
check 'simrun lab' "$SIMRUN" lab -o "$work/lab.html"
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/lab/contest.mjs" "$BUILD_DIR/page" "$work" "$SIMRUN"
finish
