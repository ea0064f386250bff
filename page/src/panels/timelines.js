// The timelines of versions that are compared, or of a run as it was and as it is now, one above the other, on one
// scale: who zooms one zooms all.
// SPDX-License-Identifier: BSD-3-Clause
import { element, isTouch } from "../dom.js";
import { format, pointerTo, quantity } from "../numbers.js";
import { listen } from "../timeline/interaction.js";
import { makeLegend } from "../timeline/legend.js";
import { hasTimeline, timelineOf } from "../timeline/store.js";
import { csvOfWindow } from "../timeline/summary.js";
import { makeTip } from "../timeline/tip.js";
import { View } from "../timeline/view.js";
import { t } from "../texts/index.js";

const mostShown = 4;

// { version: its name, time: as it is shown, open(): a promise of its timeline }
const compared = ({ data }) =>
    (data.versions ?? [])
        .map(({ version }, index) => ({
            version,
            index,
            time: () => quantity(data, pointerTo("versions", index, "time_s"), "s"),
            open: () => timelineOf(index),
        }))
        .filter(({ index }) => hasTimeline(index))
        .slice(0, mostShown);

const versionOf = (run, version) => ({
    version,
    time: () => element("span", { class: "number" }, format(run.time_s, "s")),
    open: () => timelineOf(run.index),
});

// In a page that simulates: the first answer's run, and this one's.
const beside = ({ first, best }) =>
    first && best && hasTimeline(best.index)
        ? [
              {
                  version: t("as it was"),
                  time: () => element("span", { class: "number" }, format(first.time_s, "s")),
                  open: first.open,
              },
              versionOf(best, t("now")),
          ]
        : [];

// The two best runs of a study. A reader who has changed the settings sees the run before and after instead.
const best = study =>
    study.first
        ? []
        : study.runs
              .filter(({ drawn, index }) => drawn !== undefined && hasTimeline(index))
              .sort((a, b) => a.drawn - b.drawn)
              .map(run => versionOf(run, study.label(run)));

// All show the same window, in seconds.
class Link {
    constructor() {
        Object.assign(this, { views: [], isTelling: false });
    }

    tell(from) {
        if (this.isTelling) return;
        this.isTelling = true;
        for (const view of this.views) {
            if (view === from || view.model === null) continue;
            const factor = from.model.unit_s / view.model.unit_s;
            view.show(from.from * factor, from.to * factor);
        }
        this.isTelling = false;
    }
}

// A run that is shorter than another has nothing at its end.
const longer = (model, end_s) => Object.create(model, { end: { value: Math.max(end_s / model.unit_s, model.end) } });

function drawOne(frame, version, link) {
    const canvas = element("canvas", {
            class: "rows",
            tabindex: 0,
            role: "application",
            "aria-label": t`Timeline of ${version.version}`,
        }),
        tip = makeTip();
    frame.body.append(
        element("h3", {}, `${version.version}, `, version.time()),
        element("div", { class: "stage" }, canvas, tip.box),
    );
    const view = new View(
        canvas,
        () => link.tell(view),
        () => {},
    );
    listen(
        view,
        event => tip.show(view, event),
        () => tip.hide(),
    );
    link.views.push(view);
    return view;
}

// versionsOf(study): what is drawn, if there are two at least.
const makePanel = (said, versionsOf) => ({
    ...said,
    terms: ["rank", "scope", "critical path"],
    wide: true,
    wants: study => versionsOf(study).length > 1,
    draw(frame, study) {
        const link = new Link(),
            versions = versionsOf(study);
        const place = element("div");
        frame.body.append(place);
        const views = versions.map(version => drawOne(frame, version, link));
        const open = async () => {
            const models = await Promise.all(versions.map(({ open: openOne }) => openOne()));
            const end_s = Math.max(...models.map(({ end, unit_s }) => end * unit_s));
            const main = Math.max(
                0,
                models.findIndex(({ messages }) => messages !== null),
            ); // it has most to explain
            const legend = makeLegend(views[main], () =>
                views.forEach(view => {
                    view.layers = { ...views[main].layers };
                    view.want();
                }),
            );
            place.replaceWith(legend.box);
            link.isTelling = true;
            views.forEach((view, i) => view.open(longer(models[i], end_s)));
            link.isTelling = false;
            legend.open(models[main]);
            legend.draw();
            frame.root.dataset.ready = "yes";
        };
        open().catch(error => {
            console.error(error.stack);
            frame.body.append(element("p", { class: "failed" }, t`The timelines could not be drawn: ${error.message}`));
        });
        frame.csv(() =>
            views.flatMap((view, i) =>
                csvOfWindow(view).map((row, k) => [k === 0 ? "version" : versions[i].version, ...row]),
            ),
        );
        frame.root.timelines = views;
    },
});

const about = isTouch
    ? t("Two fingers zoom all of them, one finger moves, a double tap shows all.")
    : t("The wheel zooms all of them; dragging selects a time range.");
export const timelines = makePanel(
    { id: "timelines", title: t("Timelines"), about: t`Of each version the run with the median time. ${about}` },
    compared,
);
export const bothTimelines = makePanel(
    { id: "both-timelines", title: t("Timelines, as it was and now"), about },
    beside,
);
export const bestTimelines = makePanel(
    {
        id: "best-timelines",
        title: t("Timelines, the two best runs"),
        about: t`The best run, and the next one with as much to do, on one scale. ${about}`,
    },
    best,
);
