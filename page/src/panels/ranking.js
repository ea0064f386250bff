// The candidates against each other: bars of one problem, or a matrix of candidates by problems.
import { drawBars } from "../bars.js";
import { candidatesOf } from "../candidates.js";
import { element } from "../dom.js";
import { pointerTo, quantity } from "../numbers.js";
import { heatColour, inkOn } from "../heat.js";
import { onTheme, theme } from "../theme.js";

const mostRows = 24;

function drawOne(box, study, { problems: [{ runs }], candidate, of }, isAll) {
    const shown = isAll ? runs : runs.slice(0, mostRows),
        largest = Math.max(...shown.map(run => run.time_s));
    const number = (run, key, unit) => quantity(study.data, pointerTo("runs", run.index, key), unit);
    drawBars(box, {
        of: candidate.join(", "),
        heads: ["time", "slowdown"],
        largest,
        unit: "s",
        rows: shown.map((run, i) => ({
            name: of(run),
            numbers: [number(run, "time_s", "s"), number(run, "factor_to_best", "slowdown")],
            bars: [{ to: run.time_s / largest, colour: i === 0 ? theme().useful : theme().accent }],
        })),
    });
}

// Candidates in the order of their slowdowns' geometric mean over the problems that they can solve; those that solve
// more first.
function orderOf({ problems, of }) {
    const sums = new Map();
    for (const run of problems.flatMap(({ runs }) => runs)) {
        const { log = 0, count = 0 } = sums.get(of(run)) ?? {};
        sums.set(of(run), { log: log + Math.log(run.factor_to_best), count: count + 1 });
    }
    return [...sums]
        .sort(([, a], [, b]) => b.count - a.count || a.log / a.count - b.log / b.count)
        .map(([name]) => name);
}

// The scale of colours: from 1 (the best) to four times as long.
const partOf = factor => Math.min(Math.log2(factor) / 2, 1);

function cellOf(study, run) {
    if (!run) return element("td", { class: "number" }, "-");
    const part = partOf(run.factor_to_best);
    return element(
        "td",
        { class: "number", style: `background:${heatColour(part)};color:${inkOn(part)}` },
        quantity(study.data, pointerTo("runs", run.index, "factor_to_best"), "slowdown"),
    );
}

function drawMatrix(box, study, found, isAll) {
    const { problems, problem, of } = found,
        names = orderOf(found),
        shown = isAll ? names : names.slice(0, mostRows);
    const heads = problem.map(name =>
        element(
            "tr",
            {},
            element("th", { scope: "row" }, name),
            problems.map(({ first }) =>
                element("th", { scope: "col", class: "number" }, String(first.parameters[name])),
            ),
        ),
    );
    const rows = shown.map(name =>
        element(
            "tr",
            {},
            element("th", { scope: "row" }, name),
            problems.map(({ runs }) =>
                cellOf(
                    study,
                    runs.find(run => of(run) === name),
                ),
            ),
        ),
    );
    box.classList.add("scroll");
    box.replaceChildren(element("table", { class: "matrix" }, element("thead", {}, heads), element("tbody", {}, rows)));
}

export const ranking = {
    id: "ranking",
    title: "Ranking",
    about: "How many times as long as the fastest each takes.",
    terms: ["slowdown"],
    wants: study => candidatesOf(study) !== null,
    draw(frame, study) {
        const found = candidatesOf(study),
            draw = found.problems.length > 1 ? drawMatrix : drawOne,
            box = element("div");
        const count = new Set(found.problems.flatMap(({ runs }) => runs.map(found.of))).size;
        let isAll = false;
        const more = element("button", {
            type: "button",
            onclick: () => {
                isAll = !isAll;
                redraw();
            },
        });
        const redraw = () => {
            more.textContent = isAll ? `the best ${mostRows}` : `all ${count}`;
            draw(box, study, found, isAll);
        };
        if (count > mostRows) frame.controls.append(more);
        frame.body.append(box);
        onTheme(redraw);
        redraw();
        frame.csv(() => [
            [...found.problem, ...found.candidate, "time_s", "factor_to_best"],
            ...found.problems.flatMap(({ runs }) =>
                runs.map(run => [
                    ...found.problem.map(name => run.parameters[name]),
                    ...found.candidate.map(name => run.parameters[name]),
                    run.time_s,
                    run.factor_to_best,
                ]),
            ),
        ]);
    },
};
