#!/usr/bin/env bash
# A replay does collectives as the library did that ran: libeppa records which one it was, and messages are those of
# `openmpi`, which choices.sh holds against the real ones. Who says otherwise is heard.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/eppa/mpi/traced.sh"
need jq command -v jq
need "programs of Open MPI" test -x "$BUILD_DIR/tests/mpi_one_collective"
platform=$SOURCE_DIR/platforms/icluster.xml

# messages ARGUMENT...: FROM TO MESSAGES of the run, a line each.
messages() {
    "$SIMRUN" -q -f json --detail messages "$@" | jq -r '.runs[0].communication_matrix[] | "\(.from) \(.to) \(.messages)"' | sort
}

# algorithm ARGUMENT...: by which it was done.
algorithm() {
    "$SIMRUN" -q -f json "$@" | jq -r '[.runs[0].algorithms[] | .collective, .algorithm, .calls, .from_bytes, .to_bytes] | map(tostring) | join(" ")'
}

# expect WHAT FOUND EXPECTED
expect() {
    [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"
}

# note ARGUMENT...: what the replay says of them.
note() {
    "$SIMRUN" -q "$@" | tr '\n' ' ' | tr -s ' ' | grep -o 'Note: collectives use .*' || true
}

# The replay of a call has the messages of the application `collective` with that algorithm.
check_collective() {
    local kind=$1 ranks=$2 bytes=$3 expected=$4
    rm -rf trace*
    traced "$ranks" "$BUILD_DIR/tests/mpi_one_collective" "$kind" "$bytes" >out
    cat >one.xml <<END
<scenario name='one'><platform file='$platform'/><application name='collective'/><param name='collective' value='$kind'/>
<param name='ranks' value='$ranks'/><param name='bytes' value='$bytes'/><param name='$kind' value='openmpi'/></scenario>
END
    messages one.xml >there
    messages --platform "$platform" trace.otf2 >here
    cmp -s there here || fail "$kind of $bytes B: other messages than those of openmpi"
    expect "$kind of $bytes B" "$(algorithm --platform "$platform" trace.otf2)" "$kind $expected 1 $bytes $bytes"
}

check_collective allreduce 8 16384 rabenseifner
check_collective gather 5 65536 flat
check_collective alltoall 8 1024 linear
check_collective broadcast 8 100000 flattree
library=$(otf2-print -A trace.otf2 | grep -A1 'EPPA::MPI_LIBRARY$' | grep -oE 'Open MPI v[0-9]+\.[0-9]+\.[0-9]+')
[ -n "$library" ] || fail "the archive does not say what ran"
case $library in "Open MPI v4.1."*) unknown= ;; *) unknown=", whose choices simrun does not know" ;; esac
"$SIMRUN" -v --platform "$platform" trace.otf2 2>/dev/null | grep -qE '^ +8 +broadcast +flattree +1 +100000 \.\.\. 100000$' || fail "-v does not list algorithms"
"$SIMRUN" --platform "$platform" trace.otf2 | grep -q '^Algorithms' && fail "algorithms are listed unasked"
[[ $(note --platform "$platform" trace.otf2) == *"Note: collectives use the algorithms of Open MPI 4.1; the trace is from $library"*"$unknown"* ]] || fail "no note"

# On two processors, on another network, and of a copy it is the same.
for network in quiet fifo fluid; do
    expect "$network" "$(algorithm --platform "$platform" --set network=$network trace.otf2)" "broadcast flattree 1 100000 100000"
done
"$SIMRUN" -q --trace copy.otf2 trace.otf2 >out || fail "a copy: status $?"
expect "a copy" "$(algorithm --platform "$platform" copy.otf2)" "broadcast flattree 1 100000 100000"

# The user, and the platform, are heard.
expect "the user" "$(algorithm --platform "$platform" --set broadcast=chain trace.otf2)" "broadcast chain 1 100000 100000"
expect "a note of what the user says" "$(note --platform "$platform" --set broadcast=chain trace.otf2)" ""
sed 's|<prop id="network"|<prop id="collectives" value="plain"/><prop id="network"|' "$platform" >plain.xml
grep -q 'value="plain"' plain.xml || fail "the platform is not changed"
expect "the platform" "$(algorithm --platform plain.xml trace.otf2)" "broadcast binomial 1 100000 100000"
[[ $(note --platform plain.xml trace.otf2) == *"simrun's default algorithms, as the platform says; the trace is from $library"* ]] ||
    fail "no note of the platform"

# A library of which nothing is known.
if [ -x "$BUILD_DIR/tests/mpich/mpicc" ] && [ -f "$BUILD_DIR/libeppa-mpich.so" ]; then
    use_mpi mpich
    . "$SOURCE_DIR/tests/shell/mpi.sh"
    compile one_collective
    rm -rf trace*
    traced 8 ./one_collective broadcast 100000 >out
    expect MPICH "$(algorithm --platform "$platform" trace.otf2)" "broadcast binomial 1 100000 100000"
    [[ $(note --platform "$platform" trace.otf2) == *"the trace is from MPICH Version: "*", whose choices simrun does not know"* ]] || fail "MPICH: no note"
fi
exit $((failed > 0))
