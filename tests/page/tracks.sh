#!/usr/bin/env bash
# The page's timeline in windows of time, against plain sums over all intervals and messages: see tracks.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/needs.sh"
need "node, which counts as the page does" command -v node
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
check 'shares and counts' node --no-warnings "$SOURCE_DIR/tests/page/tracks.mjs"
finish
