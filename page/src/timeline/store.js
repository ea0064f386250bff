// The timelines that the page brings along, by run: unpacked once, when they are first asked for.
// SPDX-License-Identifier: BSD-3-Clause
import { decodeTimeline } from "../timeline_data.js";
import { makeModel } from "./model.js";

const models = new Map();

export const hasTimeline = run => window.simrunHas(`timeline-${run}`);

// Before another answer is drawn.
export const forgetTimelines = () => models.clear();

// A promise of the model of that run's timeline.
export function timelineOf(run) {
    if (!models.has(run))
        models.set(
            run,
            window.simrunUnpack(`timeline-${run}`).then(bytes => makeModel(decodeTimeline(new Uint8Array(bytes)))),
        );
    return models.get(run);
}
