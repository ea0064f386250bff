// Process grids: time on p rows and q columns of processes, simulated and by the formula, and how far these are apart.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "../bars.js";
import { Cells } from "../cells.js";
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { heatColour, heatKey, logScale } from "../heat.js";
import { format, pointerTo, quantity, scaleOf } from "../numbers.js";
import { keyOf, stackOf } from "../shared_memory.js";
import { onTheme, shadeOf, theme } from "../theme.js";
import { nameIn, t } from "../texts/index.js";

const mostBars = 8; // more grids are drawn as a map
const sides = value => /^(\d+)x(\d+)$/.exec(value)?.slice(1).map(Number);
const views = {
    simulated: ["time_s", "s"],
    formula: ["forecast_s", "s"],
    "off formula": ["forecast_error", "difference"],
};
const hasForecast = run => typeof run.forecast_s === "number";

// The runs on grids, with their sides, in groups in which nothing else differs but the ranks, which go with the grid:
// { name, groups: [{ label, runs }] }.
function gridsOf(study) {
    const name = study.varying.find(one => study.runs.every(run => sides(String(run.parameters[one]))));
    if (!name) return null;
    const groups = new Map();
    for (const run of study.runs) {
        const label = study.label(run, [name, "ranks"]),
            [p, q] = sides(run.parameters[name]);
        groups.set(label, [...(groups.get(label) ?? []), { ...run, p, q }]);
    }
    return { name, groups: [...groups].map(([label, runs]) => ({ label, runs })) };
}

const areFew = ({ groups }) => groups.every(({ runs }) => runs.length <= mostBars);

const distinct = values => [...new Set(values)].sort((a, b) => a - b);
const figureOf = (study, run, key, unit) => quantity(study.data, pointerTo("runs", run.index, key), unit);

// A difference of no size has no color; the same size in both directions has the same.
function scaleOfView(runs, [key, unit]) {
    if (unit !== "difference") return logScale(runs.map(run => run[key]));
    const most = Math.max(...runs.map(run => Math.abs(run[key])), 1e-12);
    return { least: 0, most, partOf: value => Math.abs(value) / most };
}

// Text of a cell: three digits in the unit of the largest value, or percent.
function shortText(value, unit, largest) {
    if (unit === "difference") return (value * 100).toFixed(1);
    const shown = value / scaleOf(unit, largest)[0];
    return shown >= 1000 ? shown.toFixed(0) : shown.toPrecision(3);
}

function tellGrid(study, run) {
    const formula = hasForecast(run)
        ? [t(", by the formula "), figureOf(study, run, "forecast_s", "s"), t(", off formula ")]
        : [];
    return [
        `${run.p} x ${run.q}: `,
        figureOf(study, run, "time_s", "s"),
        ...formula,
        hasForecast(run) ? figureOf(study, run, "forecast_error", "difference") : "",
    ];
}

function drawMap(cells, study, runs, view) {
    const [key, unit] = view,
        known = runs.filter(run => typeof run[key] === "number"),
        scale = scaleOfView(known, view),
        least = unit === "difference" ? null : Math.min(...known.map(run => run[key])),
        qs = distinct(known.map(({ q }) => q));
    const cell = run =>
        run && {
            shown: shortText(run[key], unit, scale.most),
            colour: heatColour(scale.partOf(run[key])),
            isBest: run[key] === least,
            told: () => tellGrid(study, run),
        };
    cells.draw({
        isSmall: qs.length > 16,
        heads: [{ corner: "p\u00a0\u2193, q\u00a0\u2192", names: qs.map(String) }],
        rows: distinct(known.map(({ p }) => p)).map(p => ({
            name: String(p),
            cells: qs.map(q => cell(known.find(run => run.p === p && run.q === q))),
        })),
    });
    return heatKey(scale, unit === "difference" ? "share" : unit);
}

// The simulated and the forecast time of grids, by the number of processes.
function lineOption(runs) {
    const order = [...runs].sort((a, b) => a.p - b.p),
        soft = theme().soft;
    const line = (name, key, style) => ({
        type: "line",
        name,
        symbolSize: 7,
        data: order.map(run => run[key] ?? null),
        ...style,
    });
    const formula = { symbol: "emptyTriangle", itemStyle: { color: soft }, lineStyle: { type: "dashed", color: soft } };
    return {
        series: [
            line(t("simulated"), "time_s", { itemStyle: { color: theme().accent } }),
            ...(order.some(hasForecast) ? [line(t("formula"), "forecast_s", formula)] : []),
        ],
        xAxis: axis({ name: t("rows x columns"), categories: order.map(({ p, q }) => `${p}x${q}`) }),
        yAxis: axis({
            name: t("time"),
            unit: "s",
            turned: true,
            largest: Math.max(...order.map(run => run.time_s)),
            min: 0,
        }),
        tooltip: { formatter: ({ name, seriesName, value }) => tip(name, [[seriesName, value, "s"]]) },
    };
}

// --- few grids, as bars: what each time consists of ---

const kinds = () => ({
    computation: theme().processing,
    redistribution: shadeOf(theme().communication, 0.6),
    communication: theme().communication,
});

function partsOfRun({ time_s, critical_path_s: path = {} }) {
    const redistribution = Object.entries(path)
        .filter(([name]) => name.startsWith("communication.redistribution"))
        .reduce((sum, [, value]) => sum + value, 0);
    const communication = path.communication ?? 0;
    return { computation: time_s - communication, redistribution, communication: communication - redistribution };
}

