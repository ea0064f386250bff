// The candidates against each other: bars of one problem, a matrix of candidates by problems, what each value of a
// parameter comes to, and two parameters against each other.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "../bars.js";
import { candidatesOf, discardedOf, groupsOf, told } from "../candidates.js";
import { Cells } from "../cells.js";
import { element } from "../dom.js";
import { heatColour, heatKey, logScale } from "../heat.js";
import { pointerTo, quantity, settingText } from "../numbers.js";
import { onTheme, theme } from "../theme.js";
import { nameIn, t } from "../texts/index.js";

const mostRows = 16;
const scale = logScale([1, 4]); // of colors; what takes longer looks the same

const figureOf = (study, run) => (unit, key) => quantity(study.data, pointerTo("runs", run.index, ...key), unit);

function drawList(box, study, { problems: [{ runs }], candidate, of }, isAll) {
    const shown = isAll ? runs : runs.slice(0, mostRows),
        measured = run => run.reference?.measured_s ?? 0,
        isMeasured = shown.some(measured),
        largest = Math.max(...shown.flatMap(run => [run.time_s, measured(run)]));
    drawBars(box, {
        of: candidate.join(", "),
        heads: [t("time"), t("slowdown"), ...(isMeasured ? [t("measured")] : [])],
        largest,
        unit: "s",
        rows: shown.map(run => {
            const figure = figureOf(study, run),
                kind = run.rank === 1 ? "full" : "pale";
            return {
                name: of(run),
                numbers: [
                    figure("s", ["time_s"]),
                    figure("slowdown", ["factor_to_best"]),
                    ...(isMeasured ? [figure("s", ["reference", "measured_s"])] : []),
                ],
                bars: [
                    { to: run.time_s / largest, colour: theme().accent, kind },
                    ...(measured(run)
                        ? [{ to: measured(run) / largest, colour: theme().ink, kind: "thin", title: t("measured") }]
                        : []),
                ],
            };
        }),
    });
    return t`The best first.${isMeasured ? t(" A line is the measured time.") : ""}`;
}

// True if the decision was by a measure other than time.
const isByOther = study => study.runs.some(run => run.place === 1 && run.factor_to_best > 1);
const frameHint = study => (isByOther(study) ? t(" Framed: the best by the measure of the decision.") : "");

// A run's cell, and what is said of it.
function cellOf(study, run) {
    if (!run) return null;
    const figure = figureOf(study, run);
    return {
        shown: figure("slowdown", ["factor_to_best"]),
        colour: heatColour(scale.partOf(run.factor_to_best)),
        isBest: run.place === 1 && isByOther(study),
        told: () => [
            `${study.label(run)}: `,
            figure("s", ["time_s"]),
            ", ",
            figure("slowdown", ["factor_to_best"]),
            run.dominant ? t`; most of it ${run.dominant.replaceAll(".", " ").replaceAll("_", " ")}` : "",
        ],
    };
}

const factorsOf = runs =>
    runs.map(run => Math.log(run.factor_to_best)).reduce((sum, log) => sum + log, 0) / runs.length;

// Rows of runs, by their mean slowdown; those that solve more problems first. The mean is the geometric one.
const inOrder = rows =>
    [...rows].sort((a, b) => b.known.length - a.known.length || factorsOf(a.known) - factorsOf(b.known));

// A row for each group of runs, with its best run of each problem.
function rowsOf(groups, { problems }, nameOf) {
    return groups.map(group => {
        const runs = problems.map(problem => problem.runs.find(run => group.includes(run)));
        return { name: nameOf(group[0]), runs, known: runs.filter(Boolean) };
    });
}

const headsOf = ({ problem, problems }) =>
    problem.length === 0
        ? [{ corner: "", names: [t("slowdown")] }]
        : problem.map(name => ({
              corner: name,
              names: problems.map(({ first }) => settingText(name, first.parameters[name])),
          }));

function drawCells(cells, study, heads, rows) {
    cells.draw({
        heads,
        isSmall: rows[0].runs.length > 16,
        rows: rows.map(({ name, runs }) => ({ name, cells: runs.map(run => cellOf(study, run)) })),
    });
}

