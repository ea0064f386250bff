#!/usr/bin/env bash
# The --help of all commands fits a screen. With the manual page it says the same: the commands, how to call them,
# the options, the kinds of lists, and where the documents are. So do the other programs and their pages; and the pages
# of the library have what its headers have (manual.py).
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
page=$SOURCE_DIR/docs/man/simrun.1

mkdir "$work/pages"
for file in "$SOURCE_DIR"/docs/man/*; do
    name=${file##*/}
    groff -man -Tascii -P-cbou -rLL=200n -ww "$file" >"$work/pages/$name" 2>"$work/err"
    note $? "groff reads $name"
    check "$name has no faults" test ! -s "$work/err"
    case $name in
    *.1) sections='NAME SYNOPSIS DESCRIPTION OPTIONS EXIT.STATUS FILES EXAMPLES SEE.ALSO' ;;
    *) sections='NAME LIBRARY SYNOPSIS DESCRIPTION ENVIRONMENT|ERRORS RETURN.VALUE FILES EXAMPLES SEE.ALSO' ;;
    esac
    same "sections of $name" "$(grep -cxE "${sections// /|}" "$work/pages/$name")" "$(wc -w <<<"$sections")"
    check "$name is installed" grep -qF "install_manual($name " "$SOURCE_DIR/cmake/install.cmake"
done
cp "$work/pages/simrun.1" "$work/page"

# fits LINES ARGUMENT...: the help of a command, which is kept.
fits() {
    local lines=$1
    shift
    run "$@" --help
    cat "$work/out" >>"$work/help"
    awk -v most="$lines" 'length > 80 { wide = 1 } END { exit wide || NR > most || NR < 6 }' "$work/out"
    note $? "simrun $* --help has more than $lines lines, or is wider than 80 columns"
}
fits 55
run -h
check '-h is --help' cmp "$work/out" "$work/help"
sed -n '/^Commands/,/^$/s/^  \([a-z]\+\( [a-z]\+\)\?\) .*/\1/p' "$work/help" >"$work/commands"
check 'there are commands' test "$(wc -l <"$work/commands")" -ge 8
while IFS= read -r name; do
    # shellcheck disable=SC2086
    fits 24 $name
    check "the manual page has simrun $name" grep -qE "^ {7}$name " "$work/page"
done <"$work/commands"
fits 24 store
same 'one option in the help of store' "$(grep -c -- '--format' "$work/out")" 1
for name in ls diff; do check "the usage of store $name" grep -q "simrun store $name " "$work/out"; done

# options FILE: those that have an entry, short and long.
options() {
    grep -oE -- '^ {2,7}(-[a-zV], )*-{1,2}[a-zV?][a-z-]*' "$1" | tr -d ' ' | tr ',' '\n' | sort -u | tr '\n' ' '
}
sed -n '/^OPTIONS/,/^EXIT/p' "$work/page" >"$work/entries"
same 'options of --help and of the manual page' "$(options "$work/help")" "$(options "$work/entries")"

# The ways to call.
ways() {
    grep -oE 'simrun .*\S' | grep -v 'COMMAND' | sort -u
}
same 'ways to call' "$(sed -n '/^Usage/,/^[A-Z]/p; /^ *simrun/p' "$work/help" | ways)" \
    "$(sed -n '/^SYNOPSIS/,/^DESCR/p' "$work/page" | ways)"

# All kinds of lists are in both.
"$SIMRUN" list nothing 2>&1 | sed 's/.*kinds //' | tr ' ' '\n' >"$work/kinds"
check 'there are kinds' grep -qx topologies "$work/kinds"
run list --help
cp "$work/out" "$work/list"
sed -n '/^ *list /,/^ *check/p' "$work/page" >"$work/entry"
while IFS= read -r kind; do
    check "the kind $kind" grep -qE "(^| )$kind[,.;: ]*" "$work/list"
    check "the kind $kind" grep -qE "(^| )$kind[,.;: ]*" "$work/entry"
done <"$work/kinds"

# Its examples work wherever simrun is: by names, one command in a line.
sed -n '/^EXAMPLES/,/^SEE ALSO/p' "$work/page" >"$work/examples"
check 'there are examples' grep -q 'simrun gj256' "$work/examples"
check 'examples without folders of the sources' test "$(grep -cE '(scenarios|platforms)/' "$work/examples")" -eq 0
check 'one example in a line' test "$(grep -cE 'simrun .* simrun ' "$work/examples")" -eq 0
check 'where documents are installed' grep -q '^\.I PREFIX/@DOCDIR@/docs$' "$page"

# Each document is in the manual page, or its folder, and each that is there exists.
sed -n '/^The documents:/,/^In a checkout/s/^\.I //p' "$page" | tr -d '\\' >"$work/named"
while IFS= read -r name; do
    [ -e "$SOURCE_DIR/docs/$name" ]
    note $? "the manual page names docs/$name"
done <"$work/named"
while IFS= read -r file; do
    grep -qxF -e "$file" -e "${file%/*}" "$work/named"
    note $? "the manual page does not name docs/$file"
done < <(cd "$SOURCE_DIR/docs" && find . -name '*.md' | sed 's|^\./||')

# The other programs, and versions.
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$BUILD_DIR/CMakeCache.txt")
for program in simrun simrun-mpi simrun-calibrate eppa-recover; do
    [ -x "$BUILD_DIR/$program" ] || continue
    SIMRUN=$BUILD_DIR/$program run --version
    same "$program --version" "$(head -n 1 "$work/out")" "$program $version"
    cp "$work/out" "$work/version"
    SIMRUN=$BUILD_DIR/$program run -V
    check "-V is --version of $program" cmp "$work/out" "$work/version"
    [ $program != simrun ] || continue
    SIMRUN=$BUILD_DIR/$program fits 45
    sed -n '/^OPTIONS/,/^EXIT/p' "$work/pages/$program.1" >"$work/entries"
    same "options of $program" "$(options "$work/out")" "$(options "$work/entries")"
    SIMRUN=$BUILD_DIR/$program expect 2 '' --nonsense
done
run --version
while IFS= read -r row; do
    name=$(cut -d '"' -f 2 <<<"$row") package=$(cut -d '"' -f 4 <<<"$row")
    check "--version has" grep -qE "^(with $name [0-9.]+|without $name \(-DSIMRUN_[A-Z0-9]+=OFF\))$" "$work/out"
    check 'tools/install-packages has' grep -qE "^build +$package " "$SOURCE_DIR/tools/install-packages"
done < <(sed -n '/^NEEDED\|^LIBRARY/p' "$SOURCE_DIR/src/os/libraries.def")
rows=$(grep -cE '^(NEEDED|LIBRARY)\(' "$SOURCE_DIR/src/os/libraries.def")
same 'lines of --version' "$(wc -l <"$work/out")" $((rows + 2))

mpicc=$BUILD_DIR/tests/openmpi/mpicc
[ -x "$mpicc" ] || mpicc=
python3 "$SOURCE_DIR/tests/cli/manual.py" "$SOURCE_DIR" "$work/pages" $mpicc >"$work/out" 2>"$work/err"
note $? 'the pages of the library and its headers'
finish
