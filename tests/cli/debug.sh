#!/usr/bin/env bash
# Debug output: nothing unless it is asked for; the lines of a small program are exactly these; categories are known; the
# answer is the same.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1
unset SIMRUN_DEBUG
scenario two.xml t800-mesh "name='broadcast'" broadcast=flat rounds=1 bytes=1KiB ranks=3

# lines OPTION...: what is on standard error, without blanks at line ends.
lines() {
    "$SIMRUN" -q -f csv "$@" two.xml 2>&1 >"$work/answer" | sed 's/ *$//'
}
check 'nothing unless it is asked for' test -z "$(lines)"
cp answer plain
same 'who waits for whom' "$(lines --debug wait)" \
    "   0.000000000000 s  rank 0    wait       waits to receive from rank 1, tag -1, context 1
   0.000000000000 s  rank 1    wait       waits until message 0 has come to rank 0
   0.000000000000 s  rank 2    wait       waits to receive from rank 1, tag -1, context 1
   0.001424660000 s  message 0 wait       has come to rank 0, which goes on
   0.001424660000 s  rank 1    wait       goes on: message 0 has come to rank 0
   0.001424660000 s  rank 1    wait       waits until message 0 has come to rank 2
   0.002849320000 s  message 0 wait       has come to rank 2, which goes on
   0.002849320000 s  rank 1    wait       goes on: message 0 has come to rank 2"
check 'the answer is the same' cmp plain answer
same 'links' "$(lines --debug network | grep link)" \
    "   0.000000000000 s  link 2    network    serves message 0 from 0.000000000000 s to 0.000776060000 s, waited for 0.000000000000 s
   0.001424660000 s  link 3    network    serves message 0 from 0.001424660000 s to 0.002200720000 s, waited for 0.000000000000 s"
same 'runs' "$(lines --debug run)" \
    "   0.000000000000 s  ranks 1   run        begin broadcast on t800-mesh, network fifo, in the order of time
   0.000000000000 s  ranks 1   run        end after 0 messages and 1 events
   0.000000000000 s  ranks 3   run        begin broadcast on t800-mesh, network fifo, in the order of time
   0.002849320000 s  ranks 3   run        end after 2 messages and 5 events"

# By the environment, and both together.
same 'the environment' "$(SIMRUN_DEBUG=wait lines)" "$(lines --debug wait)"
same 'both' "$(SIMRUN_DEBUG=wait lines --debug run,match)" "$(lines --debug run,match,wait)"
check 'an empty variable' test -z "$(SIMRUN_DEBUG='' lines)"

# On quiet ranks run ahead, unless lines are to be in the order of time; the answer is the same.
lines -n quiet >/dev/null
cp answer plain
same 'ranks run ahead' "$(lines -n quiet --debug run | grep -c 'running ahead')" 2
check 'the answer is the same' cmp plain answer
same 'turns' "$(lines -n quiet --debug ahead | grep -c 'has its turn')" 6
same 'in the order of time' "$(lines -n quiet --debug run,match | grep -c 'in the order of time')" 2
check 'the answer is the same' cmp plain answer

# Child processes have it, too; all categories have lines.
same 'jobs' "$(lines --debug run -s ranks=2,3 -j 2 | grep -c 'ranks [23] .*begin')" 2
names=$("$SIMRUN" --debug ? two.xml 2>&1 | sed -n 's/.*known: all //p')
same 'there are categories' "$names" 'run schedule match wait collective ahead network dsm'
{
    lines --debug all
    lines --debug ahead -n quiet
    "$SIMRUN" -q --debug dsm -s ranks=2 "$SOURCE_DIR/scenarios/ncp2-sor.xml" 2>&1 >answer | head -100
} >all 2>&1
for name in $names; do
    check "lines of $name" awk -v name="$name" '$5 == name { n++ } END { exit n == 0 }' all
done
check 'each line has a time, a place and a category' test "$(grep -cvE '^ *[0-9]+\.[0-9]{12} s  [a-z]+ [0-9]+ +[a-z]+ +\S' all)" = 0

expect 2 "^simrun: --debug: unknown category 'mach'; did you mean 'match'\? known: all run schedule match" --debug mach two.xml
expect 2 "^simrun: --debug: unknown category ''; known: all" --debug '' two.xml
expect 2 "^simrun: --debug: unknown category ''; known: all" --debug run,,wait two.xml
SIMRUN_DEBUG=mach expect 2 "^simrun: SIMRUN_DEBUG: unknown category 'mach'; did you mean 'match'\? known: all" two.xml

finish
