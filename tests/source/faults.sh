#!/usr/bin/env bash
# The faults that tools/mutate inserts fit the sources.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
check "their text is there once" "$SOURCE_DIR/tools/mutate" --check
finish
