#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What counters count in the regions of each rank, from what otf2-print says of an archive.

    otf2-print trace.otf2 | counters.py RANKS

prints lines `rank|function|counter|value` of all counters that are integers and rise, but those of locations that only
record. Location i is of rank i modulo RANKS."""
import collections
import re
import sys

n_ranks = int(sys.argv[1])
stacks = collections.defaultdict(list)
latest, counted = {}, collections.Counter()
for line in sys.stdin:
    found = re.match(r"([A-Z_]+) +(\d+) +\d+ *(.*)", line)
    if not found:
        continue
    event, location, rest = found.group(1), int(found.group(2)), found.group(3)
    if event == "METRIC" and "Metric: 0," in rest:
        for counter, value in re.findall(r'\("([^"]+)" <\d+>; UINT64; (\d+)\)', rest):
            function = stacks[location][-1] if stacks[location] else ""
            counted[location % n_ranks, function, counter] += int(value) - latest.get((location, counter), 0)
            latest[location, counter] = int(value)
    elif event == "ENTER":
        stacks[location].append(re.search(r'Region: "([^"]*)"', rest).group(1))
    elif event == "LEAVE":
        stacks[location].pop()
for (rank, function, counter), value in sorted(counted.items()):
    print(rank, function, counter, value, sep="|")
