// Where something is on the timeline of a run, so that a panel may lead there.
import { setWindow } from "../window.js";
import { noPhase } from "./model.js";
import { hasTimeline, timelineOf } from "./store.js";
import { firstAbove } from "./track.js";

export const canFind = hasTimeline;

// What the row does with that name of the track, piece by piece: calls back with start and end.
function eachPiece(track, row, name, take) {
    const number = track.names.indexOf(name);
    for (let i = track.first[row]; i < track.first[row + 1]; i++)
        if (track.name[i] === number) take(track.start[i], track.start[i] + track.length[i]);
}

// The longest time in which one of the ranks was in that scope and category; null where there is none, or where the
// timeline has sums only.
function findLongest({ categories, phases }, ranks, scope, category) {
    let found = null;
    if (!categories) return null;
    for (const row of ranks)
        eachPiece(categories, row, category, (start, end) => {
            const first = Math.max(firstAbove(phases.start, start, phases.first[row], phases.first[row + 1]) - 1, 0);
            for (let i = first; i < phases.first[row + 1] && phases.start[i] < end; i++) {
                const from = Math.max(start, phases.start[i]),
                    to = Math.min(end, phases.start[i] + phases.length[i]);
                if (phases.names[phases.name[i]] === scope && to - from > (found ? found.to - found.from : 0))
                    found = { from, to };
            }
        });
    return found;
}

// Show it in the timeline, in the middle of the window. A promise of whether it was found. scope: null for none.
export async function showLongest(run, ranks, scope, category) {
    const model = await timelineOf(run),
        found = findLongest(model, ranks, scope ?? noPhase, category);
    if (found === null) return false;
    const wide = found.to - found.from;
    const from = Math.max(found.from - wide, 0),
        to = Math.min(found.to + wide, model.end);
    setWindow(run, from * model.unit_s, to * model.unit_s);
    document.getElementById("timeline")?.scrollIntoView({ block: "start" });
    return true;
}
