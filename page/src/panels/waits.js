// CPWait Map: each source of waiting, and what its waits consist of: eight categories; it opens to all 13 intervals.
// SPDX-License-Identifier: BSD-3-Clause
import { CATEGORY_WAIT } from "words";
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import {
    colourOfKind,
    intervals,
    keyOf,
    scales,
    stackOf,
    waitParts,
    shownWord,
    withPaperName,
} from "../shared_memory.js";
import { onTheme } from "../theme.js";
import { Tree } from "../tree.js";
import { intervalsOf, partRows } from "../wait_parts.js";
import { t } from "../texts/index.js";

const hasWaits = run => run.waits?.length > 0;
const nameOf = ({ category, scope, operation }) =>
    `${category === CATEGORY_WAIT ? scope : t`controller ${shownWord(category)}`}: ${operation}`;

// The parts of one source: [[seconds, color, what it is], ...].
const byCategory = wait =>
    waitParts.map(([key, word]) => [
        wait[`${key}_s`],
        colourOfKind(key),
        `${withPaperName(word, key)}: ${format(wait[`${key}_s`], "s")}`,
    ]);
const byInterval = (wait, run) =>
    intervalsOf(run, wait).map(({ number, part, what, time_s }) => [
        time_s,
        colourOfKind(part),
        t`interval ${number}, ${what}: ${format(time_s, "s")}`,
    ]);

function makeRows(at, partsOf, inShares, most) {
    const order = at.run.waits.map((wait, index) => ({ wait, index })).sort((a, b) => b.wait.total_s - a.wait.total_s);
    return order.map(({ wait, index }) => {
        const whole = inShares ? wait.total_s : most;
        return {
            key: nameOf(wait),
            name: nameOf(wait),
            bars: stackOf(partsOf(wait, at.run), whole),
            numbers: [
                at.figure("s", "waits", index, "total_s"),
                at.figure("count", "waits", index, "count"),
                at.figure("s", "waits", index, "mean_s"),
            ],
            below: () => partRows(at, wait, index, whole),
        };
    });
}

// The 13 intervals in the order in which they pass, with their numbers.
const listOfIntervals = () =>
    element(
        "ol",
        { class: "intervals" },
        intervals.map(([number, part, what]) =>
            element("li", { value: number }, element("i", { style: `background:${colourOfKind(part)}` }), what),
        ),
    );
const keyOfParts = () => keyOf(waitParts.map(([part, word]) => [colourOfKind(part), withPaperName(word, part)]));

function csvOf(run) {
    const columns = ["scope", "category", "operation", "count", "total_s", ...waitParts.map(([part]) => `${part}_s`)];
    const numbers = run.wait_intervals ? intervals.map(([number]) => number) : [];
    const rowOf = wait => {
        const its = run.wait_intervals ? intervalsOf(run, wait) : [];
        const times = numbers.map(number => its.find(one => one.number === number)?.time_s ?? 0);
        return [...columns.map(name => wait[name]), ...times];
    };
    return [[...columns, ...numbers.map(number => `interval_${number}_s`)], ...run.waits.map(rowOf)];
}

export const waits = {
    id: "waits",
    title: t("Shared memory: what waits consist of"),
    about: t(
        "Each source of waiting, by scope and operation; all processors together. " +
            "It opens to what its waits consist of, from the request to the answer.",
    ),
    terms: ["wait", "operation", "count", "total", "mean"],
    wide: true,
    wants: study => study.runs.some(hasWaits),
    draw(frame, study) {
        let view = byCategory,
            inShares = false;
        const key = element("div");
        const views = [
            { name: t("eight categories"), value: byCategory },
            { name: t("13 intervals"), value: byInterval },
        ];
        const draw = () => {
            const most = Math.max(...at.run.waits.map(({ total_s }) => total_s)),
                offered = at.run.wait_intervals ? views : views.slice(0, 1);
            if (offered.length < 2) view = byCategory;
            offer(offered, view);
            key.replaceChildren(view === byCategory ? keyOfParts() : listOfIntervals());
            tree.draw(makeRows(at, view, inShares, most), () => ({
                of: t("scope: operation"),
                heads: [term("total"), term("count"), term("mean")],
                largest: inShares ? 1 : most,
                unit: inShares ? "share" : "s",
            }));
        };
        const at = followRun(frame, study, hasWaits, draw),
            tree = new Tree(draw);
        const offer = frame.offer(t("by"), chosen => {
            view = chosen;
            draw();
        });
        frame.choose(t("in"), scales, inShares, chosen => {
            inShares = chosen;
            draw();
        });
        frame.body.append(key, tree.box);
        onTheme(draw);
        draw();
        frame.csv(() => csvOf(at.run));
    },
};
