#!/usr/bin/env bash
# The laboratory has the licenses and notices of all that is part of it: see tests/page/notices.mjs.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the laboratory (npm, clang)" test -e "$BUILD_DIR/lab/wasm/compile_commands.json"
check 'its notices' node --no-warnings "$SOURCE_DIR/tests/page/notices.mjs" "$BUILD_DIR/page" "$BUILD_DIR/lab/lab.html" \
    --wasm "$BUILD_DIR/lab/wasm" src/main.js lab/main.js lab/worker.js
finish
