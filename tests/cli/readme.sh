#!/usr/bin/env bash
# Every ./simrun command in the README, the tutorial and the other documents works as it stands, from the root of a
# checkout. What stands in several places runs once, and what takes long with a smaller problem.
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

shown='./simrun scenarios/gj256.xml' # the README shows what it prints
smaller='s|--set n=256 \(scenarios/gj-topologies\)|--set n=16 \1|; s|scenarios/hpl-icluster|--set n=8000 &|'
while IFS= read -r command; do
    if [[ $command == './simrun lab '* ]] && ! [ -e "$BUILD_DIR/lab/lab.html" ]; then
        echo "NOT COMPARED: the laboratory has not been built"
        continue
    fi
    bash -c "set -o pipefail; $(sed "$smaller" <<<"$command")" >out 2>err && [ ! -s err ]
    note $? "$command"
    [ "$command" != "$shown" ] || cp out result
done < <(awk '/^```sh/ {on = 1; next} /^```/ {on = 0} on && /^\.\/simrun/ && !seen[$0]++' \
    "$SOURCE_DIR"/README.md "$SOURCE_DIR"/docs/tutorial.md "$SOURCE_DIR"/docs/*.md)

# The result that the README shows is the one that comes out; only its line on the platform is shortened there.
check 'the README shows a result' test -s result
while IFS= read -r line; do
    check 'a line that the README shows' grep -qxF -- "$line" result
done < <(sed -n '/^## A result/,/^## /s/^    //p' "$SOURCE_DIR/README.md" | grep -v '^Platform')

finish
