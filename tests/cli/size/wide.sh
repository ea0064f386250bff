#!/usr/bin/env bash
# A million ranks: the memory that a binomial broadcast and an allreduce among them take, all metrics on.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh" || exit
need '/usr/bin/time (time)' /usr/bin/time -q -o "$work/kB" -f %M true
million=1048576

# takes MOST_MB ARGUMENT...: the report for readers does not go through the ranks, and the process takes that at most.
takes() {
    local most=$1 status=0
    shift
    command="simrun $*"
    /usr/bin/time -q -o "$work/kB" -f %M "$SIMRUN" -q "$@" >"$work/out" 2>"$work/err" || status=$?
    note $status "$command"
    check "$command says little" test "$(wc -l <"$work/out")" -lt 40
    check "$command, which takes $(cat "$work/kB") kB, is to take at most $most MB" \
        test "$(($(cat "$work/kB") * 1024))" -lt "${most}000000"
}

# messages COUNT ARGUMENT...: the number of messages.
messages() {
    run -q -f csv "${@:2}"
    same "messages of simrun ${*:2}" "$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "messages") c = i }
        NR == 2 { print $c }' "$work/out")" "$1"
}

# many PLATFORM APPLICATION NAME=VALUE...: write $work/wide.xml, 1,024 ranks on each host of a mesh.
many() {
    scenario "$work/wide.xml" "$1" "$2" ranks=$million ranks_per_host=1024 topology=mesh dimensions=32x32 "${@:3}"
}

cat >"$work/cores.xml" <<'END'
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="cores" routing="Full">
    <prop id="cores" value="1024"/>
    <cluster id="hosts" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="10GBps" lat="1us"/>
  </zone>
</platform>
END

# Ranks share a core, which messages do not need; or each has one.
for platform in "$work/cores.xml" t800-mesh; do
    many "$platform" "name='collective'" collective=allreduce allreduce=reduce_broadcast
    takes 160 -n quiet "$work/wide.xml"
    many "$platform" "name='broadcast'"
    takes 160 -n quiet "$work/wide.xml"
done
messages $((million - 1)) -n quiet "$work/wide.xml"

# In the order of time, messages that are under way take memory, too.
takes 240 -n fifo "$work/wide.xml"

finish
