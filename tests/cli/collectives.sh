#!/usr/bin/env bash
# Every algorithm of every collective through the program: written as a trace and replayed it is the same; other names are
# other names; what `fastest` takes is the fastest, and the reports say what it was.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit 1

scenario alone.xml icluster "name='collective'"
scenario replay.xml icluster "name='trace' file='t.ti'"

# A barrier carries nothing, whatever is said of messages.
same 'a barrier of 5000 bytes' "$(outcome -s collective=barrier -s bytes=5000 alone.xml)" \
    "$(outcome -s collective=barrier -s bytes=0 alone.xml)"
families="broadcast scatter gather reduce allreduce allgather alltoall barrier"

# algorithms FAMILY: as the message about an unknown one says.
algorithms() {
    "$SIMRUN" check -s "$1=?" alone.xml 2>&1 | sed -n 's/.*known: //p' | sed 's/ own / /' # own is what a file says: tests/cli/own.sh
}

every=1 number=0 # where programs are slow one algorithm in three is replayed
[ "${SLOW-1}" -eq 1 ] || every=3
for family in $families; do
    names=$(algorithms "$family")
    same "algorithms of $family" "$([ "$(wc -w <<<"$names")" -ge 3 ] && echo several)" several
    for name in $names; do
        [ $((number++ % every)) -eq 0 ] || continue
        simulated=$(outcome -s collective=$family -s "$family=$name" -s bytes=5000 -s broadcast_segment=900 -s ranks=7 \
            -t t.ti alone.xml)
        same "$family $name, replayed" "$(outcome replay.xml)" "$simulated"
    done

    # The fastest takes the time of the fastest, and says which it was.
    set -- -q -f json -s collective=$family -s bytes=2000 -s ranks=13
    "$SIMRUN" "$@" -s "$family=$(sed 's/ fastest//; s/ /,/g' <<<"$names")" alone.xml >others.json
    "$SIMRUN" "$@" -s "$family=fastest" alone.xml >fastest.json
    same "time of the fastest $family" "$(jq '.runs[0].time_s' fastest.json)" "$(jq '[.runs[].time_s] | min' others.json)"
    same "which the fastest $family is" "$(jq -c '.runs[0].fastest | map([.collective, .algorithm])' fastest.json)" \
        "$(jq -c --arg f "$family" '[.runs | min_by(.time_s) | [$f, .parameters[$f]]]' others.json)"
done

"$SIMRUN" -q -s broadcast=fastest -s ranks=13 alone.xml | tr '\n' ' ' | sed 's/   */ /g' >text
same "the text report" "$(grep -cE 'The fastest algorithms of collectives.* broadcast 13 1024 \.\.\. 2047 [a-z_]+ 1024 ' text)" 1
same "a report without it" "$("$SIMRUN" -q -s ranks=13 alone.xml | grep -c 'The fastest collectives')" 0
same "another name" "$("$SIMRUN" -q -f json -s broadcast=ompi_split_bintree -s allreduce=rab -s ranks=4 alone.xml 2>&1)" \
    "simrun: --set allreduce=rab: 'rab' is unknown; known: $(algorithms allreduce)"
same "another name, shown" "$("$SIMRUN" -q -f json -s broadcast=ompi_split_bintree -s allreduce=lr -s ranks=4 alone.xml |
    jq -r '.runs[0].parameters | .broadcast, .allreduce' | xargs)" "split_binary ring"
same "a name twice" "$("$SIMRUN" check -s broadcast=binomial,binomial_tree alone.xml >/dev/null 2>&1; echo $?)" 2
same "a list" "$("$SIMRUN" list collectives | grep -c '^  rabenseifner\|other names: .*lr = ring')" 2
same "among neighbours on a star" "$(outcome -s broadcast=neighbour -s ranks=9 alone.xml)" \
    "$(outcome -s broadcast=flat -s ranks=9 alone.xml)"

finish
