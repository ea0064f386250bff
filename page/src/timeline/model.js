// A timeline as it is asked about: rows, tracks of what they do, messages, and the critical path. Times are in units
// of the timeline; unit_s is how long one is.
// SPDX-License-Identifier: BSD-3-Clause
import { Messages } from "./messages.js";
import { BinTrack, firstAbove, joinAlike, Track } from "./track.js";

export const noPhase = "no phase";

// A row is one location, or several neighbors where the timeline has sums only.
function makeRows({ nRanks, nLocations, bins }) {
    const each = bins.nRows > 0 ? bins.locationsPerRow : 1,
        rows = [];
    for (const [kind, from, to] of [
        ["rank", 0, nRanks],
        ["controller", nRanks, nLocations],
    ])
        for (let at = from; at < to; at += each)
            rows.push({ kind, first: at - from, end: Math.min(at + each, to) - from });
    return rows;
}

// Of some neighboring rows of one kind.
export function nameOfRows(rows) {
    const { kind, first } = rows[0],
        last = rows.at(-1).end - 1;
    return first === last ? `${kind} ${first}` : `${kind}s ${first}-${last}`;
}

function makeTracks(timeline) {
    const { intervals, bins, unit_ps, end_ps, stateNames, categoryNames, operationNames } = timeline;
    const scopeNames = timeline.scopeNames.map(name => name || noPhase);
    if (intervals.count === 0) {
        const of = (cells, names) =>
            new BinTrack({
                cells: cells.map(time => (time * bins.cell_ps) / unit_ps),
                nBins: bins.nBins,
                width: bins.bin_ps / unit_ps,
                end: end_ps / unit_ps,
                names,
            });
        return { states: of(bins.states, stateNames), phases: of(bins.scopes, scopeNames) };
    }
    const { first, start, length, classes } = intervals;
    const named = (property, names) => ({
        first,
        start,
        length,
        names,
        name: Uint8Array.from(intervals.class, c => classes[property][c]),
    });
    // what only programs that share memory have
    const oneOf = (property, names) =>
        classes[property].some(value => value > 0) ? joinAlike(named(property, names)) : undefined;
    return {
        states: new Track(named("state", stateNames)),
        phases: joinAlike(named("scope", scopeNames)),
        categories: oneOf("category", categoryNames),
        operations: oneOf("operation", operationNames),
    };
}

// What the timeline does not have, in words.
function findLacks({ intervals, messages, segments }) {
    const count = number => number.toLocaleString("en-US");
    const lacks = [];
    if (intervals.count < intervals.all)
        lacks.push(`${count(intervals.all)} intervals are shown as shares of time, not one by one.`);
    if (messages.count < messages.all) lacks.push(`${count(messages.all)} messages are not in this page.`);
    if (segments.count < segments.all)
        lacks.push(`The critical path has ${count(segments.all)} segments, which are not in this page.`);
    return lacks;
}

export function makeModel(timeline) {
    const { unit_ps, end_ps, segments, messages, componentNames } = timeline,
        rows = makeRows(timeline);
    return {
        rows,
        end: Math.max(end_ps / unit_ps, 1),
        unit_s: unit_ps * 1e-12,
        ...makeTracks(timeline),
        nRanks: timeline.nRanks,
        messages: messages.count > 0 ? new Messages(messages) : null,
        path: segments.count > 0 ? { ...segments, names: componentNames, scopeNames: timeline.scopeNames } : null,
        lacks: findLacks(timeline),
    };
}

// The first and the end of the segments of the path that are in the window.
export function segmentsIn(path, from, to) {
    return [Math.max(firstAbove(path.start, from) - 1, 0), firstAbove(path.start, to)];
}

// The time with each name, in the window, of all rows from one to before another.
export function sumOf(track, from, to, firstRow, endRow) {
    const out = new Float64Array(track.names.length);
    for (let row = firstRow; row < endRow; row++) track.add(row, from, to, 1, out);
    return out;
}
