#!/usr/bin/env bash
# Scripts of the laboratory that need no browser: see lab_modules.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need node command -v node
check 'modules' node --no-warnings "$SOURCE_DIR/tests/lab/lab_modules.mjs"
check 'labs in other languages' node --no-warnings "$SOURCE_DIR/tests/lab/languages.mjs"
finish
