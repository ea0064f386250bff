#!/usr/bin/env bash
# The platforms that come with simrun: what is said of them, in lists and in answers, and that their errors are those that
# tools/accuracy finds. The two clusters of the papers, on every network, with every application that they are for. What is simulated ends, takes
# some time, and takes no less than without contention where messages meet.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

# try PLATFORM APPLICATION NAME=VALUE...: the times on quiet, fifo and fluid.
try() {
    scenario "$work/try.xml" "$1" "name='$2'" ranks=4 network=quiet,fifo,fluid "${@:3}"
    run -f json "$work/try.xml"
    holds '[.runs[].network] == ["quiet", "fifo", "fluid"]
        and ([.runs[].time_s] | all(. > 0) and .[1] >= .[0] * 0.999 and .[2] >= .[0] * 0.999)
        and all(.runs[]; .messages > 0 and .bytes > 0)'
}

for platform in icluster pentium2-cluster; do
    try $platform matmul n=48
    try $platform pdgemm size=256 block=32 grid=2x2
    try $platform pdgemm size=256 block=32 grid=2x2 algorithm=library
    try $platform pdtrsm m=64 n=192 block=32 grid=2x2
    try $platform pdtrsm m=64 n=192 block=32 grid=1x4
    try $platform redistribute m=300 n=200 block=32 to_block=16 from_grid=2x2 to_grid=4x1
    try $platform hpl n=300 block=32 grid=2x2
done

# Messages occupy the icluster's processors: a root that sends to everybody is slower than a tree, though a message
# takes the 100 us of latency either way.
run -f json -s bytes=64 -s ranks=2,16,64 -s broadcast=flat,binomial "$SOURCE_DIR/scenarios/broadcast-crossover.xml"
holds '.runs | map({(.parameters.broadcast + "-\(.ranks)"): .time_s}) | add
    | .["flat-16"] > 1.2 * .["binomial-16"] and .["flat-64"] > 3 * .["binomial-64"]
    and ([.["flat-2", "binomial-2"]] | all(. > 100e-6 and . < 107e-6))'

# The list: each platform with its year and basis. What never was built, or was not measured, is said in the answer.
run list platforms
for file in "$SOURCE_DIR"/platforms/*.xml; do
    check "$(basename "$file" .xml) is listed" grep -qE "^  $(basename "$file" .xml) +[^ ]" "$work/out"
done
same 'each has a year and a basis' "$(tr -s '[:space:]' ' ' <"$work/out" | grep -oE '\((19|20)[0-9]{2}; (measured, mean error|unmeasured;|hypothetical;)' | wc -l)" \
    "$(find "$SOURCE_DIR/platforms" -name '*.xml' | wc -l)"
said yes 't800-mesh 128 transputers .*runs gauss-jordan'
run list icluster
said yes 'measured, mean error .*runs pdtrsm matmul pdgemm align hpl'
run "$SOURCE_DIR/scenarios/icluster-switch.xml"
said yes 'icluster-myrinet is hypothetical: it was never built, and nobody has measured it\.'
run --set topology=torus --set ranks=4,8 "$SOURCE_DIR/scenarios/gj128.xml"
same 'a machine wired otherwise, once' "$(grep -c '^t800-mesh as torus is hypothetical: ' "$work/out")" 1
run --set topology=mesh --set ranks=8 "$SOURCE_DIR/scenarios/gj128.xml"
said no 'hypothetical|Against the real machine'
run "$SOURCE_DIR/scenarios/lumi-allreduce.xml"
said yes 'Against the real machine, lumi-g as dragonfly .* has a mean error of'
run "$SOURCE_DIR/scenarios/ncp2-sor.xml"
said yes 'ncp2-myrinet is unmeasured: there are no times of the real machine to compare with\.'

# A chain of three messages over four ranks, of which the first and the last are within a host: of 1000, 3000 and 1000
# doubles. A platform that names its network has no time for them, another one has SimGrid's 10 GB/s.
for ((rank = 0; rank < 4; rank++)); do
    echo "$rank init 1"
    [ $rank = 0 ] || echo "$rank recv $((rank - 1)) 0 $((rank == 2 ? 3000 : 1000))"
    [ $rank = 3 ] || echo "$rank send $((rank + 1)) 0 $((rank == 1 ? 3000 : 1000))"
    echo "$rank finalize"
done >"$work/chain.ti"
for network in quiet fifo fluid; do
    run -q -p icluster -n $network -s ranks_per_host=2 "$work/chain.ti"
    said yes 'messages between ranks of one host take no time on icluster: 66\.7 % of the messages, 40 % of the bytes\.'
done
run -q -p icluster "$work/chain.ti"
said no 'take no time'
sed '/id="network"/d' "$SOURCE_DIR/platforms/icluster.xml" >"$work/own.xml"
run -q -p "$work/own.xml" -s ranks_per_host=2 "$work/chain.ti"
said no 'take no time'

# A scenario names a machine that comes with simrun, unless there is such a file beside it.
cat >"$work/named.xml" <<'END'
<scenario name="named"><platform file="icluster,icluster-myrinet"/><application name="broadcast"/>
  <param name="ranks" value="4"/><param name="bytes" value="1000"/></scenario>
END
run -q -f json "$work/named.xml"
holds '[.runs[].platform] == ["icluster", "icluster-myrinet"] and .runs[0].time_s > 0.0004 and .runs[1].time_s < 0.0001'
cp "$SOURCE_DIR/platforms/icluster-gigabit.xml" "$work/icluster"
run -q -f json "$work/named.xml"
holds '.runs[0].time_s < 0.0003 # as Gigabit Ethernet'
rm "$work/icluster"
sed -i 's/icluster,/iclustre,/' "$work/named.xml"
expect 2 "named.xml:1: <platform> file: cannot read '.*iclustre'" "$work/named.xml"

# Its errors are those of the table that tools/accuracy writes.
while IFS='|' read -r platform machine; do
    error=$(sed -n 's/.*"about.error" value="\([0-9.]* %\) .*/\1/p' "$SOURCE_DIR/platforms/$platform.xml")
    check "the error of $platform" grep -rqE "^\| $machine \| [0-9]+ \| $error \|" "$SOURCE_DIR/docs"
done <<'END'
t800-mesh|Parsytec, T800
decstation-atm|DECstations, ATM
icluster|icluster
lumi-g|LUMI-G
lassen|Lassen
END

finish
