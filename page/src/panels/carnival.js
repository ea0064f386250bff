// Shared memory: what processors and controllers did, by category; of all nodes, of each node, of each run.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import {
    categories,
    colourOfKind,
    isOfController,
    keyOf,
    scales,
    shownWord,
    stackOf,
    sumBy,
    withPaperName,
    wordOf,
} from "../shared_memory.js";
import { onTheme } from "../theme.js";
import { t } from "../texts/index.js";

const hasCategories = run => run.category_s && run.profile;
const present = (run, controller) =>
    categories.map(([key]) => key).filter(key => key in run.category_s && isOfController(key) === controller);
const kindsOf = run => [false, true].filter(controller => present(run, controller).length > 0);
const perNode = ({ node, category }) => `${node} ${category}`;

// A bar of the categories of a processor, or of a controller, and the time that is not idling or waiting.
function rowOf(run, controller, name, timeOf, { whole, inShares }) {
    const scale = inShares ? run.time_s : whole,
        said = time_s => (inShares ? format(time_s / run.time_s, "share") : format(time_s, "s"));
    const parts = present(run, controller).map(key => [timeOf(key), key]);
    const busy = parts.reduce((sum, [time_s, key]) => (/Comp|Extra|Prste/.test(key) ? sum + time_s : sum), 0);
    return {
        depth: controller ? 1 : 0,
        name: controller ? t("controller") : name,
        numbers: [said(busy)],
        bars: stackOf(
            parts.map(([time_s, key]) => [time_s, colourOfKind(key), `${shownWord(key)}: ${said(time_s)}`]),
            scale,
        ),
    };
}

const meanOf = run => key => run.category_s[key] / run.ranks;
const optionsOf = (of, whole, inShares, rows) => ({
    of,
    heads: [t("at work")],
    largest: inShares ? 1 : whole,
    unit: inShares ? "share" : "s",
    rows,
});

// A bar for each category of all nodes together.
function byCategory(at, study, inShares) {
    const { category_s: times, time_s, ranks } = at.run,
        keys = [...present(at.run, false), ...present(at.run, true)];
    const most = inShares ? time_s * ranks : Math.max(...keys.map(key => times[key]));
    const rows = keys.map(key => ({
        name: element("span", {}, isOfController(key) ? t("controller: ") : "", term(wordOf(key)), ` (${key})`),
        bars: [{ to: times[key] / most, colour: colourOfKind(key) }],
        numbers: [at.figure("s", "category_s", key), format(times[key] / (time_s * ranks), "share")],
    }));
    return {
        ...optionsOf(t("category, all nodes"), most, inShares, rows),
        heads: [t("time"), t("share of nodes x time")],
    };
}

// Two bars for each node: of its processor, and of its controller. The mean comes first.
function byNode(at, study, inShares) {
    const { run } = at,
        sums = sumBy(run.profile, perNode),
        scale = { whole: run.time_s, inShares };
    const nodes = [...new Set(run.profile.map(({ node }) => node))].sort((a, b) => a - b);
    const rowsOf = (name, timeOf) => kindsOf(run).map(controller => rowOf(run, controller, name, timeOf, scale));
    return optionsOf(t("node"), run.time_s, inShares, [
        ...rowsOf(t("all nodes, mean"), meanOf(run)),
        ...nodes.flatMap(node => rowsOf(t`node ${node}`, key => sums.get(perNode({ node, category: key })) ?? 0)),
    ]);
}

// A bar for each run, for each of its nodes in the mean.
function byRun(at, study, inShares) {
    const runs = study.runs.filter(hasCategories),
        whole = Math.max(...runs.map(run => run.time_s));
    const rows = runs.flatMap(run =>
        kindsOf(run).map(controller => rowOf(run, controller, study.label(run), meanOf(run), { whole, inShares })),
    );
    return optionsOf(t("run, a node in the mean"), whole, inShares, rows);
}

const views = [
    { name: t("nodes"), value: byNode },
    { name: t("categories"), value: byCategory },
    { name: t("runs"), value: byRun },
];

// Each node of each run.
function csvOf(study) {
    const rowsOf = run =>
        [...sumBy(run.profile, perNode)].map(([key, time_s]) => [study.label(run), ...key.split(" "), time_s]);
    return [["run", "node", "category", "time_s"], ...study.runs.filter(hasCategories).flatMap(rowsOf)];
}

export const carnival = {
    id: "carnival",
    title: t("Shared memory: what the nodes did"),
    about: t(
        "Every moment of every processor is in one category; so is every moment of a protocol controller. " +
            "At work is what is neither waiting, held up nor idle.",
    ),
    terms: ["program", "coherence", "serving others", "waiting", "controller", "working", "held up"],
    wants: study => study.runs.some(hasCategories),
    draw(frame, study) {
        let view = byNode,
            inShares = true;
        const box = element("div"),
            key = element("div");
        const draw = () => {
            const shown = view === byRun ? study.runs.filter(hasCategories) : [at.run];
            const keys = categories.map(([one]) => one).filter(one => shown.some(run => one in run.category_s));
            key.replaceChildren(keyOf(keys.map(one => [colourOfKind(one), withPaperName(wordOf(one), one)])));
            key.hidden = view === byCategory;
            drawBars(box, view(at, study, inShares));
        };
        const at = followRun(frame, study, hasCategories, draw);
        const offered = views.filter(({ value }) => value !== byRun || study.runs.filter(hasCategories).length > 1);
        frame.choose(t("by"), offered, view, chosen => {
            view = chosen;
            draw();
        });
        frame.choose(t("in"), scales, inShares, chosen => {
            inShares = chosen;
            draw();
        });
        frame.body.append(key, box);
        onTheme(draw);
        draw();
        frame.csv(() => csvOf(study));
    },
};
