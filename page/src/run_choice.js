// Which run a panel shows: a choice among those that it has something to say of. Panels follow each other, and the
// timeline.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "./dom.js";
import { pointerTo, quantity } from "./numbers.js";
import { chooseRun, onWindow, shownWindow } from "./window.js";
import { t } from "./texts/index.js";

// The runs for which there is something to show.
export const runsWith = (study, has) => study.runs.filter(has);

// draw() is called after another was chosen. at.run is the one that is shown now; at.figure(unit, ...keys) is a number
// of it, as it is shown.
export function followRun(frame, study, has, draw) {
    const runs = runsWith(study, has),
        asked = runs.find(run => run.index === shownWindow().run);
    const at = { run: asked ?? (runs.includes(study.best) ? study.best : runs[0]) };
    at.figure = (unit, ...keys) => quantity(study.data, pointerTo("runs", at.run.index, ...keys), unit);
    const list = element(
        "select",
        {
            onchange: () => {
                at.run = runs[list.selectedIndex];
                chooseRun(at.run.index);
                draw();
            },
        },
        runs.map(run => element("option", { selected: run.index === at.run.index }, study.label(run))),
    );
    if (runs.length > 1) frame.controls.append(element("label", {}, t("run "), list));
    onWindow(({ run }) => {
        const place = runs.findIndex(one => one.index === run);
        if (place < 0 || run === at.run.index) return;
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