const partsOfFormula = ({ forecast }) => ({
    computation: forecast.computation_s,
    communication: forecast.communication_s,
});

function barsOf(parts, whole) {
    const colours = kinds();
    return stackOf(
        Object.entries(parts).map(([name, value]) => [value, colours[name], `${nameIn(name)} ${format(value, "s")}`]),
        whole,
    );
}

// A row for the simulated time of each grid, and one below it for the formula.
function drawFew(box, study, name, runs) {
    const order = [...runs].sort((a, b) => a.time_s - b.time_s),
        whole = Math.max(...order.flatMap(run => [run.time_s, run.forecast_s ?? 0]));
    const rows = order.flatMap(run => [
        {
            name: `${run.p} x ${run.q}`,
            bars: barsOf(partsOfRun(run), whole),
            numbers: [figureOf(study, run, "time_s", "s"), ""],
        },
        ...(run.forecast
            ? [
                  {
                      name: t("formula"),
                      depth: 1,
                      bars: barsOf(partsOfFormula(run), whole),
                      numbers: [
                          figureOf(study, run, "forecast_s", "s"),
                          figureOf(study, run, "forecast_error", "difference"),
                      ],
                  },
              ]
            : []),
    ]);
    const heads = [t("time"), ...(runs.some(hasForecast) ? [t("off formula")] : [])];
    drawBars(box, { of: name, heads, largest: whole, unit: "s", rows });
    const shown = Object.entries(kinds()).filter(([kind]) => runs.some(run => partsOfRun(run)[kind] > 0));
    return keyOf(shown.map(([kind, colour]) => [colour, kind]));
}

// "Mean of |simulated / formula - 1|: 1.89 %; at most 7.55 %, on 3 x 7."
function saidOf(runs) {
    const known = runs.filter(hasForecast),
        size = run => Math.abs(run.forecast_error);
    if (known.length < 2) return "";
    const mean = known.reduce((sum, run) => sum + size(run), 0) / known.length,
        most = known.reduce((a, b) => (size(b) > size(a) ? b : a));
    const shown = [mean, size(most)].map(part => format(part, "share"));
    return t`Mean of |simulated / formula - 1|: ${shown[0]}; at most ${shown[1]}, on ${most.p} x ${most.q}.`;
}

const hintOf = runs =>
    runs.some(run => partsOfRun(run).redistribution > 0 && run.forecast)
        ? t("The formula counts redistribution as communication.")
        : "";

// The map, and a line below it of grids of as many processes.
function makeMap(frame, study, at) {
    const cells = new Cells(),
        key = element("div"),
        line = element("div"),
        counts = distinct(at.group.runs.map(({ p, q }) => p * q)),
        shapes = n => at.group.runs.filter(({ p, q }) => p * q === n);
    const several = counts.filter(n => shapes(n).length > 2);
    frame.body.append(key, ...cells.parts, line);
    at.count = several.at(-1);
    const option = { height: 260, into: line, isPart: true },
        chart = at.count && frame.chart(() => lineOption(shapes(at.count)), option);
    const draw = () => {
        key.replaceChildren(drawMap(cells, study, at.group.runs, views[at.view]));
        chart?.draw();
    };
    const offered = Object.keys(views).filter(name => at.group.runs.some(run => views[name][0] in run));
    const offer = (label, choices, name) =>
        frame.choose(label, choices, at[name], value => {
            at[name] = value;
            draw();
        });
    offer(
        t("show"),
        offered.map(name => ({ name: nameIn(name), value: name })),
        "view",
    );
    offer(
        t("line of"),
        several.map(n => ({ name: t`${n} processes`, value: n })),
        "count",
    );
    return draw;
}

function makeBars(frame, study, at, name) {
    const key = element("div"),
        box = element("div");
    frame.body.append(key, box);
    return () => key.replaceChildren(drawFew(box, study, name, at.group.runs));
}

export const grid = {
    id: "grid",
    title: t("Process grids"),
    about: t("Time on p rows and q columns of processes."),
    terms: study => (study.runs.some(hasForecast) ? ["formula", "off formula"] : []),
    wide: study => !areFew(gridsOf(study)),
    wants: study => (gridsOf(study)?.groups[0].runs.length ?? 0) > 2,
    draw(frame, study) {
        const { name, groups } = gridsOf(study),
            isOfBest = ({ runs }) => runs.some(run => run.index === study.best.index);
        const at = { group: groups.find(isOfBest) ?? groups[0], view: "simulated" },
            said = element("p", { class: "about" });
        const isFew = areFew({ groups });
        const drawPart = isFew ? makeBars(frame, study, at, name) : makeMap(frame, study, at);
        const draw = () => {
            drawPart();
            said.textContent = [saidOf(at.group.runs), isFew ? hintOf(at.group.runs) : ""].join(" ");
        };
        frame.choose(
            t("for"),
            groups.map(one => ({ name: one.label, value: one })),
            at.group,
            group => {
                at.group = group;
                draw();
            },
        );
        frame.body.append(said);
        onTheme(draw);
        draw();
        const others = study.varying.filter(one => one !== name),
            measures = ["p", "q", "time_s", "forecast_s", "forecast_error"];
        frame.csv(() => [
            [...others, ...measures],
            ...groups.flatMap(({ runs }) =>
                runs.map(run => [...others.map(one => run.parameters[one]), ...measures.map(one => run[one])]),
            ),
        ]);
    },
};
