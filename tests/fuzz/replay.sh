#!/usr/bin/env bash
# replay.sh TARGET PROGRAM: the seeds of a fuzz target, and what has once been found (tests/data/fuzz/TARGET), read
# again. Of the slow targets only what has been found.
# SPDX-License-Identifier: BSD-3-Clause
set -eu
FUZZ_FOLDER=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$FUZZ_FOLDER"' EXIT
export FUZZ_FOLDER
export LSAN_OPTIONS=suppressions=$SOURCE_DIR/tests/fuzz/lsan.supp:print_suppressions=0
case $1 in
otf2_trial | simgrid) seeds=$SOURCE_DIR/tests/data/fuzz/$1 ;;
*)
    seeds=$FUZZ_FOLDER/seeds
    bash "$SOURCE_DIR/tests/fuzz/seeds.sh" "$1" "$seeds"
    ;;
esac
shopt -s nullglob
"$2" "$seeds"/*
