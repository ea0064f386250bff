// The timeline of a run: what every rank did when, over time; zoomed and moved by wheel, drag, keys, and fingers.
// SPDX-License-Identifier: BSD-3-Clause
import { element, isTouch } from "../dom.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { listen } from "../timeline/interaction.js";
import { makeLegend } from "../timeline/legend.js";
import { areMessagesApart } from "../timeline/overlay.js";
import { Overview } from "../timeline/overview.js";
import { hasTimeline, timelineOf } from "../timeline/store.js";
import { csvOfWindow, drawSummary } from "../timeline/summary.js";
import { Player } from "../timeline/player.js";
import { makeTip } from "../timeline/tip.js";
import { View } from "../timeline/view.js";
import { chooseRun, onWindow, setWindow, shownWindow } from "../window.js";
import { nameIn, t } from "../texts/index.js";

const help = isTouch
    ? t("Two fingers zoom, one finger moves, a double tap shows all.")
    : t(
          "The wheel zooms; dragging selects a time range; Shift and dragging moves. Keys: arrows, +, -, PageUp " +
              "and PageDown for fewer or more ranks, Home or Escape for all.",
      );

// Notes on data that is drawn as shares or not at all, with the reason.
function saidOf(view) {
    const { model, layout } = view,
        said = [...model.lacks];
    const count = model.messages?.countIn(view.from, view.to) ?? 0;
    if (view.layers.messages && !areMessagesApart(model, view, layout))
        said.push(
            t`${format(count, "count")} messages are too close to be drawn as lines: zoom in. ` +
                t("The lane below the rows shows how many are under way."),
        );
    const grouped = layout.groups.some(group => group.end - group.first > 1);
    if (grouped) said.push(t("A row stands for several neighbors."));
    said.push(t("What is shorter than a pixel is drawn as its share of it."));
    return said.join(" ");
}

function makeParts(frame) {
    const canvas = element("canvas", {
        class: "rows",
        tabindex: 0,
        role: "application",
        "aria-label": t`Timeline. ${help}`,
    });
    const tip = makeTip(),
        overview = element("canvas", { class: "overview", "aria-label": t("All of the run, and the part shown") });
    const said = element("p", { class: "about", "aria-live": "polite" }),
        summary = element("div", { class: "summary" });
    const stage = element("div", { class: "stage" }, canvas, tip.box),
        below = element("div", { class: "stage" }, overview);
    const left = element("div", { class: "drawing" }, stage, below, said);
    return { canvas, tip, overview, said, summary, left };
}

// Opens the timeline of the run that is looked at, and shows the window that others say.
function follow(frame, parts, view, legend, at) {
    const failed = error => {
        console.error(error.stack);
        frame.body.append(element("p", { class: "failed" }, t`The timeline could not be drawn: ${error.message}`));
    };
    const open = async () => {
        const run = at().run.index,
            model = await timelineOf(run);
        if (at().run.index !== run) return; // another one was chosen meanwhile
        const { whole, from_s, to_s, run: shown } = shownWindow();
        view.run = run;
        legend.open(model);
        view.open(model);
        if (shown === run && !whole) view.show(from_s / model.unit_s, to_s / model.unit_s);
        parts.offerColours(model);
        legend.draw();
        frame.root.dataset.ready = "yes";
    };
    onWindow(({ run, from_s, to_s, whole }) => {
        const { model } = view;
        if (model === null || run !== view.run || whole) return;
        if (from_s !== view.from * model.unit_s || to_s !== view.to * model.unit_s)
            view.show(from_s / model.unit_s, to_s / model.unit_s);
    });
    return () => open().catch(failed);
}

export const timeline = {
    id: "timeline",
    title: t("Timeline"),
    about: help,
    terms: ["rank", "location", "scope", "critical path"],
    wide: true,
    wants: study => study.runs.some(run => hasTimeline(run.index)),
    draw(frame, study) {
        const parts = makeParts(frame);
        const view = new View(
            parts.canvas,
            () => {
                setWindow(view.run, view.from * view.model.unit_s, view.to * view.model.unit_s, view.isWhole);
            },
            () => {
                overview.draw();
                player.place();
                telling ??= setTimeout(tell, 120);
            },
        );
        let telling = null; // what is said depends on how rows and messages lie in the picture
        const tell = () => {
            telling = null;
            const now = saidOf(view);
            if (parts.said.textContent !== now) parts.said.textContent = now;
        };
        const player = new Player(view, () => at.run);
        parts.canvas.after(player.mark);
        parts.left.append(player.machine);
        const overview = new Overview(parts.overview, view);
        const legend = makeLegend(view, () => {
            view.want();
            overview.reset();
        });
        frame.body.append(legend.box, player.buttons, element("div", { class: "timeline" }, parts.left, parts.summary));
        listen(
            view,
            event => parts.tip.show(view, event),
            () => parts.tip.hide(),
        );
        onWindow(() => {
            if (view.model) drawSummary(parts.summary, view);
        }, 120);
        let at = null;
        const open = follow(frame, parts, view, legend, () => at);
        at = followRun(
            frame,
            study,
            run => hasTimeline(run.index),
            () => {
                player.open();
                open();
            },
        );
        let isOffered = false;
        parts.offerColours = model => {
            const kinds = ["categories", "operations", "states"].filter(kind => model[kind]);
            if (!isOffered && kinds.length > 1)
                frame.choose(
                    t("color"),
                    kinds.map(value => ({ name: nameIn(value), value })),
                    view.main,
                    kind => {
                        view.colourBy(kind);
                        legend.draw();
                        overview.reset();
                        view.show(view.from, view.to);
                    },
                );
            isOffered ||= kinds.length > 1;
        };
        frame.csv(() => csvOfWindow(view));
        frame.picture(() => view.svg());
        frame.root.timeline = view;
        frame.root.player = player;
        chooseRun(at.run.index);
        player.open();
        open();
    },
};
