#!/usr/bin/env bash
# The Python module: its examples, and what it makes of JSON, CSV, stores and errors (module.py).
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh" || exit

# Debian's pandas is for Debian's Python, which need not be the first one on PATH.
for python in /usr/bin/python3 python3; do
    "$python" -c 'import pandas' 2>"$work/err" && break
done
need 'Python with pandas (python3-pandas)' "$python" -c 'import pandas'

# As installed: the module finds the command that it came with.
cmake --install "$BUILD_DIR" --prefix "$work/prefix" >"$work/out" 2>"$work/err"
note $? 'installing'
mkdir "$work/here"
cp "$SOURCE_DIR/tests/python/module.py" "$work"
cd "$work/here" || exit
PYTHONPATH=$work/prefix/share/simrun/python:$work PYTHONDONTWRITEBYTECODE=1 "$python" -W error -m unittest -q module \
    2>"$work/all"
note $? "$python -m unittest module"
check 'tests have run' grep -qE '^Ran [1-9][0-9] tests' "$work/all"
grep -vE '^$' "$work/all"
finish
