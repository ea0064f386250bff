#!/usr/bin/env bash
# replay.sh TARGET PROGRAM: the seeds of a fuzz target, and what has once been found (tests/data/fuzz/TARGET), read again.
set -eu
FUZZ_FOLDER=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$FUZZ_FOLDER"' EXIT
export FUZZ_FOLDER
export LSAN_OPTIONS=suppressions=$SOURCE_DIR/tests/fuzz/lsan.supp:print_suppressions=0
bash "$SOURCE_DIR/tests/fuzz/seeds.sh" "$1" "$FUZZ_FOLDER/seeds"
"$2" "$FUZZ_FOLDER"/seeds/*