function drawMatrix(cells, study, found, isAll) {
    const rows = inOrder(rowsOf(groupsOf(found.runs, found.candidate), found, found.of));
    drawCells(cells, study, headsOf(found), isAll ? rows : rows.slice(0, mostRows));
    return t`How many times as long as the fastest of its problem each candidate takes.${frameHint(study)}`;
}

function drawValues(cells, study, found) {
    const rows = found.candidate.flatMap(name =>
        inOrder(rowsOf(groupsOf(found.runs, [name]), found, run => told(run, [name]))),
    );
    drawCells(cells, study, headsOf(found), rows);
    return t("How many times as long as the fastest of its problem each value takes, all else at its best.");
}

// The parameter with more values goes down.
function drawTwo(cells, study, { candidate, runs }) {
    const [across, down] = [...candidate].sort((a, b) => study.valuesOf(a).length - study.valuesOf(b).length),
        columns = groupsOf(runs, [across]).map(([{ parameters }]) => parameters[across]),
        name = run => settingText(down, run.parameters[down]);
    const rows = groupsOf(runs, [down]).map(group => {
        const line = columns.map(value => group.find(run => run.parameters[across] === value));
        return { name: name(group[0]), runs: line, known: line.filter(Boolean) };
    });
    const heads = [
        {
            corner: `${down}\u00a0\u2193, ${across}\u00a0\u2192`,
            names: columns.map(value => settingText(across, value)),
        },
    ];
    drawCells(cells, study, heads, inOrder(rows));
    return t`How many times as long as the fastest each pair takes.${frameHint(study)}`;
}

// Ways to show it; the first one that is long is cut.
function viewsOf({ problems, candidate }) {
    const isOne = problems.length === 1;
    return {
        candidates: isOne ? drawList : drawMatrix,
        ...(isOne && candidate.length === 2 ? { [candidate.join(" x ")]: drawTwo } : {}),
        ...(candidate.length > 1 ? { "each value": drawValues } : {}),
    };
}

function discarded(study, found) {
    const most = 8,
        all = discardedOf(study, found);
    if (all.length === 0) return [];
    const said = all
        .slice(0, most)
        .map(({ name, index }) =>
            element("li", {}, `${name}: `, quantity(study.data, pointerTo("runs", index, "discarded"), "text"), "."),
        );
    const more = all.length > most ? element("li", {}, t`${all.length - most} more.`) : null;
    return [element("h4", {}, t("Discarded")), element("ul", { class: "list" }, said, more)];
}

export const ranking = {
    id: "ranking",
    title: t("Ranking"),
    terms: ["slowdown", "decision"],
    wants: study => candidatesOf(study) !== null,
    draw(frame, study) {
        const found = candidatesOf(study),
            views = viewsOf(found),
            count = groupsOf(found.runs, found.candidate).length,
            about = element("p", { class: "about" }),
            list = element("div"),
            key = element("div"),
            cells = new Cells();
        let isAll = false,
            view = Object.keys(views).find(name => count > mostRows && views[name] === drawTwo) ?? "candidates";
        const more = element("button", { type: "button", onclick: () => redraw((isAll = !isAll)) });
        const redraw = () => {
            const isList = views[view] === drawList;
            more.textContent = isAll ? t`the best ${mostRows}` : t`all ${count}`;
            more.hidden = count <= mostRows || view !== "candidates";
            list.hidden = !isList;
            for (const part of [key, ...cells.parts]) part.hidden = isList;
            about.textContent = views[view](isList ? list : cells, study, found, isAll);
            key.replaceChildren(heatKey(scale, "slowdown", t(" and more")));
        };
        frame.choose(
            t("show"),
            Object.keys(views).map(value => ({ name: nameIn(value), value })),
            view,
            chosen => redraw((view = chosen)),
        );
        if (count > mostRows) frame.controls.append(more);
        frame.root.classList.toggle("wide", found.problems.length > 6 || views[view] === drawTwo);
        frame.body.append(about, list, key, ...cells.parts, ...discarded(study, found));
        onTheme(redraw);
        redraw();
        const names = [...found.problem, ...found.candidate],
            measures = ["rank", "time_s", "factor_to_best"];
        frame.csv(() => [
            [...names, ...measures],
            ...found.problems.flatMap(({ runs }) =>
                runs.map(run => [...names.map(name => run.parameters[name]), ...measures.map(name => run[name])]),
            ),
        ]);
    },
};
