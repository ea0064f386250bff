#!/usr/bin/env bash
# Every ./simrun command in the README, the tutorial and the other documents works as it stands, from the root of a checkout, and
# prints what the document shows of it (examples.py).
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
for folder in scenarios platforms docs; do ln -s "$SOURCE_DIR/$folder" "$work/$folder"; done
ln -s "$SIMRUN" "$work/simrun"
cd "$work" || exit 1

# A trace in place of that of the reader's own program.
./simrun -o app.txt --set ranks=4 --trace run.otf2 scenarios/gj128.xml
# In place of those of bench/growth.sh.
mkdir runs
for p in 1 2 4; do
    for n in 240 360 480; do
        ./simrun -q -o app.txt --set ranks=$p --set n=$((n / 5)) --trace runs/n$n-p$p-1.otf2 scenarios/gj128.xml
    done
done
mapfile -t others < <(find "$SOURCE_DIR/CONTRIBUTING.md" "$SOURCE_DIR/docs" -name '*.md' ! -path "$SOURCE_DIR/docs/tutorial.md" | sort)
documents=("$SOURCE_DIR/README.md" "$SOURCE_DIR/docs/tutorial.md" "${others[@]}")

# The files that a reader makes by "cat > NAME <<'END'", each of another name.
sed -n '/^cat > [a-z.]* <<.END.$/,/^END$/p' "${documents[@]}" >files
check 'documents make each file once' test -z "$(grep '^cat > ' files | sort | uniq -d)"
bash files

python3 "$SOURCE_DIR/tests/cli/examples.py" "$work" "${documents[@]}" >examples
note $? "$(grep -E '^(FAILED|NOT COMPARED)' examples)"
sed -n 's/^NOT COMPARED/&/p' examples

check 'the README shows a result' grep -q '^```text$' "$SOURCE_DIR/README.md"

finish
