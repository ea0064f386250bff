#!/usr/bin/env bash
# Call paths, as the page lays them out: see call_paths.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/needs.sh"
need "node, which lays them out as the page does" command -v node
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
check 'call paths as an icicle' node --no-warnings "$SOURCE_DIR/tests/page/call_paths.mjs"
finish
