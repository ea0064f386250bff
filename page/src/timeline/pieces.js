// The rows piece by piece, as boxes: for saved pictures of windows with few intervals.
// SPDX-License-Identifier: BSD-3-Clause
import { xOf } from "./geometry.js";
import { firstAbove } from "./track.js";

const mostPieces = 8000;

// The first and the end of the pieces of a row in the window.
function range({ first, start }, row, { from, to }) {
    return [
        Math.max(firstAbove(start, from, first[row], first[row + 1]) - 1, first[row]),
        firstAbove(start, to, first[row], first[row + 1]),
    ];
}

function drawRow(pen, layout, view, { track, named, hidden }, row, y, height) {
    const { plot } = layout,
        [first, end] = range(track, row, view);
    for (let i = first; i < end; i++) {
        const name = track.name[i],
            left = Math.max(xOf(layout, view, track.start[i]), plot.x);
        const right = Math.min(xOf(layout, view, track.start[i] + track.length[i]), plot.x + plot.width);
        if (right > left && !hidden.has(track.names[name])) pen.box(left, y, right - left, height, named[name]);
    }
}

// Returns false, and draws nothing, if rows are groups or only sums, or there are too many pieces.
export function drawPieces(pen, layout, view, { main, phases }) {
    const isSingle = layout.groups.every(group => group.end - group.first === 1);
    if (!main.track.isExact || !isSingle) return false;
    let count = 0;
    for (const { first } of layout.groups) {
        const [from, end] = range(main.track, first, view);
        count += end - from;
    }
    if (count > mostPieces) return false;
    for (const { first, y, height, strip } of layout.groups) {
        const above = phases ? strip : 0;
        if (above > 0) drawRow(pen, layout, view, phases, first, y, above);
        drawRow(pen, layout, view, main, first, y + above, height - above);
    }
    return true;
}
