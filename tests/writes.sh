#!/usr/bin/env bash
# No run writes anything but the outputs that the command line names: whatever the scenario, the platform, the trace or the
# reference says. All files are looked at before and after; a file that was made and removed shows in the time of its folder.
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
export HOME=$work/home TMPDIR=$work/tmp
mkdir "$HOME" "$TMPDIR" "$work/try" "$work/try/tests"
cp -r "$SOURCE_DIR/scenarios" "$SOURCE_DIR/platforms" "$work/try"
cp -r "$SOURCE_DIR/tests/data" "$work/try/tests"
echo "echo mine" >"$HOME/.profile"
cd "$work/try" || exit
bad=tests/data/bad

head='<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">'
hosts='<zone id="z" routing="Full"><host id="n0" speed="1Mf"/><host id="b$(touch made)" speed="1Mf"/>
<link id="wire" bandwidth="10MBps" latency="10us"/><route src="n0" dst="b$(touch made)"><link_ctn id="wire"/></route></zone>'
options='<prop id="tracing" value="yes"/><prop id="tracing/platform" value="yes"/>
<prop id="tracing/filename" value="'$HOME/.profile'"/>'
echo "$head<config>$options</config>$hosts</platform>" >overwrites.xml
echo "$head$hosts</platform>" >harmless.xml
for platform in $bad/platform-*.xml overwrites.xml harmless.xml; do
    scenario "try-${platform##*/}" "$platform" 'name="broadcast"' ranks=2 # the file names it from here
done

# What there is: names, sizes, inodes and times. Files without a name may be in TMPDIR, whose own time they may change.
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

# quietly ARGUMENT...: run, however it ends, but not by a crash.
quietly() {
    "$SIMRUN" -q "$@" >"$work/out" 2>"$work/err" </dev/null
    [ $? -le 2 ] || note 1 "simrun $* ended with a crash"
}
look >"$work/before"

# Real simulations, made smaller where they take long.
declare -A smaller=([gj-scaling]='--check' [gj-topologies]='-s n=32 -s ranks=16' [treadmarks-atm]='-s ranks=2'
    [treadmarks-ethernet]='-s ranks=2' [ncp2-radix]='-s ranks=2' [what-limits-gj]='-s n=32 -s ranks=4')
for file in scenarios/*.xml; do
    name=${file##*/}
    quietly ${smaller[${name%.xml}]:-} "$file"
done
unchanged 'scenarios'

for platform in $bad/platform-*.xml overwrites.xml harmless.xml; do
    quietly -s network=quiet,fluid "try-${platform##*/}"
done
quietly -s topology=ring -s network=fluid try-harmless.xml
quietly --forecast 'n0 to n2 1MiB' --at 600s platforms/icluster-loaded.xml
quietly --forecast 'n0 to n1 1MiB' --at 600s overwrites.xml
unchanged 'platforms'

# What is wrong as a scenario; and the same files as traces.
for file in $bad/*; do
    ending=otf2
    case $file in */scenario-*) quietly "$file"; ending=ti ;; esac
    cp "$file" "$work/trace.$ending"
    quietly "$work/trace.$ending"
done
unchanged 'scenarios and traces that are wrong'

# SimGrid obeys <config>, so no network and no mode of ours may let it.
for arguments in '--check' '-q' '-q --network quiet' '-q --network fifo' '-q --network fluid' '-q -s topology=ring'; do
    expect 2 '^simrun: overwrites.xml:1: <config> sets options of SimGrid' $arguments try-overwrites.xml
    same "$arguments" "$(cat "$HOME/.profile")" 'echo mine'
done
unchanged '<config>'

finish
