#!/usr/bin/env bash
# The laboratory in German; see german_lab.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the laboratory (npm, clang)" test -e "$BUILD_DIR/lab/lab.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
check 'the laboratory, with solutions' "$SIMRUN" lab --solutions -o "$work/lab.html"
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/lab/german_lab.mjs" "$BUILD_DIR/page" "$work/lab.html"
finish
