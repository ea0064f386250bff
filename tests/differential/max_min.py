"""Weighted max-min fair sharing of wires, the slow and obvious way, for pairs that send messages one after another.

After each event all rates are found anew: the level of all flows that are not fixed rises until a wire is full, and its
flows are fixed; until all are. A flow's rate is its weight times its level; its weight is the inverse of its route's latency
(Casanova and Marchal 2002). Sums are exact fractions, so nothing is rounded but the times at the end.
"""
# SPDX-License-Identifier: BSD-3-Clause
from fractions import Fraction


def rates_of(flows, capacity):
    """flows: {name: (wires, weight)}; wires that are no constraint (fat pipes) bound each flow alone."""
    rates, free = {}, dict(capacity)
    rising = dict(flows)
    while rising:
        levels = {}
        for wire, left in free.items():
            weight = sum(weight for wires, weight, _ in rising.values() if wire in wires)
            if weight:
                levels[("wire", wire)] = left / weight
        for name, (_, weight, most) in rising.items():
            if most is not None:
                levels[("flow", name)] = most / weight
        level = min(levels.values())
        full = {key for key, value in levels.items() if value == level}
        for name, (wires, weight, _) in list(rising.items()):
            if ("flow", name) in full or any(("wire", wire) in full for wire in wires):
                rates[name] = weight * level
                for wire in set(wires):
                    free[wire] -= rates[name]
                del rising[name]
    return rates


def simulate(pairs, capacity):
    """pairs: lists of (pause, bytes, latency, wires, most), done one after the other; the end of the last, in seconds."""
    todo = {pair: list(messages) for pair, messages in enumerate(pairs)}
    starts, left, flows = {}, {}, {}
    now, end = Fraction(0), Fraction(0)

    def begin(pair):
        if todo[pair]:
            starts[pair] = now + todo[pair][0][0] + todo[pair][0][2]

    for pair in todo:
        begin(pair)
    while starts or flows:
        rates = rates_of(flows, capacity)
        moments = [*starts.values(), *(now + left[pair] / rates[pair] for pair in flows)]
        then = min(moments)
        for pair in flows:
            left[pair] -= rates[pair] * (then - now)
        now = then
        for pair in [pair for pair in flows if left[pair] == 0]:
            del flows[pair], left[pair]
            end = max(end, now)
            begin(pair)
        for pair in [pair for pair, at in starts.items() if at == now]:
            _, size, latency, wires, most = todo[pair].pop(0)
            del starts[pair]
            left[pair], flows[pair] = Fraction(size), (wires, 1 / (latency or Fraction(1)), most)
    return end
