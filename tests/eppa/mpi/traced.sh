# Common parts of the tests of libeppa, to be sourced. Makes a directory to work in and goes there. With MPI=mpich all
# of it is MPICH's.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
. "$SOURCE_DIR/tests/shell/needs.sh"
. "$SOURCE_DIR/tests/shell/mpi.sh"
need otf2-print command -v otf2-print
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
failed=0
programs=$SOURCE_DIR/tests/eppa/mpi

export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1

# with NAME=VALUE...: sets `with`, the options of mpirun for these variables.
with() {
    local setting
    with=()
    for setting in "$@"; do
        case $MPI in
        openmpi) with+=(-x "$setting") ;;
        mpich) with+=(-env "${setting%%=*}" "${setting#*=}") ;;
        esac
    done
}

# use_mpi NAME: its compilers, its mpirun and its library from now on. The library may be built with sanitizers; their runtime comes
# first, and programs of others are not to be blamed.
use_mpi() {
    MPI=$1
    PATH=$BUILD_DIR/tests/$MPI:$PATH
    library=$BUILD_DIR/libeppa.so
    [ "$MPI" = openmpi ] || library=$BUILD_DIR/libeppa-$MPI.so
    for tool in mpirun mpicc mpif90; do need "$tool of $MPI" test -x "$BUILD_DIR/tests/$MPI/$tool"; done
    need "$library" test -f "$library"
    preload=$(ldd "$library" | awk '/^\tlib[a-z]*san\.so/ { print $3 }' | sort | tr '\n' ':')$library
    with LD_PRELOAD="$preload" EPPA_FILE=trace.otf2
    recording=("${with[@]}")
}
use_mpi "$MPI"

fail() {
    echo "FAILED: $*"
    failed=$((failed + 1))
}

compile() {
    local name=$1
    shift
    env -u CFLAGS mpicc -O1 -Wno-stringop-overflow -I"$SOURCE_DIR/src/eppa" -o "$name" "$programs/$name.c" "$@" -lm
}

# traced RANKS COMMAND...: run it under the library.
traced() {
    local n=$1
    shift
    timeout 300 mpirun -n "$n" "${recording[@]}" "$@"
}

# account ARCHIVE [RANKS]: the program's account, from an archive; of so many ranks, if they have further threads.
account() {
    otf2-print "$1" 2>&1 | awk -v ranks="${2:-65536}" '
        function rank_in(text) { match(text, /<[0-9]+>\)/); return substr(text, RSTART + 1, RLENGTH - 3) }
        function number(text, name) { match(text, name ": [0-9]+"); return substr(text, RSTART + length(name) + 2, RLENGTH - length(name) - 2) }
        $2 ~ /^[0-9]+$/ { $2 %= ranks }
        $1 == "MPI_SEND" || $1 == "MPI_ISEND" { k = $2 " " rank_in($0); sent[k]++; sent_bytes[k] += number($0, "Length") }
        $1 == "MPI_RECV" || $1 == "MPI_IRECV" { k = rank_in($0) " " $2; got[k]++; got_bytes[k] += number($0, "Length") }
        /Communicator: "file / { next }
        $1 == "MPI_COLLECTIVE_END" || $1 == "NON_BLOCKING_COLLECTIVE_COMPLETE" {
            match($0, /Operation: [A-Z_]+/); operation = substr($0, RSTART + 11, RLENGTH - 11)
            match($0, /Communicator: "[^"]*"/); name = substr($0, RSTART + 15, RLENGTH - 16)
            match($0, /Root: [A-Z0-9_]+/); root = substr($0, RSTART + 6, RLENGTH - 6)
            print "collective", $2, operation, name, root, number($0, "Sent"), number($0, "Received")
        }
        /[Ww]arning|[Ee]rror/ && !/^(ENTER|LEAVE)/ { print "otf2-print: " $0 }
        END {
            for (k in sent) print "sent", k, sent[k], sent_bytes[k]
            for (k in got) print "received", k, got[k], got_bytes[k]
        }' | LC_ALL=C sort
}

# Calls and time [ns] of each function of MPI, from a printed archive: of calls within calls the outermost.
count_printed() {
    awk '
        $1 == "ENTER" { where = $2; polls = 0; match($0, /"[^"]*"/); name = substr($0, RSTART + 1, RLENGTH - 2)
            if (name ~ /^MPI_/ && depth[where]++ == 0) { from[where] = $3; calls[name]++; latest = name } else latest = "" }
        /"eppa.polls"/ && latest != "" { match($0, /UINT64; [0-9]+/); calls[latest] += substr($0, RSTART + 8, RLENGTH - 8) - 1 }
        $1 == "LEAVE" { match($0, /"[^"]*"/); name = substr($0, RSTART + 1, RLENGTH - 2)
            if (name ~ /^MPI_/ && --depth[$2] == 0) time[name] += $3 - from[$2] }
        END { for (name in calls) printf "%s %d %.0f\n", name, calls[name], time[name] }' | sort
}

# same NAME: the archive and the account of the run before are the same, and the archive is whole.
same() {
    cat count.* | LC_ALL=C sort >expected
    account trace.otf2 >found
    if ! diff expected found >difference; then
        fail "$1: the program's account (<) and the archive (>):"
        head -20 difference
    fi
    balanced trace.otf2 || fail "$1: ENTER and LEAVE do not match"
    grep -aq 'EPPA::COMPLETE.true' trace.otf2 || fail "$1: not whole"
    [ ! -e trace.eppa ] || fail "$1: records are left"
    [ -n "$(cat expected)" ] || fail "$1: counts nothing"
    rm -f count.*
}

# run NAME RANKS COMMAND...: run it under the library; the archive says what the program does.
run() {
    local name=$1
    shift
    traced "$@" >out || fail "$name: status $?"
    same "$name"
}

# balanced ARCHIVE [RANKS]: every location leaves what it enters, its times never go back, and no message arrives before it is sent.
balanced() {
    otf2-print "$1" 2>/dev/null | awk -v ranks="${2:-65536}" '
        function pair(text) { match(text, /<[0-9]+>\)/); return substr(text, RSTART + 1, RLENGTH - 3) }
        function rest(text) { match(text, /Communicator: .*/); sub(/, Request.*/, "", text); return substr(text, RSTART) }
        $3 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ {
            if ($3 < last[$2]) bad = 1
            last[$2] = $3
            n++
        }
        $1 == "ENTER" { match($0, /Region: .*/); split(substr($0, RSTART), part, "Attr"); stack[$2, depth[$2]++] = $5 }
        $1 == "LEAVE" { if (depth[$2] == 0 || stack[$2, --depth[$2]] != $5) bad = 1 }
        $2 ~ /^[0-9]+$/ { $2 %= ranks }
        $1 == "MPI_SEND" || $1 == "MPI_ISEND" { k = $2 " " pair($0) " " rest($0); at[k, sent[k]++] = $3 }
        $1 == "MPI_RECV" || $1 == "MPI_IRECV" {
            k = pair($0) " " $2 " " rest($0)
            if (got[k] >= sent[k] || $3 < at[k, got[k]]) bad = 1
            got[k]++
        }
        END { for (r in depth) if (depth[r] != 0) bad = 1; exit bad || n == 0 }'
}
