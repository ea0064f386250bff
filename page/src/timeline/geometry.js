// Where things are: the plot in the canvas, the rows in the plot, times on the axis. Lengths are in CSS pixels.
// SPDX-License-Identifier: BSD-3-Clause
import { nameOfRows } from "./model.js";

const leastRow = 3,
    usualRow = 26,
    comfortable = 160,
    gapOfKinds = 8,
    axisHeight = 24,
    letterWidth = 6,
    laneHeight = 40;

export const laneOf = model => (model.messages ? laneHeight : 0);

// How high the canvas is: rows as high as is comfortable, a few of them up to twice that, within bounds.
export function heightOf(model, most) {
    const count = model.rows.length,
        rows = Math.min(Math.max(count * usualRow, comfortable), 2 * count * usualRow);
    return Math.round(Math.min(most, rows + gapOfKinds) + axisHeight + laneOf(model) + 4);
}

// Neighbors are one group where there are too many rows. view: { from, to, firstRow, endRow } of the model.
function groupRows(model, view, height) {
    const count = view.endRow - view.firstRow,
        { nEach } = model,
        few = Math.max(1, Math.ceil((count * leastRow) / height)),
        each = few === 1 ? 1 : Math.ceil(few / nEach) * nEach; // whole ranks
    const groups = [];
    for (let at = view.firstRow; at < view.endRow;) {
        let end = at + 1;
        const until = Math.min(at + each - (each > 1 ? at % nEach : 0), view.endRow);
        while (end < until && model.rows[end].kind === model.rows[at].kind) end++;
        const rows = model.rows.slice(at, end),
            name = nameOfRows(rows),
            label = (rows.length === 1 && rows[0].processor) || name;
        groups.push({ first: at, end, name, label, kind: model.rows[at].kind });
        at = end;
    }
    return groups;
}

export function layOut(model, view, width, height) {
    const left = Math.max(width < 520 ? 56 : 92, Math.min(14 + letterWidth * model.longestProcessor, 150));
    const plot = {
        x: left,
        y: axisHeight,
        width: Math.max(width - left - 8, 10),
        height: height - axisHeight - laneOf(model) - 4,
    };
    const groups = groupRows(model, view, plot.height - gapOfKinds);
    const gaps = groups.some((group, i) => i > 0 && group.kind !== groups[i - 1].kind) ? gapOfKinds : 0;
    const each = Math.min((plot.height - gaps) / groups.length, 3 * usualRow);
    const groupOf = new Int32Array(model.rows.length).fill(-1);
    let y = plot.y;
    groups.forEach((group, i) => {
        if (i > 0 && group.kind !== groups[i - 1].kind) y += gaps;
        group.y = Math.round(y);
        y += each;
        group.height = Math.max(Math.round(y) - group.y - (each >= 5 ? 1 : 0), 1);
        group.strip =
            model.phases.names.length > 1 && group.height >= 8 ? Math.max(3, Math.round(group.height * 0.32)) : 0;
        groupOf.fill(i, group.first, group.end);
    });
    return {
        width,
        height,
        plot,
        groups,
        groupOf,
        lane: { y: plot.y + plot.height + 8, height: laneOf(model) - 12 },
        perUnit: plot.width / (view.to - view.from),
    };
}

export const xOf = (layout, view, time) => layout.plot.x + (time - view.from) * layout.perUnit;
export const timeAt = (layout, view, x) => view.from + (x - layout.plot.x) / layout.perUnit;

// The middle of the states of a row; above or below the plot where it is not shown.
export function yOfRow(layout, view, row) {
    const group = layout.groups[layout.groupOf[row]];
    if (group === undefined) return row < view.firstRow ? layout.plot.y - 4 : layout.plot.y + layout.plot.height + 4;
    return group.y + group.strip + (group.height - group.strip) / 2;
}

export function groupAt(layout, y) {
    return layout.groups.find(group => y >= group.y && y < group.y + group.height + 1) ?? null;
}

// The largest of 1, 2, 5 times a power of ten of which there is room for one every so many pixels.
export function stepOf(least) {
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= least * 0.999);
}
