// All panels, in the order of the page: a file and a line each.
// A panel is { id, title, about, terms, wide, wants(study), draw(frame, study) }.
// SPDX-License-Identifier: BSD-3-Clause
import { answer } from "./answer.js";
import { bottlenecks } from "./bottlenecks.js";
import { callChanges } from "./call_changes.js";
import { callTree } from "./call_tree.js";
import { carnival } from "./carnival.js";
import { causes } from "./causes.js";
import { comparison } from "./comparison.js";
import { components } from "./components.js";
import { crossover } from "./crossover.js";
import { delays } from "./delays.js";
import { functions } from "./functions.js";
import { grid } from "./grid.js";
import { growth } from "./growth.js";
import { iterations } from "./iterations.js";
import { matrix } from "./matrix.js";
import { models } from "./models.js";
import { overheads } from "./overheads.js";
import { pop } from "./pop.js";
import { profile } from "./profile.js";
import { race } from "./race.js";
import { ranking } from "./ranking.js";
import { scaling } from "./scaling.js";
import { sizes } from "./sizes.js";
import { source } from "./source.js";
import { standings } from "./standings.js";
import { states } from "./states.js";
import { timeline } from "./timeline.js";
import { bestTimelines, bothTimelines, timelines } from "./timelines.js";
import { topologies } from "./topologies.js";
import { topology } from "./topology.js";
import { waits } from "./waits.js";
import { whatif } from "./whatif.js";

export const panels = [
    answer,
    comparison,
    callChanges,
    timelines,
    growth,
    models,
    scaling,
    race,
    standings,
    ranking,
    crossover,
    grid,
    topologies,
    functions,
    callTree,
    iterations,
    delays,
    source,
    overheads,
    components,
    bottlenecks,
    whatif,
    pop,
    carnival,
    profile,
    waits,
    causes,
    bothTimelines,
    bestTimelines,
    timeline,
    states,
    matrix,
    sizes,
    topology,
];
