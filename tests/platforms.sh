#!/usr/bin/env bash
# The two clusters of the papers, on every network, with every application that they are for. What is simulated ends, takes
# some time, and takes no less than without contention where messages meet.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# try PLATFORM APPLICATION NAME=VALUE...: the times on quiet, fifo and fluid.
try() {
    local platform=$1 application=$2 parameter
    shift 2
    {
        echo "<scenario name='try'><platform file='$SOURCE_DIR/platforms/$platform.xml'/><application name='$application'/>"
        for parameter in ranks=4 network=quiet,fifo,fluid "$@"; do
            echo "<param name='${parameter%%=*}' value='${parameter#*=}'/>"
        done
        echo "</scenario>"
    } >"$work/try.xml"
    if "$SIMRUN" -f json -o "$work/out" "$work/try.xml" 2>"$work/err" && jq -e '
        [.runs[].network] == ["quiet", "fifo", "fluid"]
        and ([.runs[].time_s] | all(. > 0) and .[1] >= .[0] * 0.999 and .[2] >= .[0] * 0.999)
        and all(.runs[]; .messages > 0 and .bytes > 0)' "$work/out" >/dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $platform, $application $*"
        sed 's/^/    /' "$work/err"
        jq -c '[.runs[].time_s]' "$work/out" 2>/dev/null
    fi
}

for platform in icluster pentium2-cluster; do
    try $platform matmul n=48
    try $platform pdgemm size=256 block=32 grid=2x2
    try $platform pdgemm size=256 block=32 grid=2x2 algorithm=library
    try $platform pdtrsm m=64 n=192 block=32 grid=2x2
    try $platform pdtrsm m=64 n=192 block=32 grid=1x4
    try $platform redistribute m=300 n=200 block=32 to_block=16 from_grid=2x2 to_grid=4x1
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
