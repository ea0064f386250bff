// Parts of the waits of one source, as rows of a tree of bars.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "./dom.js";
import { term } from "./glossary.js";
import { format } from "./numbers.js";
import { colourOfKind, intervals, waitParts } from "./shared_memory.js";

const isSame = (a, b) => a.scope === b.scope && a.category === b.category && a.operation === b.operation;

// The intervals of one source that took time, in the order in which they pass: { number, part, what, time_s, index }.
export const intervalsOf = ({ wait_intervals: all }, wait) =>
    intervals.flatMap(([number, part, what]) => {
        const index = all.findIndex(row => row.interval === number && isSame(row, wait));
        return index < 0 ? [] : [{ number, part, what, time_s: all[index].time_s, index }];
    });

// Rows below a source, each beginning where the one before it ends: intervals, or categories if the run has no
// intervals.
export function partRows(at, wait, index, most) {
    let from = 0;
    const rowOf = (key, name, part, time_s, number) => {
        const bar = { from: from / most, to: (from + time_s) / most, colour: colourOfKind(part) };
        from += time_s;
        return { key: `${index}/${key}`, name, bars: [bar], numbers: [number, "", format(time_s / wait.count, "s")] };
    };
    if (at.run.wait_intervals)
        return intervalsOf(at.run, wait).map(({ number, part, what, time_s, index: place }) =>
            rowOf(number, `${number}: ${what}`, part, time_s, at.figure("s", "wait_intervals", place, "time_s")),
        );
    return waitParts
        .filter(([key]) => wait[`${key}_s`] > 0)
        .map(([key, word]) =>
            rowOf(
                key,
                element("span", {}, term(word), ` (${key})`),
                key,
                wait[`${key}_s`],
                at.figure("s", "waits", index, `${key}_s`),
            ),
        );
}
