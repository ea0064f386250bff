#!/usr/bin/env bash
# An installation: in a folder with a blank, staged by DESTDIR, moved, found by CMake, read by its links, and removed.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
prefix="$work/a place"
# Runs a command; its errors lie in one line, as CMake breaks them where a path ends.
log() {
    local status=0
    "$@" >"$work/out" 2>"$work/errors" || status=$?
    tr -s '\n ' ' ' <"$work/errors" >"$work/err"
    return $status
}

# --- not all is built ---

# The install script, with programs that are not there.
sed "s|/simrun\"|/no-simrun\"|" "$BUILD_DIR/cmake_install.cmake" >"$work/without.cmake"
status=0
log cmake -DCMAKE_INSTALL_PREFIX="$work/none" -P "$work/without.cmake" || status=$?
check 'without simrun: status 1' test $status -eq 1
check 'without simrun: what to do' grep -q '/no-simrun is not there, so nothing is installed' "$work/err"
check 'without simrun: nothing is installed' test ! -e "$work/none"
sed "s|/eppa-recover\"|/eppa-unbuilt\"|g" "$BUILD_DIR/cmake_install.cmake" >"$work/without.cmake"
log cmake -DCMAKE_INSTALL_PREFIX="$work/some" -P "$work/without.cmake"
note $? 'without eppa-recover: it is installed'
if [ -e "$BUILD_DIR/eppa-recover" ]; then
    check 'without eppa-recover: a warning' grep -q 'Not built, so not installed: eppa-unbuilt' "$work/err"
    check 'without eppa-recover: no page of it' test -z "$(find "$work/some" -name 'eppa-recover.1')"
fi
check 'the page of simrun' test -n "$(find "$work/some" -name simrun.1)"
check 'SIMRUN_PAGES=OFF in the environment: no page of --format html' test ! -e "$work/some/share/simrun/page.html"

# --- without page or laboratory ---

# The install script, with a page that is not there. Nothing is installed.
sed "s|page/page\.html|page/none.html|g" "$BUILD_DIR/cmake_install.cmake" >"$work/without.cmake"
status=0
(unset SIMRUN_PAGES && log cmake -DCMAKE_INSTALL_PREFIX="$work/none" -P "$work/without.cmake") || status=$?
check 'without the page: status 1' test $status -eq 1
check 'without the page: what to do' grep -q 'page/none.html is not there, so nothing is' "$work/err"
check 'without the page: which switch' grep -q 'DSIMRUN_PAGES=OFF' "$work/err"
check 'without the page: nothing is installed' test ! -e "$work/none"

# --- staged ---

check 'cmake --install, DESTDIR' env DESTDIR="$work/stage" cmake --install "$BUILD_DIR" --prefix /opt/simrun >"$work/out" 2>"$work/err"
cp "$BUILD_DIR/install_manifest.txt" "$work/manifest"
mv "$work/stage/opt/simrun" "$prefix"
while IFS= read -r file; do
    [ -e "$prefix${file#/opt/simrun}" ] || echo "$file"
done <"$work/manifest" >"$work/out"
check 'all that is listed is there' test ! -s "$work/out"

# --- moved ---

cd "$work" || exit
SIMRUN="$prefix/bin/simrun"
run -q -s ranks=2 gj256
said yes 'Gauss-Jordan'
run -q -s ranks=2 --detail source gj256
said yes 'gauss_jordan\.c:[0-9]+ .* op_list_work'
mkdir "$work/submissions"
printf '{"simrun_work":1,"name":"A","labs":{"1-gauss-jordan":{"answers":{"1":{"given":"16","value":16}}}}}' >"$work/submissions/a.json"
run marks "$work/submissions"
said yes 'A,a.json,"1-gauss-jordan, question 1",16,yes,16,'
run list platforms
if [ ! -e "$prefix/share/simrun/page.html" ]; then
    expect 2 'this simrun was installed without its page \(SIMRUN_PAGES=OFF\)' -f html gj256
    expect 2 'this simrun was installed without its laboratory \(SIMRUN_PAGES=OFF\)' lab -o lab.html
    run --version
    said yes 'without --format html and simrun lab \(-DSIMRUN_PAGES=OFF\)'
