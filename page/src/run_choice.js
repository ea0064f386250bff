// Which run a panel shows: a choice among those that it has something to say of. Panels follow each other, and the
// timeline.
import { element } from "./dom.js";
import { pointerTo, quantity } from "./numbers.js";
import { chooseRun, onWindow, shownWindow } from "./window.js";

// A run with its details, and where these stand: { root, path, run }.
function detailsOf({ data, detailed }, run) {
    const its = detailed?.get(run.index) ?? { root: data, path: ["runs", run.index], run };
    return { ...its, run: { ...its.run, index: run.index } };
}

// The runs for which there is something to show. has(run): whether there is, of a run with its details.
export const runsWith = (study, has) => study.runs.filter(run => has(detailsOf(study, run).run));

// draw() is called after another was chosen. at.run is the one that is shown now, with its details; at.figure(unit,
// ...keys) is a number of it, as it is shown.
export function followRun(frame, study, has, draw) {
    const runs = runsWith(study, has), asked = runs.find(run => run.index === shownWindow().run);
    const at = { choose(run) { Object.assign(at, detailsOf(study, run)); } };
    at.figure = (unit, ...keys) => quantity(at.root, pointerTo(...at.path, ...keys), unit);
    at.choose(asked ?? (runs.includes(study.best) ? study.best : runs[0]));
    const list = element("select", { onchange: () => {
        at.choose(runs[list.selectedIndex]);
        chooseRun(at.run.index);
        draw();
    } }, runs.map(run => element("option", { selected: run.index === at.run.index }, study.label(run))));
    if (runs.length > 1) frame.controls.append(element("label", {}, "run ", list));
    onWindow(({ run }) => {
        const place = runs.findIndex(one => one.index === run);
        if (place < 0 || run === at.run.index) return;
        at.choose(runs[place]);
        list.selectedIndex = place;
        draw();
    });
    return at;
}

// The part of that run's time that is shown; null where it is all of it.
export function partOf(run) {
    const shown = shownWindow();
    return shown.run === run.index && !shown.whole ? shown : null;
}
