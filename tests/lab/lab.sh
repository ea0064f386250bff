#!/usr/bin/env bash
# The laboratory in a browser without a network: every lab, every control at both ends and in the middle; its numbers are
# the command's. With --times also how long the page stands still, which a busy computer makes longer. See lab.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the laboratory (npm, clang)" test -e "$BUILD_DIR/lab/lab.html"
need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
check 'simrun lab' "$SIMRUN" lab -o "$work/lab.html"
check 'its size' test "$(stat -c %s "$work/lab.html")" -lt 3000000
expect 2 'x.html: is neither a lab .* nor a scenario' lab x.html
[ ! -c /dev/full ] || expect 1 'could not be written: No space left' lab -o /dev/full
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/lab/lab.mjs" "$BUILD_DIR/page" "$work" "$SIMRUN" "$@"
check 'a student' node --no-warnings "$SOURCE_DIR/tests/lab/student.mjs" "$BUILD_DIR/page" "$work"
finish
