#!/usr/bin/env bash
# RELEASE.md sets the version everywhere: its own commands change all files that name the version, but for the schema, which the
# program writes (script.schema), and what is written by hand.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$SOURCE_DIR" || exit
version=$(sed -n 's/^project(simrun VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
new=$(grep -oE 'simrun VERSION [0-9.]+/' RELEASE.md | grep -oE '[0-9][0-9.]*')
check 'there is a version, and a new one' test -n "$version" -a -n "$new"

# Files that name the version.
{
    grep -lF -- "$version" CMakeLists.txt CITATION.cff packaging/debian/changelog docs/ref/simrun.schema.json
    echo src/core/simrun.h
} >"$work/naming"
while IFS= read -r file; do
    check "RELEASE.md names" grep -qF -- "$file" RELEASE.md
done <"$work/naming"
check 'RELEASE.md has the schema written' grep -qF 'tests/cli/schema.sh --write' RELEASE.md

# The commands, on copies.
mkdir -p "$work/copy/src/core"
cp CMakeLists.txt CITATION.cff "$work/copy" && cp src/core/simrun.h "$work/copy/src/core" || exit
sed -n 's/^ *\(sed -i .*\)/\1/p' RELEASE.md >"$work/commands"
same 'commands of RELEASE.md' "$(wc -l <"$work/commands")" 4
(cd "$work/copy" && bash -e "$work/commands") >"$work/out" 2>"$work/err"
note $? 'the commands of RELEASE.md'
cd "$work/copy" || exit
check 'CMakeLists.txt' grep -qF "project(simrun VERSION $new " CMakeLists.txt
check 'CITATION.cff' grep -qx "version: $new" CITATION.cff
same 'simrun.h' "$(sed -n 's/^#define SIMRUN_API_VERSION_M[A-Z]*OR //p' src/core/simrun.h | paste -sd .)" "${new%.*}"
finish
