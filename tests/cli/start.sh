#!/usr/bin/env bash
# How simrun starts: SimGrid's library, which takes longer to load than all else, is loaded only where a platform or a network
# needs it, and ICU where an encoding does. What the loader says is looked at, and no clock.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit

# loads EXPECTED ARGUMENT...: whether libraries of that name are loaded in this run: yes or no.
loads() {
    local expected=$1 got=0 found=no
    shift
    LD_DEBUG=files LD_DEBUG_OUTPUT=$work/loader "$SIMRUN" "$@" >"$work/out" 2>"$work/err" || got=$?
    grep -qs 'calling init: .*/libsimgrid' "$work"/loader.* && found=yes
    libraries=$(cat "$work"/loader.* | grep -o 'calling init: .*' | sort -u | wc -l)
    rm -f "$work"/loader.*
    [ $got -eq 0 ] && [ $found = "$expected" ]
    note $? "simrun $* (status $got): loads SimGrid: $found, expected $expected"
}

cd "$SOURCE_DIR" || exit
loads no --set ranks=4 scenarios/gj256.xml
case $(ldd "$SIMRUN") in
*lib*san*) ;; # they bring their own
*)
    [ "$libraries" -le 16 ]
    note $? "gj256 loads $libraries libraries, at most 16 expected"
    ;;
esac
for encoding in windows-1252 iso-8859-15 UTF-16; do
    { echo "<?xml version=\"1.0\" encoding=\"$encoding\"?>" &&
        sed '1d; s|file="\.\./|file="'"$SOURCE_DIR"'/|; s|reference/|'"$SOURCE_DIR/scenarios/"'&|; s/title="/&5 \xe2\x82\xac: /' \
            scenarios/gj256.xml; } | iconv -f UTF-8 -t "$encoding" >"$work/encoded.xml"
    "$SIMRUN" --set ranks=4 "$work/encoded.xml" >"$work/out" 2>"$work/err" && grep -q '^5 €: ' "$work/out"
    note $? "a scenario in $encoding: $(cat "$work/err")"
done
scenario "$work/plain.xml" icluster "name='ring'" ranks=8 rounds=2
loads no "$work/plain.xml"
scenario "$work/profiles.xml" icluster-loaded "name='ring'" ranks=4 rounds=2 network=fifo
loads yes "$work/profiles.xml"
scenario "$work/torus.xml" t800-mesh-64x64 "name='ring'" ranks=4 rounds=2 network=fifo
loads yes "$work/torus.xml"
finish
