#!/usr/bin/env bash
# The laboratory on a phone, and what a phone has in common with a wide window; see phone.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the laboratory (npm, clang)" test -e "$BUILD_DIR/lab/lab.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
check 'simrun lab' "$SIMRUN" lab -o "$work/lab.html"
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/lab/phone.mjs" "$BUILD_DIR/page" "$work/lab.html"
finish
