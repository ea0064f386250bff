#!/usr/bin/env bash
# Scopes that lie in each other, as the page puts them into a tree: see scopes.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/needs.sh"
need "node, which orders them as the page does" command -v node
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
check 'scopes as a tree' node --no-warnings "$SOURCE_DIR/tests/page/scopes.mjs"
finish
