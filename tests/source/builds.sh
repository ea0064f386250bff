#!/usr/bin/env bash
# Builds do not depend on their folder: no program has the folder of the sources or of the build in it, and stores know
# a program by its sources alone, whichever folder or compiler it is from. tools/check-reproducible builds twice, and
# compares all.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit

# Paths in what is built; and what debugging information calls the folder of the build, which a cache of compilations may have of
# another one.
count=0
for file in "$BUILD_DIR"/{simrun,simrun-mpi,simrun-calibrate,eppa-recover,libeppa.so,libeppa-mpich.so,libsimrun.a,page/page.html,lab/lab.html}; do
    [ -e "$file" ] || continue
    count=$((count + 1))
    for folder in "$BUILD_DIR" "$(realpath "$SOURCE_DIR")"; do
        ! grep -qaF "$folder/" "$file"
        note $? "${file##*/} has no name of a file in $folder"
    done
done
check "there are programs" test $count -gt 0
for program in simrun eppa-recover; do
    [ -e "$BUILD_DIR/$program" ] || continue
    readelf --debug-dump=info --dwarf-depth=1 "$BUILD_DIR/$program" >out 2>err
    check "$program has debugging information" grep -qE 'DW_AT_comp_dir .*: (/usr/src/simrun/)?build$' out
    ! grep 'DW_AT_comp_dir .*: /' out | grep -v ': /usr/src/' >found
    note $? "which names no folder that there is: $(head -n 1 found)"
done

# program FOLDER COMPILER: what stores know a program of these sources by.
program() {
    cmake -DSOURCES="$1" -DOUTPUT=identity.c -DVERSION=1.2.3 -DCOMPILER="$2" -P "$SOURCE_DIR/cmake/identity.cmake" &&
        sed -n 's/^const char identity_program.* = "\(.*\)";$/\1/p' identity.c
}
mkdir -p 'another folder' && cp -r "$SOURCE_DIR/src" 'another folder' && cd 'another folder' || exit
own=$(program "$SOURCE_DIR/src" gcc)
same "version and hash" "$(sed -E 's/[0-9a-f]{64}$/HASH/' <<<"$own")" "1.2.3 sources HASH"
same "as this program" "${own#* }" "$("$SIMRUN" --version | sed -n 's/^\(sources [0-9a-f]*\),.*/\1/p')"
same "another folder, another compiler" "$(program "$PWD/src" clang)" "$own"
same "what sha256sum says" "$(cd src && find . -type f -name '*.[ch]' -o -type f -name '*.def' | cut -c 3- |
    grep -vE '^(calibrate|document|eppa|model|mpi|report|simrun|store|stubs|study|timeline)/' | LC_ALL=C sort | xargs sha256sum | sha256sum |
    cut -d ' ' -f 1)" "${own##* }"
echo >>src/report/csv.c
same "a report" "$(program "$PWD/src" gcc)" "$own"
echo >>src/sim/network/fluid.c
changed=$(program "$PWD/src" gcc)
check "a network is another program" test -n "$changed" -a "$changed" != "$own"
cp "$SOURCE_DIR/src/sim/network/fluid.c" src/sim/network/fluid.c && mv src/apps/matmul.c src/apps/other.c
changed=$(program "$PWD/src" gcc)
check "and so is another name" test -n "$changed" -a "$changed" != "$own"
mv src/apps/other.c src/apps/matmul.c
same "the same again" "$(program "$PWD/src" gcc)" "$own"
finish