fi
mkdir -p "$work/bare/bin" && cp "$SIMRUN" "$work/bare/bin"
SIMRUN=$work/bare/bin/simrun
for words in list 'list platforms' gj256; do
    # shellcheck disable=SC2086 # words
    expect 2 'share/simrun: has no scenarios and platforms' $words
done
run list networks
SIMRUN=$prefix/bin/simrun
for place in bash-completion/completions/simrun zsh/site-functions/_simrun fish/vendor_completions.d/simrun.fish; do
    [ ! -e "$BUILD_DIR/completion" ] || check "$place" test -s "$prefix/share/$place"
done

page=$(find "$prefix" -name simrun.1)
folder=$(sed -n 's/^\.I PREFIX\/\(.*\/docs\)$/\1/p' "$page" | tr -d '\\')
check "the documents are where the manual page says" test -e "$prefix/$folder/tutorial.md"

# Each relative link of a document leads to something that is installed.
docs=$(dirname "$(find "$prefix" -name CHANGELOG.md)")
while IFS= read -r page; do
    grep -oE '\]\([^)[:space:]]+\)' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -vE '^$|^[a-z]+:' | while IFS= read -r link; do
        [ -e "$(dirname "$page")/$link" ] || echo "${page#"$docs/"}: $link"
    done
done < <(find "$docs" -name '*.md') >"$work/out"
check 'links of documents' test ! -s "$work/out"
check 'documents' test "$(find "$docs" -name '*.md' | wc -l)" -gt 50
for file in labs/1-gauss-jordan.md examples/cluster python/gauss-jordan.ipynb python/traces.ipynb docs/tutorial.md scenarios/gj256.xml; do
    check "$file" test -e "$docs/$file"
done

# --- found by CMake ---

mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(example C)
find_package(simrun REQUIRED)
add_executable(example example.c)
target_link_libraries(example PRIVATE simrun::simrun)
END
header=$(find "$prefix" -name simrun.h -path '*include*')
sed -n '/^ \* Example/,/^ \* It is compiled/p' "$header" | sed -n 's/^ \*     //p; s/^ \*$//p' >"$work/project/example.c"
if [ "$(sed -n 's/^CMAKE_BUILD_TYPE:STRING=//p' "$BUILD_DIR/CMakeCache.txt")" = Release ]; then
    check 'find_package(simrun)' log cmake -G Ninja -S "$work/project" -B "$work/project/built" -DCMAKE_PREFIX_PATH="$prefix"
    check 'simrun::simrun' log cmake --build "$work/project/built"
    "$work/project/built/example" >"$work/printed"
    check 'the example' diff "$work/printed" "$SOURCE_DIR/tests/core/example.expected"
    version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$BUILD_DIR/CMakeCache.txt")
    sed -i "s/find_package(simrun /&$((${version%%.*} + 1)) /" "$work/project/CMakeLists.txt"
    if log cmake -G Ninja -S "$work/project" -B "$work/project/again" -DCMAKE_PREFIX_PATH="$prefix"; then
        note 1 'a later version is not this one'
    fi
fi

# --- removed ---

mkdir -p "$work/stage/opt" && mv "$prefix" "$work/stage/opt/simrun" && touch "$work/stage/opt/simrun/share/mine"
check 'uninstall' env DESTDIR="$work/stage" cmake -DMANIFEST="$work/manifest" -P "$SOURCE_DIR/cmake/uninstall.cmake" >"$work/out" 2>"$work/err"
same 'what remains' "$(find "$work/stage" ! -type d -printf '%P\n')" opt/simrun/share/mine
check 'no folder of ours remains' test -z "$(find "$work/stage/opt/simrun" -mindepth 2 -name '*simrun*')"
finish
