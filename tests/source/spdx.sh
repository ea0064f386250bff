#!/usr/bin/env bash
# Every source says its license in its first comment, in a line with the tag of SPDX; of everything else .reuse/dep5 does.
# spdx.sh --list: the names of the sources, which are what the tree has of these languages but for data, and scripts.
# SPDX-License-Identifier: BSD-3-Clause
set -u
cd "$SOURCE_DIR" || exit
tag=SPDX-License-Identifier
line="$tag: BSD-3-Clause"

sources() {
    local pattern='\.(awk|c|cmake|css|def|F90|f90|h|jq|js|mjs|py|rng|sh)$|(^|/)CMakeLists\.txt$'
    git ls-files | grep -v '^tests/data/' | grep -E "$pattern"
    git ls-files | grep -vE "^tests/data/|$pattern|\.(csv|json|md|png|svg|txt|xml)\$" | xargs grep -lIm1 '^#!'
}
if [ "${1-}" = --list ]; then
    sources
    exit
fi

. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "git, which lists the sources" git rev-parse --git-dir
sources >"$work/sources"
have_the_line() {
    xargs -d '\n' grep -LE "(^|[^[:alnum:]])$line( \*/| -->)?\$" <"$work/sources" >"$work/without"
    [ -s "$work/without" ] || return 0
    echo "$(wc -l <"$work/without") sources have no line '$line' at the end of their first comment:"
    head -n 20 "$work/without"
    return 1
}
check 'there are sources' test "$(wc -l <"$work/sources")" -gt 1000
check 'sources say their license' have_the_line
if command -v reuse >/dev/null; then
    is_clean() { reuse lint >"$work/lint" 2>&1 || { cat "$work/lint" && false; }; }
    check 'everything has a license' is_clean
else
    echo "NOT COMPARED: reuse lint"
fi
finish
