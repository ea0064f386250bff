# Requirements of a test, to be sourced: without them it is skipped.
# SPDX-License-Identifier: BSD-3-Clause

# need WHAT COMMAND...: without it, which the command tells by failing, the test is skipped, and says so.
need() {
    local what=$1
    shift
    if ! "$@" >/dev/null 2>&1; then
        echo "NOT COMPARED: needs $what"
        exit 77
    fi
}
