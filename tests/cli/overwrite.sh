#!/usr/bin/env bash
# No output replaces another one, a store, or anything that is read, whatever it is called and whoever names it.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

# Files to read: a scenario with a reference, a platform that takes costs and profiles from others, lists of traces.
mkdir "$work/all" && cd "$work/all" || exit
cp -r "$SOURCE_DIR"/platforms/{profiles,icluster.xml,icluster-loaded.xml} .
printf 'ranks,measured_s\n2,1\n' >ref.csv
named() {
    echo "<scenario name='$1'><platform file='$2'/><reference file='ref.csv'/>$3</scenario>" >"$1.xml"
}
named a icluster-loaded.xml "<application name='ring'/><param name='ranks' value='2'/>"
named two icluster.xml,icluster-loaded.xml "<application name='ring'/><param name='ranks' value='2'/>"
named list icluster-loaded.xml "<application name='trace' file='l.ti'/>"
named archive icluster-loaded.xml "<application name='trace' file='e.otf2'/>"
printf '0 init\n0 compute 1e6\n0 finalize\n' >r0.ti
sed 's/^0/1/' r0.ti >r1.ti
printf 'r0.ti\nr1.ti\n' >l.ti
run -q -o plain -t e.otf2 a.xml
run -q -s ranks=1 --store kept.db -t one.otf2 a.xml
cp kept.db st.def && cp kept.db p.pcf && cp kept.db lone.row
ln r0.ti hard && ln -s r0.ti soft && ln -s profiles sub && ln e/0.evt hard.evt
mkdir far && ln -s ../e far/e && ln -s ../new.db far/dangling

state() { find . -type f -exec md5sum '{}' + | sort && find . -type l -printf '%p %l\n' | sort; }
before=$(state)

# refuse PATTERN ARGUMENT...: bad usage, in one line, and all files are as they were.
refuse() {
    expect 2 "$@"
    [ "$(wc -l <"$work/err")" -eq 1 ] && [ "$(state)" = "$before" ]
    note $? "not one line, or files have changed: $command"
}

# Outputs among each other: parts of a trace, and of a store.
refuse '--trace st.otf2 and --store st.def would both write st.def'  --store st.def -t st.otf2 a.xml
refuse '--trace p.prv and --output p.pcf would both write p.pcf'     -o p.pcf -t p.prv a.xml
for part in e.def e/0.evt e/new e far/e/1.evt; do
    refuse "--trace e.otf2 and --output $part would both write"      -o $part -t e.otf2 a.xml
done
refuse 'would both write'                                            -o far/../b.def -t b.otf2 a.xml
refuse '--trace e.otf2 and --store hard.evt would both|not an SQLite'    --store hard.evt -t e.otf2 a.xml
refuse '--output and --store name the same file kept.db'             -o kept.db --store ./kept.db a.xml
refuse '--output and FILE name the same file kept.db'                store ls kept.db -o kept.db
refuse '--output and --store name the same file new.db'              -o new.db --store far/dangling a.xml
for side in wal shm journal; do
    refuse 'would both write'                                        -o kept.db-$side --store kept.db a.xml
    refuse 'would both write'                                        -o new.db-$side --store far/dangling a.xml
done

# Files that belong to no trace are not taken for a part of one.
refuse 'st.def: cannot be written: it is a store'     -t st.otf2 a.xml
refuse 'p.pcf: cannot be written: it is a store'      -t p.prv a.xml
refuse 'lone.row: cannot be written: it is a store'   -t lone.prv a.xml
touch e/notes.txt && before=$(state)
refuse 'e/notes.txt is in the way'                                   -t e.otf2 a.xml
rm e/notes.txt && before=$(state)
touch gone.db-journal && before=$(state)
refuse 'gone.db-journal is in the way'                               --store gone.db a.xml
rm gone.db-journal && before=$(state)

# Inputs, by whatever name.
input='an input, and would be overwritten by --output'
for file in ./a.xml far/../a.xml "$PWD/a.xml" ref.csv icluster-loaded.xml icluster.xml sub/n2-latency.txt; do
    refuse 'input.* would be overwritten by --output'                -o "$file" a.xml
