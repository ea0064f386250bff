// Which run a panel shows: a choice among those that it has something to say of. Panels follow each other, and the timeline.
import { element } from "./dom.js";
import { chooseRun, onWindow, shownWindow } from "./window.js";

// has(run): whether it can be shown. draw() is called after another was chosen; `at.run` is the one that is shown now.
export function followRun(frame, study, has, draw) {
    const runs = study.runs.filter(has), first = runs.includes(study.best) ? study.best : runs[0];
    const asked = runs.find(run => run.index === shownWindow().run), at = { run: asked ?? first };
    const list = element("select", { onchange: () => {
        at.run = runs[list.selectedIndex];
        chooseRun(at.run.index);
        draw();
    } }, runs.map(run => element("option", { selected: run === at.run }, study.label(run))));
    if (runs.length > 1) frame.controls.append(element("label", {}, "run ", list));
    onWindow(({ run }) => {
        const place = runs.findIndex(one => one.index === run);
        if (place < 0 || runs[place] === at.run) return;
        at.run = runs[place];
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
