#!/usr/bin/env bash
# Platforms of more hosts than are tried in pairs, some of whose routes are missing: messages that have routes take
# their time, and others are told the two hosts. And files with something before the XML declaration.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
cd "$work" || exit

# row FILE HOSTS ROUTING [SYMMETRICAL [WITHOUT]]: hosts with a route of 1 us and 1 GB/s to the next, but for one.
row() {
    awk -v hosts="$2" -v routing="$3" -v symmetrical="${4-YES}" -v without="${5--1}" 'BEGIN {
        print "<platform version=\"4.1\"><zone id=\"row\" routing=\"" routing "\">"
        for (i = 0; i < hosts; i++)
            print "<host id=\"h" i "\" speed=\"1Gf\"/><link id=\"l" i "\" bandwidth=\"1GBps\" latency=\"1us\"/>"
        for (i = 0; i + 1 < hosts; i++)
            if (i != without)
                printf "<route src=\"h%d\" dst=\"h%d\" symmetrical=\"%s\"><link_ctn id=\"l%d\"/></route>\n",
                    i, i + 1, symmetrical, i
        print "</zone></platform>"
    }' >"$1"
}

# send FROM TO: 1000 bytes among as many ranks as there must be.
send() {
    awk -v from="$1" -v to="$2" 'BEGIN {
        for (i = 0; i <= from || i <= to; i++) {
            print i " init"
            if (i == from)
                print i " send " to " 0 1000"
            if (i == to)
                print i " recv " from " 0 1000"
            print i " finalize"
        }
    }' >"$1-$2.ti"
}

# takes PLATFORM TI TIME_PS
takes() {
    run -f json -p "$1" "$2"
    holds "(.runs[0].time_s * 1e12 | round) == $3"
}

send 0 1
send 1 0
send 0 129
send 139 138

row full.xml 130 Full
takes full.xml 0-1.ti 2000000
takes full.xml 1-0.ti 2000000
expect 2 "full.xml: has no route from host 'h0' to host 'h129'" -p full.xml 0-129.ti
row many.xml 600 Full
takes many.xml 139-138.ti 2000000
expect 2 "has no route from host 'h0' to host 'h129'" -p many.xml 0-129.ti

# Routes that are searched for, on two islands, and in one direction only. SimGrid's Dijkstra would not end.
for routing in Floyd Dijkstra DijkstraCache; do
    row islands.xml 140 $routing YES 69
    takes islands.xml 139-138.ti 2000000
    expect 2 "has no route from host 'h0' to host 'h129'" -p islands.xml 0-129.ti
    row down.xml 140 $routing NO
    takes down.xml 0-129.ti 130000000
    expect 2 "has no route from host 'h1' to host 'h0'" -p down.xml 1-0.ti
done
row many.xml 520 Floyd NO # where h0 has all routes
takes many.xml 0-129.ti 130000000
expect 2 "has no route from host 'h1' to host 'h0'" -p many.xml 1-0.ti
row small.xml 10 Dijkstra NO
takes small.xml 0-1.ti 2000000

# Two clusters that nothing connects, and a zone without any routes.
cluster() {
    echo "<cluster id='$1' prefix='$1-' suffix='' radical='0-99' speed='1Gf' bw='1GBps' lat='1us'/>"
}
echo "<platform version='4.1'><zone id='w' routing='Full'>$(cluster a)$(cluster b)</zone></platform>" >clusters.xml
takes clusters.xml 0-1.ti 3000000
expect 2 "has no route from host 'a-0' to host 'b-35'" -p clusters.xml 0-129.ti
sed 's/routing="Full"/routing="None"/; /<route/d' full.xml >none.xml
expect 2 "has no route from host 'h0' to host 'h1'" -p none.xml 0-1.ti

# Before the declaration: blank lines of all kinds, comments, the mark of byte order. Lines keep their numbers.
row plain.xml 3 Full
declared() {
    printf "$1" >before.xml
    printf '<?xml version="1.0" encoding="ISO-8859-1"?>\n' >>before.xml
    cat "${2-plain.xml}" >>before.xml
}
for before in '\n' '  \t\r\n\r\n' '<!-- of <?xml -->\n\n<!-- two\nlines -->' '\357\273\277\n' '\n\357\273\277'; do
    declared "$before"
    takes before.xml 0-1.ti 2000000
done
{ printf '<!-- ' && head -c 20000 /dev/zero | tr '\0' x && echo ' -->' && cat plain.xml; } >long.xml # a long licence
takes long.xml 0-1.ti 2000000
run check long.xml
said yes 'ok, a platform of 3 hosts'
gzip -k long.xml
run check long.xml.gz
said yes 'ok, a platform of 3 hosts'
sed 's/latency="1us"/latency="1u"/' plain.xml >wrong.xml
declared '\n\n' wrong.xml
expect 2 "before.xml:5:" -p before.xml 0-1.ti
declared '\n<?xml version="1.0"?>\n'
expect 2 'before.xml:[23]: not well-formed XML: XML declaration allowed only at the start' -p before.xml 0-1.ti
scenario ring.xml "$SOURCE_DIR/platforms/icluster.xml" "name='ring'" ranks=2 bytes=1kB rounds=1
{ printf '\n<!-- a ring -->\n<?xml version="1.0"?>\n' && cat ring.xml; } >late.xml
run -f json ring.xml
early=$(jq '.runs[0].time_s' out)
run -f json late.xml
same 'a scenario with a comment before its declaration' "$(jq '.runs[0].time_s' out)" "$early"

finish
