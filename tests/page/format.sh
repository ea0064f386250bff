#!/usr/bin/env bash
# The scripts of the page and of its tests are formatted by one tool, and no line of them is longer than 120 characters.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the packages of the page (npm)" test -e "$BUILD_DIR/page/node_modules/prettier"
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$SOURCE_DIR" || exit
scripts=(page/*.mjs page/src/*.js page/src/*/*.js page/lab/*.js tests/{page,lab,timeline}/*.mjs bench/page/*.mjs)
check 'format: prettier --config page/.prettierrc.json --write FILE' \
    node "$BUILD_DIR/page/node_modules/prettier/bin/prettier.cjs" --config page/.prettierrc.json --check "${scripts[@]}"
has_narrow_lines() {
    ! LC_ALL=C.UTF-8 grep -HnE '.{121}' "${scripts[@]}" page/src/*.css page/lab/*.css
}
check 'lines of 120 characters' has_narrow_lines
finish
