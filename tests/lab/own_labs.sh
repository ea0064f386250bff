#!/usr/bin/env bash
# Laboratories of other labs, scenarios, machines and traces than simrun's own, made by the program alone; see own_labs.mjs for
# what they do in a browser.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need "the laboratory (npm, clang)" test -e "$BUILD_DIR/lab/lab.html"
cd "$work" || exit
mkdir -p course/scenarios/own course/traces machines
sed 's/id="icluster"/id="ours"/' "$SOURCE_DIR/platforms/icluster.xml" >machines/ours.xml
cat >course/scenarios/two.xml <<END
<?xml version="1.0"?>
<scenario name="two" title="A trace of our own">
  <platform file="../../machines/ours.xml,$SOURCE_DIR/platforms/ncp2-myrinet.xml"/>
  <application name="trace" file="../traces/two.ti"/>
</scenario>
END
printf '# of two ranks\nranks/0.txt\nranks/1.txt\n' >course/traces/two.ti # a list, as smpirun writes it
mkdir course/traces/ranks
printf '0 init\n0 compute 1e6\n0 send 1 0 4096\n0 finalize\n' >course/traces/ranks/0.txt
printf '1 init\n1 recv 0 0 4096\n1 finalize\n' >course/traces/ranks/1.txt
cat >course/scenarios/mine.xml <<'END'
<scenario name="mine" title="Ours">
  <platform file="icluster"/>
  <application name="broadcast"/>
  <param name="ranks" value="4,8"/>
  <broadcast file="own/star.txt"/>
  <param name="broadcast" value="own"/>
</scenario>
END
printf 'for r = 1 to ranks - 1\n0 -> r\nend\n' >course/scenarios/own/star.txt
cat >course/10-last.md <<'END'
# Lab 10: the last
END
cat >course/2-ours.md <<'END'
# Lab 2: <em>our</em> machine

```experiment
title Two ranks
scenario two
menu platform ours ncp2-myrinet = ours
factor latency
show ranking states
```

```experiment
title Our broadcast
scenario mine
lines star binomial
menu ranks 4 8 = 8
show scaling
```

```question
ask How long does it take on ours?
scenario two
set platform=ours
answer time_s
unit ms 0.001
```
END
check 'a laboratory' "$SIMRUN" lab -o own.html course/10-last.md course/2-ours.md
expect 2 'course/10-last.md: --solutions: no lab has any; those of NAME.md are solutions/NAME.md' \
    lab --solutions -o x.html course/10-last.md course/2-ours.md
mkdir course/solutions
printf '# Sheet\n\nA star is slow.\n' >course/solutions/2-ours.md
check 'with solutions' "$SIMRUN" lab --solutions -o solved.html course/10-last.md course/2-ours.md
check 'of one experiment' "$SIMRUN" lab --only 2.2 -o one.html course/2-ours.md
check "of simrun's own" "$SIMRUN" lab --only 1-gauss-jordan.2 -o gj.html
check 'of a scenario' "$SIMRUN" lab -o mine.html course/scenarios/mine.xml
check 'its size' test "$(stat -c %s own.html)" -lt 3000000

# wrong PLACE SED-SCRIPT MESSAGE: the second lab, changed, is refused at that line.
wrong() {
    sed "$1" course/2-ours.md >course/wrong.md
    expect 2 "$2" lab -o wrong.html course/wrong.md
    check "$1: nothing is written" test ! -e wrong.html
}
wrong 's/^title Two.*/titel Two/' "course/wrong.md:4: unknown line 'titel' in a block of experiment; did you mean 'title'?"
wrong 's/scenario two/scenario tow/' "course/wrong.md:5: "
wrong 's/menu ranks 4 8 = 8/menu rank 4 8 = 8/' "course/wrong.md:13: .*unknown parameter 'rank'"
wrong 's/^menu platform.*/menu platform/' 'course/wrong.md:6: menu needs at least 4 words, not 1'
wrong '/^show scaling/d' "course/wrong.md:11: a block of experiment needs the line 'show'"
wrong 's/^answer.*/answer ranks of most ranks if time_s >= few/' "course/wrong.md:23: answer: 'few' is not a number"
wrong 's/^unit.*/within nan %/' "course/wrong.md:24: within: 'nan' is not a number"
wrong 's/^answer.*/answer time_s of/' 'course/wrong.md:23: answer is X, ratio X'
expect 2 'x.txt: is neither a lab .* nor a scenario' lab -o wrong.html x.txt
expect 2 'course/none.md: cannot be read' lab -o wrong.html course/none.md
expect 2 -- '--only 2.9: no lab has that experiment' lab --only 2.9 -o wrong.html course/2-ours.md
# The same lab in German: german SED-SCRIPT MESSAGE is refused there.
mkdir course/de course/xx course/solutions/de
german() {
    sed "$1" course/2-ours.md >course/de/2-ours.md
    expect 2 "$2" lab -o wrong.html course/2-ours.md
    check "$1: nothing is written" test ! -e wrong.html
}
german 's/= 8/= 4/' \
    "course/de/2-ours.md:15: 'menu ranks 4 8 = 4' differs from 'menu ranks 4 8 = 8' of course/2-ours.md:15; only ask and title may"
german '/^factor/d' "course/de/2-ours.md:7: 'show ranking states' differs from 'factor latency' of course/2-ours.md:7"
german '/^unit/d' "course/de/2-ours.md:19: the block lacks 'unit ms 0.001' of course/2-ours.md:24"
german '/^unit/a within 5 %' "course/de/2-ours.md:25: 'within 5 %': the block of course/2-ours.md has no such line"
german '/^```question/,$d' 'course/de/2-ours.md: 2 blocks, but course/2-ours.md has 3'
german 's/```question/```predict/' 'course/de/2-ours.md:19: this block is of another kind at course/2-ours.md:19'
german 's/^title Two.*/titel Zwei/' "course/de/2-ours.md:4: unknown line 'titel'"
sed 's/^# .*/# Praktikum 2: unsere Maschine/; s/^title Two.*/title Zwei Ränge/
    s/^ask .*/ask Wie lange dauert es auf unserer?/' \
    course/2-ours.md >course/de/2-ours.md
echo 'not a lab' >course/xx/2-ours.md # no language of the interface
printf '# Blatt\n\nEin Stern ist langsam.\n' >course/solutions/de/2-ours.md
check 'in two languages' "$SIMRUN" lab --solutions -o languages.html course/10-last.md course/2-ours.md
check 'one experiment of it' "$SIMRUN" lab --only 2.1 -o german.html course/2-ours.md
sed -i 's/traces\/two/traces\/three/' course/scenarios/two.xml
expect 2 'course/2-ours.md:5: ' lab -o wrong.html course/2-ours.md
sed -i 's/traces\/three/traces\/two/' course/scenarios/two.xml
printf '\0' >>course/traces/ranks/1.txt
expect 2 'course/2-ours.md:5: course/.*/ranks/1.txt: is no text' lab -o wrong.html course/2-ours.md

need Chromium test -x "${CHROMIUM:-/usr/bin/chromium}"
printf '1 init\n1 recv 0 0 4096\n1 finalize\n' >course/traces/ranks/1.txt
seconds() {
    "$SIMRUN" -q -f json "$@" | jq '.runs[-1].time_s'
}
check 'in a browser' node --no-warnings "$SOURCE_DIR/tests/lab/own_labs.mjs" "$BUILD_DIR/page" "$work" \
    "$(seconds --set platform=ours course/scenarios/two.xml)" "$(seconds course/scenarios/mine.xml)"
finish
