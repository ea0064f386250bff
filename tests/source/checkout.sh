#!/usr/bin/env bash
# ./simrun of a checkout or of a release, without what it installs and builds: a release has its pages, and where nothing can be
# written that is said. Target dist makes a release from a git checkout.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
tree="$work/a tree"
mkdir -p "$tree/tools" "$tree/src" "$tree/cmake" "$work/bin"
cp "$SOURCE_DIR/simrun" "$tree"
touch "$tree/CMakeLists.txt" "$tree/CMakePresets.json"
cd "$tree" || exit
# Replacements of the programs that install and build, which print their arguments.
printf '#!/bin/sh\necho "packages: $*" >&2\n' >tools/install-packages
cat >"$work/bin/cmake" <<'END'
#!/bin/sh
mkdir -p build/release && printf '#!/bin/sh\necho "simrun $*"\n' >build/release/simrun && chmod +x build/release/simrun
END
chmod +x tools/install-packages "$work/bin/cmake"
PATH=$work/bin:$PATH

# starts EXPECTED ARGUMENT...: the packages that ./simrun asks for, before it starts the program.
starts() {
    local expected=$1
    shift
    rm -rf build
    ./simrun "$@" >"$work/out" 2>"$work/err"
    same "packages for ./simrun $*" "$(sed -n 's/^packages: //p' "$work/err")" "$expected"
    same "./simrun $*" "$(cat "$work/out")" "simrun $*"
}
starts build gj256
starts 'build lab' lab -o lab.html
starts 'build page' -f html -o page.html gj256
starts 'build trace' trace ./app
mkdir prebuilt && touch prebuilt/page.html
starts build lab -o lab.html
starts build -f html -o page.html gj256
starts 'build trace' trace ./app

rm -rf build && touch build # no folder can be there
status=0
./simrun gj256 >"$work/out" 2>"$work/err" || status=$?
check 'nothing can be written: status 2' test $status -eq 2
check 'nothing can be written: what to do' grep -q "/build cannot be written to. Build in another folder: cmake -S '.*' --preset release -B" "$work/err"
rm build
PATH=${PATH#"$work/bin:"}

# --- a release ---

mkdir -p page lab && touch page/page.html lab/lab.html lab/lab-solutions.html lab/engine.html
status=0
cmake -DSOURCE="$tree" -DBUILD="$tree" -DVERSION=1.2.3 -P "$SOURCE_DIR/cmake/dist.cmake" >"$work/out" 2>"$work/err" || status=$?
check 'no release without git: status 1' test $status -eq 1
check 'no release without git: why' grep -q 'a release is made from a git checkout' <(tr -s '\n ' ' ' <"$work/err")
finish