done
for file in two.xml ref.csv icluster-loaded.xml icluster.xml profiles/n1-speed.txt; do # platforms are read in children
    refuse 'input.* would be overwritten by --output'                -o $file two.xml
done
refuse "icluster.xml: is $input; icluster-loaded.xml names it"       -o icluster.xml -j 2 a.xml
refuse 'n1-speed.txt: is the same file as an input, .* and would be .* by --output; icluster-loaded.xml names it' \
    -o ./profiles/n1-speed.txt a.xml
refuse "n1-speed.txt: is $input" forecast icluster-loaded.xml 'n0 to n1' -o profiles/n1-speed.txt
for file in r1.ti soft hard ./r0.ti far/../r1.ti; do
    refuse 'input.* would be overwritten by --output; l.ti names it' -o $file list.xml
done
refuse 'r1.ti: is an input, and would be overwritten by --trace; l.ti names it' -t r1.ti list.xml
refuse 'r0.ti: .* would be overwritten by --store'                   --store r0.ti list.xml
for file in e.otf2 e.def e/0.evt e/new hard.evt far/e/1.def; do
    refuse 'e.otf2, and would be over|an input, and would be over'   -o $file e.otf2
    refuse 'e.otf2, and would be over|an input, and would be over'   -o $file archive.xml
done
refuse 'is part of an input, one.otf2'                               -o one.def --baseline one.otf2 e.otf2
refuse 'overwritten by --trace'                                      -t e.otf2 archive.xml
sed "s|ring'/>|ring'/><param name='topology' value='ring'/>|" a.xml >derived.xml && before=$(state)
refuse 'would be overwritten by --output'                            platform -o profiles/n1-speed.txt derived.xml
refuse 'would be overwritten by --output'                            platform -o icluster.xml derived.xml

# Outputs that may be written are: a former trace is replaced; a link stays, and its target is written.
run -q -t e.otf2 -o fresh a.xml
run -q -t e.otf2 a.xml
echo former >target && ln -s target link && ln -s later ahead
run -q -o link a.xml
run -q -o ahead a.xml
[ -L link ] && cmp -s target plain && [ -L ahead ] && cmp -s later plain
note $? 'a link is written through'
ln -s /proc/self/fd/1 here
"$SIMRUN" -q -o here a.xml >through && [ -L here ] && cmp -s through plain
note $? 'a link to standard output, which is a file'

# Outputs that are open descriptors are written in place.
(echo before && "$SIMRUN" -q -o /dev/stdout a.xml && "$SIMRUN" -q -o /dev/fd/3 a.xml 3>&1 && echo behind) >>block
same 'between other lines' "$( (echo before && cat plain plain && echo behind) | cksum)" "$(cksum <block)"
same 'to a pipe' "$("$SIMRUN" -q -o /dev/stdout a.xml | cksum)" "$(cksum <plain)"

# A store, and what only looks like a part of a trace, is told by what is in it.
run -q --store kept.db a.xml
run -q --store kept.def a.xml
echo >kept.otf2 && echo >drawn.prv && echo mine >drawn.pcf && before=$(state)
refuse 'kept.db: cannot be written: it is a store'                   -o kept.db a.xml
refuse 'kept.def: cannot be written: it is a store'                  -t kept.otf2 a.xml
refuse 'drawn.pcf, which belongs to something else; if it is left'   -t drawn.prv a.xml
run -q -t drawn-well.prv a.xml
run -q -t drawn-well.prv a.xml
echo mine >e/7.evt && before=$(state)
refuse 'e/7.evt is in the way; it is not part of an archive'                  -t e.otf2 a.xml
rm e/7.evt

# Names as long as names can be.
long() { printf "%0$((255 - ${#1}))d%s" 0 "$1"; }
for ending in .txt .paje .prv .otf2; do
    option=-o && [ $ending = .txt ] || option=-t
    run -q $option "$(long $ending)" a.xml
    check "a long name$ending" test -s "$(long $ending)"
done
expect 2 'cannot be written: File name too long'                     -q -o "0$(long x)" a.xml
expect 2 'cannot be written: File name too long'                     -q -t "0$(long .prv)" a.xml
check 'nothing partial is left' test -z "$(find . -name '*partial*')"

finish
