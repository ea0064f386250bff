# Common parts of the tests of simrun from outside, to be sourced. Makes a folder to work in, and counts the checks.
# $work/out and $work/err are the last output.
# SPDX-License-Identifier: BSD-3-Clause
set -u
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) # where it need not go to a disk, if there is such a place
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
: >"$work/out" >"$work/err"
passed=0
failed=0
command= # the last one

# note STATUS WHAT: count a check, which has passed if the status is 0; otherwise show what it was, and the last output.
note() {
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
        head -qn 12 "$work/out" "$work/err" | cut -c 1-200 | sed 's/^/    /'
    fi
}

# check WHAT COMMAND...: the command succeeds.
check() {
    local what=$1 status=0
    shift
    "$@" || status=$?
    note $status "$what: $*"
}

# The sanitizer that looks for leaks has, once in thousands of runs, a fault of its own: then the run is made again.
answers() {
    "$SIMRUN" "$@" >"$work/out" 2>"$work/err"
    local status=$?
    grep -q '^==[0-9]*==LeakSanitizer has encountered a fatal error' "$work/err" || return $status
    "$SIMRUN" "$@" >"$work/out" 2>"$work/err"
}

# expect STATUS PATTERN ARGUMENT...: simrun ends with this status, the extended pattern matches a line on standard error
# ('' asks for none), and nothing is on standard output if it fails.
expect() {
    local status=$1 pattern=$2 got=0
    shift 2
    command="simrun $*"
    answers "$@" || got=$?
    [ $got -eq "$status" ] && { [ -z "$pattern" ] || grep -qE -- "$pattern" "$work/err"; } &&
        { [ $got -eq 0 ] || [ ! -s "$work/out" ]; }
    note $? "$command (status $got, expected $status and: $pattern)"
}

# run ARGUMENT...: simrun succeeds.
run() {
    expect 0 '' "$@"
}

# said YES-OR-NO PATTERN: whether the extended pattern matches the last output, its blanks and line ends taken for one blank.
said() {
    local got=no
    tr '\n' ' ' <"$work/out" | sed 's/   */ /g' | grep -qE -- "$2" && got=yes
    [ $got = "$1" ]
    note $? "expected $1 for '$2' from $command"
}

# narrow: no line of the last output is longer than 120 characters.
narrow() {
    ! LC_ALL=C.UTF-8 grep -nE '.{121}' "$work/out"
    note $? "a line of more than 120 characters from $command"
}

# holds FILTER [FILE]: what jq says of the last output, or of a file.
holds() {
    local result
    result=$(jq -e "$1" "${2-$work/out}") && [ -n "$result" ] # of an empty file jq says that all is well
    note $? "not so in ${2-$command}: $1"
}

# same WHAT FOUND EXPECTED
same() {
    [ -n "$2" ] && [ "$2" = "$3" ]
    note $? "$1: found '$2', expected '$3'"
}

# outcome ARGUMENT...: what a run and its replay have in common.
outcome() {
    "$SIMRUN" -q -f json "$@" | jq -c '.runs[0] | [.time_s, .messages, .bytes, .ranks]'
}

# scenario FILE PLATFORM APPLICATION NAME=VALUE...: write one, named as its file is. The platform is one of the project's or
# a file, the application the attributes of its element.
scenario() {
    local file=$1 platform=$2 application=$3 name=${1##*/} parameter
    shift 3
    [[ $platform == *.xml ]] || platform=$SOURCE_DIR/platforms/$platform.xml
    {
        echo "<scenario name='${name%.xml}'><platform file='$platform'/><application $application/>"
        for parameter; do echo "<param name='${parameter%%=*}' value='${parameter#*=}'/>"; done
        echo "</scenario>"
    } >"$file"
}

# finish: the last command of a test.
finish() {
    echo "$passed passed, $failed failed"
    exit $((failed > 0 || passed == 0))
}
