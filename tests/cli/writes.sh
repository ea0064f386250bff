#!/usr/bin/env bash
# No run writes anything but the outputs that the command line names: whatever the scenario, the platform, the trace or the
# reference says. All files are looked at before and after; a file that was made and removed shows in the time of its folder.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
export HOME=$work/home TMPDIR=$work/tmp
mkdir "$HOME" "$TMPDIR" "$work/try" "$work/try/tests"
cp -r "$SOURCE_DIR/scenarios" "$SOURCE_DIR/platforms" "$work/try"
cp -r "$SOURCE_DIR/tests/data" "$work/try/tests"
echo "echo mine" >"$HOME/.profile"
cd "$work/try" || exit 1
bad=tests/data/bad

head='<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
hosts='<zone id="z" routing="Full"><host id="n0" speed="1Mf"/><host id="b$(touch made)" speed="1Mf"/>
<link id="wire" bandwidth="10MBps" latency="10us"/><route src="n0" dst="b$(touch made)"><link_ctn id="wire"/></route></zone>'
options='<prop id="tracing" value="yes"/><prop id="tracing/platform" value="yes"/>
<prop id="tracing/filename" value="'$HOME/.profile'"/>'
echo "$head<config>$options</config>$hosts</platform>" >overwrites.xml
echo "$head$hosts</platform>" >harmless.xml
for platform in tests/data/foreign/platform/*.xml $bad/platform/*/*.xml overwrites.xml harmless.xml; do
    scenario "try-${platform//\//-}" "$platform" 'name="broadcast"' ranks=2 # the file names it from here
done

# Any file as a trace.
mkdir traces
for ending in ti goal otf2; do # tests/data/bad/a/b/c is traces/tests-data-bad-a-b-c.ti
    printf '%s\n' $bad/*/*/* | tar -cf - -T - | tar -C traces -xf - --transform "s|/|-|g; s|\$|.$ending|"
    for file in $bad/*/*/*; do
        name=${file//\//-}
        scenario "trace-$name-$ending.xml" icluster "name='trace' file='traces/$name.$ending'" ranks=2
    done
done

# Print all files: names, sizes, inodes and times. Files without a name may be in TMPDIR, whose own time they may
# change.
look() {
    { find "$work/try" "$HOME" -printf '%p %i %s %T@ %C@\n' && find "$TMPDIR" -mindepth 1 -print; } | sort
}

# unchanged WHAT: since the last look.
unchanged() {
    look >"$work/after"
    diff "$work/before" "$work/after" >"$work/out" 2>"$work/err"
    note $? "written by $1"
    mv "$work/after" "$work/before"
}

# quietly ARGUMENT...: run, however it ends, but not by a crash. Of several scenarios each has a process of its own.
quietly() {
    "$SIMRUN" "$@" >"$work/out" 2>"$work/err" </dev/null
    [ $? -le 2 ] && ! grep -q 'ended by signal' "$work/err"
    note $? "a crash of simrun $*"
}
look >"$work/before"

# Real simulations, but of those that take long.
short=()
for file in scenarios/*.xml; do
    case $file in
        */gj-scaling.xml | */gj-topologies.xml | */hpl-icluster.xml | */treadmarks-*.xml | */ncp2-radix.xml | */ncp2-ocean.xml | */ncp2-16.xml | */what-limits-gj.xml) ;;
        *) short+=("$file") ;;
    esac
done
quietly "${short[@]}"
quietly check scenarios/*.xml
unchanged 'scenarios'

quietly -s network=quiet,fluid try-*.xml
quietly check try-*.xml
quietly -s topology=ring -s network=fluid try-harmless.xml try-overwrites.xml
quietly forecast platforms/icluster-loaded.xml 'n0 to n2 1MiB' --at 600s
quietly forecast overwrites.xml 'n0 to n1 1MiB' --at 600s
unchanged 'platforms'

quietly $bad/scenario/*/*
unchanged 'scenarios that are wrong'
quietly trace-*.xml
unchanged 'traces that are wrong'

# SimGrid obeys <config>, so it never sees one; the report says what is passed over.
for arguments in 'check' '-q' '-q --network quiet' '-q --network fifo' '-q --network fluid' '-q -s topology=ring'; do
    run $arguments try-overwrites.xml
    grep -qE 'not simulated: <config> on line 1\.|^try-overwrites.xml: ok' "$work/out"
    note $? "$arguments: a note of <config>"
    same "$arguments" "$(cat "$HOME/.profile")" 'echo mine'
done
unchanged '<config>'

finish
