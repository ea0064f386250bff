# Common parts of the scripts here, to be sourced: SOURCE_DIR, BUILD_DIR and SIMRUN are this checkout's unless the
# environment names others; $work is a folder that is removed at the end. A script fails, with a line that says why, if
# it finds nothing.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
SOURCE_DIR=${SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
BUILD_DIR=$(cd "${BUILD_DIR:-$SOURCE_DIR/build/release}" 2>/dev/null && pwd) || BUILD_DIR=$SOURCE_DIR/build/release
SIMRUN=${SIMRUN:-$BUILD_DIR/simrun}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# fail WHY...: end the script.
fail() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# said: the first line of what the last program said, in $work/err.
said() { head -n 1 "$work/err" | grep . || echo "the program says nothing"; }

need_simrun() {
    [ -x "$SIMRUN" ] || fail "there is no program $SIMRUN; cmake --build build/release makes it, SIMRUN names another"
}

# need_eppa: the tracer, and Open MPI to run what it traces.
need_eppa() {
    [ -f "$BUILD_DIR/libeppa.so" ] || fail "there is no $BUILD_DIR/libeppa.so; tools/install-packages trace, then build again"
    local tool
    PATH=$BUILD_DIR/tests/openmpi:$PATH # where mpirun may be another MPI's, and there are tests
    for tool in mpirun mpicc; do
        command -v $tool >/dev/null || fail "there is no $tool; tools/install-packages trace"
    done
}
