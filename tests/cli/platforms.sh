#!/usr/bin/env bash
# The two clusters of the papers, on every network, with every application that they are for. What is simulated ends, takes
# some time, and takes no less than without contention where messages meet.
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

# What a message takes of the icluster's processors: a root that sends to everybody is slower than a tree, though a message
# takes the 100 us of latency either way.
run -f json -s bytes=64 -s ranks=2,16,64 -s broadcast=flat,binomial "$SOURCE_DIR/scenarios/broadcast-crossover.xml"
holds '.runs | map({(.parameters.broadcast + "-\(.ranks)"): .time_s}) | add
    | .["flat-16"] > 1.2 * .["binomial-16"] and .["flat-64"] > 3 * .["binomial-64"]
    and ([.["flat-2", "binomial-2"]] | all(. > 100e-6 and . < 107e-6))'

finish
