#!/usr/bin/env bash
# Non-blocking collectives go on beside their ranks. tests/eppa/mpi/begun.c, traced on a computer with two cores.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/goal.sh" || exit
traces=$SOURCE_DIR/tests/data/traces

# network NS: a platform on which a message takes NS, whatever else is under way.
network() {
    loggp_platform 4 "$1" 0 0 1000000000 >"$work/net.xml"
}

# time_of FILE PROGRESS
time_of() {
    "$SIMRUN" -q -p "$work/net.xml" -s progress="$2" -f json "$traces/$1.otf2" | jq '.runs[0].time_s'
}

# Two ranks exchange 800,000 bytes in each of five calls; each computes 5 ms meanwhile, which a slow exchange hides, but for what
# they do before the first and after the last. Without progress, computing comes on top of the waiting.
network 50000000
slow=$(time_of begun-overlap always)
check 'a slow exchange hides the computation' jq -n -e "$slow >= 0.25 and $slow < 0.2535"
check 'without progress it does not' jq -n -e "$(time_of begun-overlap calls) > 0.27"
network 1000
check 'computation hides a fast exchange' jq -n -e "$(time_of begun-overlap always) < 0.0320"

# Four ranks begin several collectives at once, in two communicators, and wait for them in another order: on a network
# that takes no time a rank in the middle of a tree passes on late what it has while it computes. A copy of the trace
# takes the same time.
network 0
check 'progress always is no slower' jq -n -e "$(time_of begun-mixed always) < $(time_of begun-mixed calls)"
run -q --trace "$work/copy.otf2" "$traces/begun-mixed.otf2"
check 'a copy takes the same time' test "$(time_of begun-mixed calls)" = \
    "$("$SIMRUN" -q -p "$work/net.xml" -s progress=calls -f json "$work/copy.otf2" | jq '.runs[0].time_s')"

# Persistent ones, which MPI_Start begins, do the same (tests/eppa/mpi/persistent.c). Of several that MPI_Startall begins, with
# messages, each goes on: in each of five rounds the messages of 400,000 bytes take 50 ms, and so do the broadcast from rank 0,
# each of the two parts of the allreduce and of the allgather, and the neighbors' messages, all at once; then come those of the
# blocking collective of neighbors. What a rank computes is less.
network 50000000
slow=$(time_of persistent-overlap always)
check 'a slow exchange hides the computation of persistent ones' jq -n -e "$slow >= 0.25 and $slow < 0.2535"
check 'without progress it does not, either' jq -n -e "$(time_of persistent-overlap calls) > 0.262"
started=$(time_of persistent-all always)
check 'all that are started at once go on' jq -n -e "$started >= 0.5 and $started < 0.85"

# The report says so.
run -p icluster "$traces/begun-overlap.otf2"
check 'a note' said yes 'non-blocking collectives go on while their ranks compute'
run -p icluster -s progress=calls "$traces/begun-overlap.otf2"
check 'the other note' said yes 'only while their ranks do not compute'
run -q -p icluster --what-if "$traces/begun-mixed.otf2"
check 'what if' said yes 'Efficiencies \(POP\)'
# Each message crosses two links, that up from its sender and that down to its receiver; besides, there are control messages.
run -q -n fluid -p icluster --detail links -f json "$traces/begun-mixed.otf2"
holds '.runs[0] | ([.links[].bytes] | add) - 2 * .bytes | . >= 0 and . < 200'
finish
