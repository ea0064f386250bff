#!/usr/bin/env bash
# Colors and words of the page, without a browser: see colours.mjs and terms.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/needs.sh"
need "node, which counts as the page does" command -v node
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
check 'colours are told apart' node --no-warnings "$SOURCE_DIR/tests/page/colours.mjs"
check 'terms are in the glossary' node --no-warnings "$SOURCE_DIR/tests/page/terms.mjs"
finish
