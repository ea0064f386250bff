// Time of a run without each cause, from the whole time down to the rest, parts of a cause indented below it.
// SPDX-License-Identifier: BSD-3-Clause
import { REMOVAL_DONE, REMOVAL_NEEDS_SHARED_MEMORY } from "words";
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { format, pointerTo, quantity } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { say } from "../said.js";
import { colourOf, labelOf, onTheme, theme } from "../theme.js";
import { t } from "../texts/index.js";

const isExamined = run => run.what_if_causes?.some(({ status }) => status === REMOVAL_DONE);
// Causes that have the color of a component or state.
const known = { network: "communication", computation: "processing", imbalance: "idle" };

// All causes that were removed, each followed by its parts: [{ cause, depth, root, from_s, gain_s, share_s }]. Bars of
// causes that are part of none go on where the one before them ends; bars of parts begin where that of the whole does.
// Where gains overlap, and so are more than the whole time, or a cause gains nothing, all begin at the end of the run.
export function cascade({ time_s, what_if_causes: causes }) {
    const removed = causes.filter(({ status }) => status === REMOVAL_DONE),
        byName = new Map(causes.map(one => [one.cause, one]));
    const isRemoved = cause => removed.some(one => one.cause === cause);
    const wholeOf = ({ part_of: whole }) =>
        !whole || isRemoved(whole) ? (whole ?? "") : wholeOf(byName.get(whole) ?? {});
    const below = (whole, depth, root, from_s) => {
        let at_s = from_s;
        return removed
            .filter(one => wholeOf(one) === whole)
            .sort((a, b) => a.time_s - b.time_s)
            .flatMap(one => {
                const gain_s = time_s - one.time_s,
                    row = {
                        cause: one.cause,
                        depth,
                        root: root ?? one.cause,
                        from_s: at_s,
                        gain_s,
                        time_s: one.time_s,
                        share_s: one.is_attributed ? one.attributed_s : null,
                    };
                const parts = below(one.cause, depth + 1, row.root, at_s);
                at_s -= gain_s;
                return [row, ...parts];
            });
    };
    const rows = below("", 0, null, time_s);
    return leftOf({ time_s }, rows) < 0 || rows.some(({ gain_s }) => gain_s < 0)
        ? rows.map(row => ({ ...row, from_s: time_s, isApart: true }))
        : rows;
}

const colourOfCause = ({ cause, root }) => {
    const name = [cause, root].map(one => known[one] ?? one).find(one => one in theme());
    return name ? colourOf(name) : theme().accent;
};

// Without some causes it takes longer.
const longestOf = run =>
    Math.max(run.time_s, ...run.what_if_causes.filter(({ status }) => status === REMOVAL_DONE).map(one => one.time_s));

const leftOf = (run, rows) =>
    run.time_s - rows.filter(({ depth }) => depth === 0).reduce((sum, { gain_s }) => sum + gain_s, 0);

function rowsOf(data, run, choose, chosen) {
    const value = (key, unit) => quantity(data, pointerTo("runs", run.index, "what_if", key), unit);
    const rows = cascade(run),
        left = leftOf(run, rows),
        whole = longestOf(run);
    const has = key => typeof run.what_if?.[key] === "number",
        part = seconds => seconds / whole;
    const name = cause =>
        element(
            "button",
            {
                type: "button",
                class: "plain",
                "aria-pressed": String(cause === chosen),
                title: t("show what changes on the critical path"),
                onclick: () => choose(cause),
            },
            labelOf(cause),
        );
    return [
        {
            name: t("the run"),
            numbers: [quantity(data, pointerTo("runs", run.index, "time_s"), "s"), "", ""],
            bars: [{ to: part(run.time_s), colour: theme().soft, kind: "pale" }],
        },
        ...rows.map(row => ({
            depth: row.depth,
            name: name(row.cause),
            bars: [
                { from: part(row.from_s - row.gain_s), to: part(row.from_s), colour: colourOfCause(row) },
                ...(row.share_s === null
                    ? []
                    : [
                          {
                              from: part(row.from_s - row.share_s),
                              to: part(row.from_s),
                              colour: theme().ink,
                              kind: "thin",
                          },
                      ]),
            ],
            numbers: [
                value(`${row.cause}.time_s`, "s"),
                value(`${row.cause}.gain`, "share"),
                has(`${row.cause}.share`) ? value(`${row.cause}.share`, "share") : "-",
            ],
        })),
        ...(rows.some(({ isApart }) => isApart)
            ? []
            : [
                  {
                      name: t("left"),
                      numbers: [format(left, "s"), "", ""],
                      bars: [{ to: part(left), colour: theme().soft, kind: "pale" }],
                  },
              ]),
    ];
}

