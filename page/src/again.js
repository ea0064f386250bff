// Panels, and those of another answer in their place: one after the other, so that the page stays alive, and first
// those that are in sight. What the first answer was is drawn pale: in a chart with the same axes, or as a picture.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "./dom.js";
import { makeFrame } from "./panel.js";
import { panels } from "./panels/list.js";
import { t } from "./texts/index.js";

// Terms may depend on the study.
export function drawPanel(panel, study, options) {
    const terms = typeof panel.terms === "function" ? panel.terms(study) : panel.terms,
        frame = makeFrame({ ...panel, terms }, options);
    try {
        panel.draw(frame, study);
    } catch (error) {
        // one panel that fails takes no other with it; the test sees the message
        console.error(`${panel.id}: ${error.stack}`);
        frame.body.append(element("p", { class: "failed" }, t`This panel could not be drawn: ${error.message}`));
    }
    return frame.root;
}

// Narrow ones stand in pairs; one that is left over takes the whole width. That may depend on the study.
export function paired(wanted, study) {
    const isWide = ({ wide }) => (typeof wide === "function" ? wide(study) : wide),
        narrow = wanted.filter(panel => !isWide(panel)),
        last = narrow.length % 2 === 1 ? narrow.at(-1) : null;
    return wanted.map(panel => ({ ...panel, wide: isWide(panel) || panel === last }));
}

// The choices in panels, to be made again in those of another answer. part: the page, or a panel.
const listsIn = part => [...part.querySelectorAll(".panel label:has(select)")];
const nameOf = label => `${label.closest(".panel").id} ${label.firstChild.textContent}`;
export const readChoices = part =>
    new Map(listsIn(part).map(label => [nameOf(label), label.querySelector("select").selectedOptions[0]?.text]));
export function chooseAgain(part, choices) {
    for (const label of listsIn(part)) {
        const list = label.querySelector("select"),
            place = [...list.options].findIndex(({ text }) => text === choices.get(nameOf(label)));
        if (place < 0 || place === list.selectedIndex) continue;
        list.selectedIndex = place;
        list.dispatchEvent(new Event("change"));
    }
}

const rest_ms = 300; // without a newer answer, after which panels out of sight are drawn

const pause = ms => new Promise(done => setTimeout(done, ms));

// Once what was drawn is on the screen; a page that is not shown does not wait for that.
const painted = () => Promise.race([new Promise(done => requestAnimationFrame(() => setTimeout(done))), pause(100)]);

const isInSight = ({ root }) => {
    const { top, bottom } = root.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
};

export class Again {
    // grid: the element of the panels. first: the study that they show.
    constructor(grid, first) {
        Object.assign(this, { grid, first });
        this.turn = 0;
        this.shown = new WeakMap(); // the study that a panel shows, if it is not the first
        this.pictures = new Map(); // of the first answer, by panel; taken before the panel is drawn anew
    }

    // Draw the panels of a study; isOther: it is not the first one. False where a newer call has taken its place.
    async draw(study, isOther) {
        const turn = ++this.turn;
        const places = paired(
            panels.filter(({ wants }) => wants(study)),
            study,
        ).map(panel => ({
            panel,
            root: document.getElementById(panel.id) ?? element("section", { id: panel.id, class: "panel" }),
        }));
        const roots = places.map(({ root }) => root);
        const live = this.grid.querySelector("#live"); // stays behind the first one
        if (live) roots.splice(1, 0, live);
        if (roots.some((root, i) => root !== this.grid.children[i]) || roots.length !== this.grid.children.length)
            this.grid.replaceChildren(...roots);
        const seen = places.filter(isInSight),
            others = places.filter(place => !seen.includes(place));
        const drawAll = async some => {
            for (const place of some) {
                const begin = performance.now();
                if (turn !== this.turn) return;
                this.replace(place, study, isOther);
                await painted();
                await pause(performance.now() - begin); // half of the time is the reader's
            }
        };
        await drawAll(seen);
        await pause(isOther ? rest_ms : 0);
        await drawAll(others);
        return turn === this.turn;
    }

    replace({ panel, root: old }, study, isOther) {
        if (!this.pictures.has(panel.id)) this.pictures.set(panel.id, this.takePicture(panel, old));
        const choices = this.choicesIn(old, panel),
            picture = isOther ? this.pictures.get(panel.id) : null,
            hidden = picture?.hasCharts ? this.hide(panel) : null,
            root = drawPanel(panel, study, { before: hidden?.charts });
        this.shown.set(root, study);
        old.replaceWith(root);
        // The first one is asked for the same as the one that is seen, before that is drawn.
        if (hidden) root.addEventListener("change", () => chooseAgain(hidden.root, readChoices(root)), true);
        chooseAgain(root, choices);
        if (picture && !root.querySelector("[data-before]")) root.append(picture.figure);
    }

    // The reader has chosen it; the run that is looked at without being asked for is no choice.
    choicesIn(root, { id }) {
        const choices = readChoices(root),
            study = this.shown.get(root) ?? this.first,
            run = `${id} ${t("run ")}`;
        if (study.best && choices.get(run) === study.label(study.best)) choices.delete(run);
        return choices;
    }

    // The panel of the first answer, not shown: what its charts would be.
    hide(panel) {
        const charts = [];
        return { charts, root: drawPanel(panel, this.first, { charts }) };
    }

    // null: the panel is none of the first answer.
    takePicture({ title }, root) {
        if (!root.svg) return null;
        const image = element("img", {
            class: document.documentElement.dataset.theme,
            alt: t`${title}, as it was`,
            src: "data:image/svg+xml," + encodeURIComponent(root.svg()),
        });
        return {
            hasCharts: root.querySelector(".chart") !== null,
            figure: element("figure", { class: "before-image" }, element("figcaption", {}, t("As it was")), image),
        };
    }
}
