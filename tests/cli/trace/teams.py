#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What threads of teams wait for, counted from what otf2-print says of an archive of tests/trace/otf2/teams_otf2.c.

    otf2-print trace.otf2 | teams.py RANKS

prints the seconds of all threads: for the last one at barriers, for locks, and in no team; ticks are ps. In a barrier
with tasks, all time in it and in no region within counts."""
import collections
import json
import re
import sys

n_ranks = int(sys.argv[1])
events = collections.defaultdict(list)
for line in sys.stdin:
    found = re.match(r"([A-Z_]+) +(\d+) +(\d+) *(.*)", line)
    if found:
        name, location, time, rest = found.groups()
        region = re.search(r'Region: "([^"]*)"', rest)
        events[int(location)].append((name, int(time), region.group(1) if region else ""))

barriers = collections.defaultdict(list)  # rank, number: [entered, own time within] of each thread
lock = serial = 0
for location, list_ in events.items():
    rank, number, busy, teams, since = location % n_ranks, 0, 0, 0, 0
    for i, (name, time, region) in enumerate(list_):
        if name == "ENTER" and "barrier" in region:
            inner = [e for e in list_[i + 1 :]]
            depth = work = 0
            for other, at, _ in inner:
                if other == "LEAVE" and depth == 0:
                    break
                if other in ("ENTER", "LEAVE"):
                    depth += 1 if other == "ENTER" else -1
                    work += -at if (other, depth) == ("ENTER", 1) else at if (other, depth) == ("LEAVE", 0) else 0
            barriers[rank, number].append((time, at, work))
            number += 1
        if name == "THREAD_ACQUIRE_LOCK":
            lock += time - list_[i - 1][1]
        if name == "THREAD_TEAM_BEGIN":
            serial += time - since
        if name == "THREAD_TEAM_END":
            since, teams = time, teams + 1
    if teams:
        serial += events[rank][-1][1] - since
team = 0
for threads in barriers.values():
    last = max(entered for entered, _, _ in threads)
    has_tasks = any(work for _, _, work in threads)
    team += sum(left - entered - work if has_tasks else last - entered for entered, left, work in threads)
print(json.dumps([team / 1e12, lock / 1e12, serial / 1e12]))