// Changes of the critical path in the run without the cause: the largest.
function drawPaths(box, data, run, cause) {
    const most = 8,
        at = index => (key, unit) => quantity(data, pointerTo("runs", run.index, "what_if_paths", index, key), unit);
    const change = row => Math.abs(row.after_s - row.before_s);
    const paths = (run.what_if_paths ?? [])
        .map((row, index) => ({ ...row, index }))
        .filter(row => row.cause === cause && change(row) > 0)
        .sort((a, b) => change(b) - change(a));
    const row = path =>
        element(
            "tr",
            {},
            element("td", {}, path.component),
            element("td", {}, path.scope),
            element("td", { class: "number" }, at(path.index)("before_s", "s")),
            element("td", { class: "number" }, at(path.index)("after_s", "s")),
        );
    const heads = [t("component"), t("phase"), t("with it"), t("without it")];
    box.replaceChildren(
        ...(cause === null
            ? []
            : paths.length === 0
              ? [t`Without ${labelOf(cause)} nothing changes on the critical path.`]
              : [
                    element(
                        "h4",
                        {},
                        t`The critical path with and without ${labelOf(cause)}` +
                            (paths.length > most ? t`: the ${most} largest changes` : ""),
                    ),
                    element(
                        "div",
                        { class: "scroll", tabindex: 0 },
                        element(
                            "table",
                            {},
                            element(
                                "thead",
                                {},
                                element(
                                    "tr",
                                    {},
                                    heads.map((name, i) =>
                                        element("th", { scope: "col", class: i > 1 ? "number" : null }, name),
                                    ),
                                ),
                            ),
                            element("tbody", {}, paths.slice(0, most).map(row)),
                        ),
                    ),
                ]),
    );
}

function drawObstacles(box, { what_if_causes: causes }) {
    const others = causes.filter(({ status }) => status !== REMOVAL_DONE && status !== REMOVAL_NEEDS_SHARED_MEMORY);
    box.textContent =
        others.length === 0
            ? ""
            : t`Not removed: ${others.map(({ cause, status }) => `${labelOf(cause)} (${say(status)})`).join(", ")}.`;
}

export const whatif = {
    id: "whatif",
    title: t("What if a cause were removed"),
    about: t(
        "Bars are gains, each from a run without that cause alone; lines in them are shares. " +
            "Gains need not add up to the whole time. A cause shows what changes on the critical path.",
    ),
    terms: ["without", "gain", "share", "critical path"],
    wants: study => study.runs.some(isExamined),
    draw(frame, study) {
        const box = element("div"),
            obstacles = element("p", { class: "about" }),
            paths = element("div", { "aria-live": "polite" });
        let chosen = null;
        const draw = () => {
            drawBars(box, {
                of: term("without"),
                heads: [t("time"), term("gain"), term("share")],
                largest: longestOf(at.run),
                unit: "s",
                rows: rowsOf(study.data, at.run, choose, chosen),
            });
            drawObstacles(obstacles, at.run);
            drawPaths(paths, study.data, at.run, chosen);
        };
        const choose = cause => {
            chosen = cause === chosen ? null : cause;
            draw();
            [...box.querySelectorAll("button")].find(node => node.textContent === labelOf(cause))?.focus();
        };
        const at = followRun(frame, study, isExamined, draw);
        frame.body.append(box, obstacles, paths);
        onTheme(draw);
        draw();
        frame.csv(() => [
            ["run", "without", "part_of", "time_s", "gain_s", "share_s"],
            ...study.runs
                .filter(isExamined)
                .flatMap(run =>
                    cascade(run).map(row => [
                        study.label(run),
                        row.cause,
                        run.what_if_causes.find(({ cause }) => cause === row.cause).part_of,
                        row.time_s,
                        row.gain_s,
                        row.share_s,
                    ]),
                ),
        ]);
    },
};
