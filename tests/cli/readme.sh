#!/usr/bin/env bash
# Every ./simrun command in the README and the documents works as it stands, from the root of a checkout.
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
for folder in scenarios platforms docs; do ln -s "$SOURCE_DIR/$folder" "$work/$folder"; done
ln -s "$SIMRUN" "$work/simrun"
cd "$work" || exit 1

# A trace in place of that of the reader's own program, and the scenario that replays it.
./simrun -o app.txt --set ranks=4 --trace run.otf2 scenarios/gj128.xml
sed -n '/^cat > app.xml/,/^END/p' "$SOURCE_DIR/README.md" | bash

while IFS= read -r command; do
    bash -c "set -o pipefail; $command" >out 2>err && [ ! -s err ]
    note $? "$command"
done < <(awk '/^```sh/ {on = 1; next} /^```/ {on = 0} on && /^\.\/simrun/' "$SOURCE_DIR"/README.md "$SOURCE_DIR"/docs/*.md)

# The result that the README shows is the one that comes out; only its line on the platform is shortened there.
./simrun scenarios/gj256.xml >out 2>err
while IFS= read -r line; do
    check 'a line that the README shows' grep -qxF -- "$line" out
done < <(sed -n '/^## A result/,/^## /s/^    //p' "$SOURCE_DIR/README.md" | grep -v '^Platform')

finish
