#!/usr/bin/env bash
# Every ./simrun command in the README, the tutorial and the other documents works as it stands, from the root of a checkout, and
# prints what the document shows of it (examples.py).
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
for folder in scenarios platforms docs; do ln -s "$SOURCE_DIR/$folder" "$work/$folder"; done
ln -s "$SIMRUN" "$work/simrun"
cd "$work" || exit 1

# A trace in place of that of the reader's own program, and the scenario that replays it.
./simrun -o app.txt --set ranks=4 --trace run.otf2 scenarios/gj128.xml
# In place of those of bench/growth.sh.
mkdir runs
for p in 1 2 4; do
    for n in 240 360 480; do
        ./simrun -q -o app.txt --set ranks=$p --set n=$((n / 5)) --trace runs/n$n-p$p-1.otf2 scenarios/gj128.xml
    done
done
sed -n '/^cat > app.xml/,/^END/p' "$SOURCE_DIR/docs/tutorial.md" | bash

mapfile -t others < <(find "$SOURCE_DIR/docs" -name '*.md' ! -path "$SOURCE_DIR/docs/tutorial.md" | sort)
python3 "$SOURCE_DIR/tests/cli/examples.py" "$work" "$SOURCE_DIR/README.md" "$SOURCE_DIR/docs/tutorial.md" "${others[@]}" >examples
note $? "$(grep -E '^(FAILED|NOT COMPARED)' examples)"
sed -n 's/^NOT COMPARED/&/p' examples
./simrun scenarios/gj256.xml >result

# The result that the README shows is the one that comes out; only its line on the platform is shortened there.
check 'the README shows a result' test -s result
while IFS= read -r line; do
    check 'a line that the README shows' grep -qxF -- "$line" result
done < <(sed -n '/^## A result/,/^## /s/^    //p' "$SOURCE_DIR/README.md" | grep -v '^Platform')

finish
