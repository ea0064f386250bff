#!/usr/bin/env bash
# Kinds of files are told by their first bytes, wherever a file is given: files that simrun reads are read under any
# name, and for others the message names their kind, in one line that shows nothing of the contents.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit
icluster=$SOURCE_DIR/platforms/icluster.xml
printf '0 init\n0 compute 1e9\n0 send 1 0 100 6\n0 finalize\n' >r0
printf '1 init\n1 recv 0 0 100 6\n1 finalize\n' >r1
cat r0 r1 >all.ti
run -q -t two.otf2 -s ranks=2 "$SOURCE_DIR/scenarios/gj128.xml"

# refused WHAT ARGUMENT...: status 2 and one line that says it is that.
refused() {
    local what=$1 got=0
    shift
    "$SIMRUN" "$@" >out 2>"$work/err" || got=$?
    [ $got -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -qE -- ": is (a |an |the )?$what" "$work/err" && [ ! -s out ] &&
        ! grep -q 'secret' "$work/err"
    note $? "status 2, and one line with '$what': simrun $*"
}

# anywhere WHAT FILE: refused in all places where a file is given; and the trace and the platform of a scenario.
anywhere() {
    refused "$1" --baseline "$2" -p icluster all.ti
    refused "$1" model time_s "./$2"
    refused "$1" model time_s two.otf2 "./$2"
    refused "$1" forecast "./$2" 'n0 to n1 1KiB'
    scenario trace-of.xml icluster "name='trace' file='$2'"
    scenario on.xml "$work/x.xml" "name='ring'" ranks=2
    sed -i "s|$work/x.xml|$2|" on.xml
    refused "$1" trace-of.xml
    refused "$1" on.xml
}

# Other programs' files: what simrun says, the name, and the bytes for printf.
while IFS='|' read -r what name bytes <&3; do
    printf "$bytes" >"$name"
    refused "$what" "$name"
    refused "$what" check "$name"
    refused "$what" -p "./$name" all.ti
    run list "./$name"
    check "simrun list says it, too: $name" grep -qE ": is (a |an |the )?$what" "$work/out"
    [ "$name" != anchor.xml ] || anywhere "$what" "$name"
done 3<<'END'
names of a Paraver trace|x.pcf|DEFAULT_OPTIONS\n\nLEVEL   THREAD\n
rows of a Paraver trace|x.row|LEVEL CPU SIZE 2\n
Paje trace|x.trace|%%EventDef PajeDefineContainerType 0\n%% Alias string\n
profile by mpiP|app.4.1234.1.mpiP|@ mpiP\n@ Command : secret\n@ Version : 3.5.0\n
anchor of a Cube profile|anchor.xml|<?xml version="1.0" encoding="UTF-8"?>\n<cube version="4.7">\n
DUMPI trace|dumpi-2014.03.03.15.09.03-0000.bin|\377\252\335DUMPI\001\002
DUMPI trace|dumpi|\377\252\335DUMPI\001\002
list of a DUMPI trace|dumpi-2014.meta|hostname=secret\nnumprocs=64\nusername=secret\nstartime=1\nfileprefix=dumpi-2014\nversion=1\n
DUMPI trace as text|dumpi.txt|MPI_Init entering at walltime 8153.0493, cputime 0.0044 seconds in thread 0.\n
Chakra execution trace|llama.0.et|\007\n\0050.0.4\020\010\001
Chakra execution trace|chakra|\007\n\0050.0.4\020\010\001
Chakra execution trace|x.et|\020\010\001\022\003abc
Chakra execution trace|et.json|{\n  "schema": "1.0.2-chakra.0.0.4", "pid": 1, "nodes": []}\n
Trace Event file|chrome.json|{"traceEvents": [{"name": "secret", "ph": "X", "ts": 1}]}\n
Trace Event file|events.json|[{"name": "a", "ph": "B", "pid": 1, "ts": 1}]\n
measurements for Extra-P|extrap.jsonl|{"params":{"p":4},"metric":"time","value":1}\n
measurements for Extra-P|extrap.txt|PARAMETER p\nPOINTS 4 8 16\n
JSON file|x.json|{"a": {"b": 1}}\n
table .JSON.|rows.json|{"a": 1}\n
experiment of Extra-P|x.extra-p|PK\003\004
JSON file|numbers|[1, 2, 3]\n
profile by libeppa|p.json|{\n  "creator": "profile by libeppa 1.0.0",\n
profile by TAU|profile.0.0.0|12 templated_functions_MULTI_TIME\n
CLOG-2 trace|x.clog2|CLOG-02.44
SLOG-2 trace|x.slog2|SLOG 2.0.6
table .CSV.|x.csv|ranks,time_s\n2,1.5\n
PDF document|x.pdf|%%PDF-1.5\nsecret\n
program or a library|a.out|\177ELF\002\001\001
script|run.sh|#!/bin/sh\necho secret\n
text in UTF-16|wide.ti|\377\3760\0 \0i\0n\0i\0t\0\n\0
text in UTF-16|wide|0\0 \0i\0n\0i\0t\0\n\0
text with a byte order mark|marked.ti|\357\273\2770 init\n0 finalize\n
compressed by bzip2|x.bz2|BZh91AY
compressed by xz|x.xz|\3757zXZ\0\0
compressed by zstd|x.zst|(\265/\375
zip archive|x.zip|PK\003\004
HDF5 file|x.h5|\211HDF\r\n\032\n
picture|x.png|\211PNG\r\n\032\n
web page|x.html|<!DOCTYPE html>\n<html>\n
web page|page|<html lang="en">\n
pointer of Git LFS|lfs.otf2|version https://git-lfs.github.com/spec/v1\noid sha256:1\n
trace in an old format|old|p0 init\np0 compute 1e9\np0 send p1 1e6\n
trace of Intel|x.stf|\001\002\003\004
OTF trace, of version 1|x.otf|0:1\n
part of an OTF2 archive|0.evt|\003B\001\0\0\0\0\0\0\0
END

# Archives of tar, and what gzip has compressed.
tar -cf some.tar r0
gzip -c some.tar >some.tgz
gzip -c two.otf2 >two.otf2.gz
while read -r name what <&3; do
    refused "$what" "$name"
    refused "$what" -p icluster "$name"
    anywhere "$what" "$name"
done 3<<'END'
some.tar tar archive
some.tgz tar archive
two.otf2.gz compressed by gzip
END

# Inputs under any name and compressed: the same answer as for the plain file with its ending.
printf 'r0\nr1\n' >LU.A.2
printf 'r0.gz\nr1\n' >LU.B.2
printf '# by smpirun\n\nr0.gz\nr1.gz\n' >packed.trace
cp all.ti all.trace
cp all.ti wrong.goal
printf 'num_ranks 2\nrank 0 {\nl1: send 100b to 1 tag 3\n}\nrank 1 {\nl1: recv 100b from 0 tag 3\n}\n' >x.goal
cp x.goal x.schedule
printf '/* by schedgen */\n// two\n' | cat - x.goal >commented
gzip -k r0 r1 all.ti x.goal LU.A.2
run -q -t x.bin -p icluster x.goal
cp x.bin binary
gzip -c x.bin >y.bin
answer() { "$SIMRUN" -q -f json -p "${2-icluster}" "$1" | jq -c '.runs[0] | [.time_s, .messages, .bytes, .ranks]'; }
plain=$(answer all.ti)
for file in LU.A.2 LU.B.2 packed.trace all.trace wrong.goal all.ti.gz LU.A.2.gz; do same "$file" "$(answer $file)" "$plain"; done
gzip -c "$icluster" >icluster.gz
same 'a compressed platform' "$(answer all.ti ./icluster.gz)" "$plain"
plain=$(answer x.goal)
for file in x.schedule commented binary x.goal.gz y.bin; do same "$file" "$(answer $file)" "$plain"; done
scenario ring.xml "$icluster" "name='ring'" ranks=2
cp ring.xml ring.ti
iconv -f UTF-8 -t UTF-16 ring.xml >ring-16
gzip -k ring.xml
plain=$(outcome ring.xml)
for file in ring.ti ring-16 ring.xml.gz; do same "$file" "$(outcome $file)" "$plain"; done
scenario trace.xml "$icluster" "name='trace' file='LU.A.2.gz'"
same 'a scenario of a compressed list' "$(outcome trace.xml)" "$(answer all.ti)"
mkdir scorep && cp -r two two.def two.otf2 scorep && mv scorep/two.otf2 scorep/two.other
cp r0 scorep/traces.otf2
expect 2 'two.other: is the anchor of an OTF2 archive, whose name must end in .otf2' scorep/two.other
expect 2 'scorep: is a folder, not a scenario; is the trace meant, scorep/traces.otf2\?' scorep
expect 2 'cannot read: gzip data cannot be read from a pipe' <(cat ring.xml.gz)

# Compressed files are bounded: half a gigabyte of a line, twice, and the limits of platforms and scenarios.
head -c 2000000 /dev/zero | tr '\0' ' ' | cat ring.xml - | gzip >large.xml.gz
expect 2 'large.xml.gz: unpacks to more than 1024 KiB; unpack it yourself' large.xml.gz
head -c 70000000 /dev/zero | tr '\0' ' ' | cat "$icluster" - | gzip -1 >large.gz
expect 2 'large.gz: unpacks to more than 65536 KiB' -p ./large.gz all.ti
for bad in cut damaged; do
    [ $bad = cut ] && head -c 60 all.ti.gz >$bad || { head -c 40 all.ti.gz && printf 'xxxxxxxxxxxxxxxxxxxxxxxx'; } >$bad
    refused "compressed by gzip|.*cannot be unpacked" -p icluster $bad
done
finish
