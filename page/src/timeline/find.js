// Where something is on the timeline of a run, so that a panel may lead there.
// SPDX-License-Identifier: BSD-3-Clause
import { CATEGORY_WAIT } from "words";
import { setWindow } from "../window.js";
import { noPhase } from "./model.js";
import { hasTimeline, timelineOf } from "./store.js";
import { firstAbove } from "./track.js";

export const canFind = hasTimeline;

// The times of a row from one to another in which the track has that name.
function within(track, row, name, { from, to }) {
    const end = track.first[row + 1],
        first = Math.max(firstAbove(track.start, from, track.first[row], end) - 1, track.first[row]),
        found = [];
    for (let i = first; i < end && track.start[i] < to; i++)
        if (track.names[track.name[i]] === name)
            found.push({ from: Math.max(from, track.start[i]), to: Math.min(to, track.start[i] + track.length[i]) });
    return found;
}

// The times of a row that are one but for what it served others meanwhile.
function joined(times, track, row) {
    const isServing = (from, to) =>
        within(track, row, "Prste", { from, to }).reduce((sum, one) => sum + one.to - one.from, 0) === to - from;
    const out = [];
    for (const time of times)
        if (out.length > 0 && isServing(out.at(-1).to, time.from)) out.at(-1).to = time.to;
        else out.push({ ...time });
    return out;
}

const longestOf = times =>
    times.reduce((best, time) => (time.to - time.from > (best ? best.to - best.from : 0) ? time : best), null);

// The longest time in which one of the ranks was in that scope and category, for that operation; null where there is
// none. A wait goes on while others are served.
function findLongest({ phases, categories, operations, end }, ranks, { scope, category, operation }) {
    const wanted = [
        [categories, category],
        [phases, scope ?? noPhase],
        ...(operation && operations ? [[operations, operation]] : []),
    ];
    const timesOf = row =>
        wanted.reduce(
            (times, [track, name]) => times.flatMap(time => within(track, row, name, time)),
            [{ from: 0, to: end }],
        );
    return longestOf(
        ranks.flatMap(row => (category === CATEGORY_WAIT ? joined(timesOf(row), categories, row) : timesOf(row))),
    );
}

// Show it in the timeline, in the middle of the window. A promise of whether it was found. wanted: { scope, category,
// operation }, where scope is null for none, operation for any.
export async function showLongest(run, ranks, wanted) {
    const model = await timelineOf(run),
        found = model.categories ? findLongest(model, ranks, wanted) : null; // else it has sums only
    if (found === null) return false;
    const wide = found.to - found.from;
    const from = Math.max(found.from - wide, 0),
        to = Math.min(found.to + wide, model.end);
    setWindow(run, from * model.unit_s, to * model.unit_s);
    document.getElementById("timeline")?.scrollIntoView({ block: "start" });
    return true;
}
