#!/usr/bin/env bash
# Numbers are read and written the same wherever the user is: with a comma for a decimal point (de_DE), and with a
# Turkish i (tr_TR). simrun sets no locale, so a preloaded library does; a traced program sets its own.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
mkdir "$work/locales"
for name in de_DE tr_TR; do
    check 'localedef' localedef -i $name -f UTF-8 "$work/locales/$name.UTF-8"
done
cat >"$work/set.c" <<'C'
#include <locale.h>
__attribute__((constructor)) static void set(void)
{
    setlocale(LC_ALL, "");
}
C
cc -shared -fPIC -o "$work/set.so" "$work/set.c"
note $? 'a library that sets the locale'
sanitizers=$(ldd "$SIMRUN" | awk '/^\tlib[a-z]*san\.so/ { print $3 }' | tr '\n' ':')
in_locale() {
    local name=$1
    shift
    LOCPATH=$work/locales LC_ALL=$name.UTF-8 LD_PRELOAD=$sanitizers$work/set.so "$@"
}
[ "$(in_locale de_DE "$BASH" -c 'printf %.1f 0,5')" = 0,5 ]
note $? 'the locale is set, and has a comma'

# All that reads or writes numbers, into the present folder.
use_all() {
    local s=$SOURCE_DIR/scenarios p=$SOURCE_DIR/platforms format
    for format in text json csv extrap; do
        "$@" -q -f $format -o report.$format --set ranks=2,4,8 "$s/gj128.xml"
    done
    for format in otf2 prv paje json ti; do
        "$@" -q -o trace.$format.txt --set ranks=4 --trace run.$format "$s/gj128.xml"
    done
    "$@" -q -f json -o replay.otf2.json run.otf2
    sed "s,PLATFORM,$p/icluster.xml," >replay.xml <<'XML'
<scenario name="replay"><platform file="PLATFORM"/><application name="trace" file="run.ti"/><param name="network" value="fifo,fluid"/></scenario>
XML
    "$@" -q -f json -o replay.ti.json replay.xml
    "$@" -q -f json -o fluid.json --set network=fluid --set size=512 "$s/pdgemm-8x4.xml"
    "$@" -q -o dsm.txt --set ranks=4 "$s/ncp2-gauss.xml"
    "$@" forecast "$p/icluster-loaded.xml" 'dgemm 1024 1024 64 on n1' 'n0 to n2 1MiB' --at 600.5s >forecast.txt
    "$@" -q --store study.db -o store.txt --set ranks=2,4 "$s/gj128.xml"
    "$@" store ls study.db 'time_s<5.5' >runs.txt
    "$@" platform -q -o torus.xml --set topology=torus --set ranks=16 "$s/gj128.xml"
    "$@" model time_s -q -o models.txt --over ranks --predict 512 --set ranks=2,4,8,16,32 "$s/gj128.xml"
}

# Host and time of a trace or a report differ from run to run.
plain() {
    rm -rf study.db* run.otf2 run.def run ./*.partial*
    sed -i '/^   "host": {/,/^   }/d' ./*.json
    sed -i '1s/^#Paraver ([^)]*)//' ./*.prv
}

for name in C de_DE tr_TR; do
    mkdir "$work/$name"
    cd "$work/$name" || exit
    if [ $name = C ]; then use_all "$SIMRUN"; else use_all in_locale $name "$SIMRUN"; fi >said 2>&1
    [ ! -s said ] || { echo "$name:" && head -5 said; }
    plain
    [ $name = C ] || check "in $name all is the same" diff -r "$work/C" "$work/$name"
done

# A traced program that sets its user's locale, as they do, and a parameter that is no whole number.
if [ -f "$BUILD_DIR/libeppa.so" ] && command -v mpicc >/dev/null; then
    cd "$work" || exit
    cat >program.c <<'C'
#include "eppa.h"
#include <locale.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    if (setlocale(LC_ALL, "") == NULL)
        return 1;
    MPI_Init(&argc, &argv);
    eppa_parameter_number("half", 0.5);
    printf("%.1f\n", 0.5);
    MPI_Finalize();
    return 0;
}
C
    . "$SOURCE_DIR/tests/shell/mpi.sh"
    mpicc -I"$SOURCE_DIR/src/eppa" -o program program.c
    note $? 'mpicc'
    preload=$(ldd "$BUILD_DIR/libeppa.so" | awk '/^\tlib[a-z]*san\.so/ { print $3 }' | tr '\n' ':')$BUILD_DIR/libeppa.so
    said=$(LOCPATH=$work/locales ASAN_OPTIONS=detect_leaks=0 mpirun -n 1 -x LOCPATH -x LC_ALL=de_DE.UTF-8 \
        -x LD_PRELOAD="$preload" -x EPPA_FILE=traced.otf2 ./program 2>err)
    same 'a program in Germany' "$said" 0,5
    same 'its parameter' "$("$SIMRUN" -q -f json traced.otf2 | jq -c .runs[0].parameters.HALF)" '"0.5"'
fi
finish
