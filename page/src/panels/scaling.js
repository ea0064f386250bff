// Time and speedup over any parameter that was swept, beside what was measured, formulas, the ideal and Amdahl's law.
// SPDX-License-Identifier: BSD-3-Clause
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { isByFactors, isWide, parameterAxis } from "../sweep.js";
import { series, theme } from "../theme.js";
import { t } from "../texts/index.js";

const mostLines = 10;
const mostBeside = 4; // lines beside which there is room for what was measured
const unitOf = { time_s: "s", speedup: "ratio", efficiency: "share", forecast_error: "difference" };
const nameOf = {
    time_s: t("time"),
    speedup: t("speedup"),
    efficiency: t("efficiency"),
    forecast_error: t("off formula"),
};

const processorsOf = run => run.ranks * (run.processors_per_rank ?? 1);

// Amdahl's law for a line over ranks, with the smallest serial part that one of its runs shows.
function amdahl(runs, y) {
    const shown = runs.filter(run => processorsOf(run) > 1 && run.speedup > 0);
    if (shown.length === 0 || y === "forecast_error") return null;
    const serialOf = run => Math.max(0, (processorsOf(run) / run.speedup - 1) / (processorsOf(run) - 1));
    const serial = Math.min(...shown.map(serialOf));
    const speedup = p => 1 / (serial + (1 - serial) / p);
    const value = { speedup, efficiency: p => speedup(p) / p, time_s: p => shown[0].sequential_time_s / speedup(p) }[y];
    return {
        name: t`Amdahl, serial part ${format(serial, "share")}`,
        points: runs.map(run => [run.ranks, value(processorsOf(run))]),
    };
}
const aboutAmdahl = t(
    "Amdahl's serial part is the smallest of all runs: (ranks / speedup - 1) / (ranks - 1). " +
        "The gap below that line is loss, which grows with the number of ranks.",
);

function ideal(runs, y) {
    if (y === "forecast_error") return null;
    const first = runs.find(run => run.sequential_time_s > 0);
    if (!first) return null;
    const value = { speedup: p => p, efficiency: () => 1, time_s: p => first.sequential_time_s / p }[y];
    return { name: t("ideal"), points: runs.map(run => [run.ranks, value(processorsOf(run))]) };
}

// The measured or predicted y of a run, by its time or said outright; null where there is none.
function referenceOf(run, y, kind, one_s) {
    const known = run.reference?.[`${kind}.${y}`],
        time = run.reference?.[`${kind}_s`];
    if (known > 0) return known;
    if (!(time > 0) || (y !== "time_s" && !(one_s > 0))) return null;
    return { time_s: time, speedup: one_s / time, efficiency: one_s / time / run.ranks }[y] ?? null;
}

// [x, y, simulated / y - 1] of the runs that have a reference. Speedup is over its own time on one rank, or else T_seq.
function ofReference(runs, x, y, kind) {
    const one_s = runs.find(run => run.ranks === 1)?.reference?.[`${kind}_s`];
    return runs
        .map(run => [run, referenceOf(run, y, kind, one_s ?? run.sequential_time_s)])
        .filter(([, value]) => value !== null)
        .map(([run, value]) => [run.parameters[x], value, run[y] / value - 1]);
}

// Where there are many lines, those are shown that differ in one parameter; the others are chosen: their names.
function chosenApart(study, x) {
    const others = study.varying.filter(name => name !== x),
        count = name => study.valuesOf(name).length;
    return study.lines(x).length <= mostLines ? [] : others.sort((a, b) => count(b) - count(a)).slice(1);
}
const apartOf = (run, names) => names.map(name => `${name} ${run.parameters[name]}`).join(", ");

// Series beside a line: measured points and formulas. tint: its color.
function beside({ name: line, runs }, x, y, tint, isAlone) {
    const dashed = { symbol: "emptyTriangle", itemStyle: { color: tint }, lineStyle: { type: "dashed", color: tint } };
    const its = y === "time_s" ? runs.filter(run => typeof run.forecast_s === "number") : [];
    const application = its.map(run => [run.parameters[x], run.forecast_s, run.forecast_error]);
    const mark = { symbol: "diamond", symbolSize: 12, itemStyle: { color: isAlone ? theme().ink : tint } };
    return [
        { type: "scatter", name: t("measured"), data: ofReference(runs, x, y, "measured"), ...mark },
        { type: "line", name: t("the paper's formula"), data: ofReference(runs, x, y, "predicted"), ...dashed },
        { type: "line", name: t("the application's formula"), data: application, ...dashed },
    ]
        .filter(({ data }) => data.length > 0)
        .map(one => ({ ...one, id: isAlone ? one.name : `${one.name}, ${line}` }));
}

// Over ranks: the ideal, which is the same for all lines but in time, and, of a line alone, Amdahl's law.
function laws(lines, x, y) {
    const isAlone = lines.length === 1,
        byRanks = new Map(lines.flatMap(line => line.runs).map(run => [run.ranks, run])),
        runs = [...byRanks.values()].sort((a, b) => a.ranks - b.ranks),
        color = theme().soft;
    if (x !== "ranks" || (!isAlone && y === "time_s")) return [];
    const line = (law, type, width) =>
        law && {
            type: "line",
            name: law.name,
            data: law.points,
            showSymbol: false,
            itemStyle: { color },
            lineStyle: { type, width, color },
        };
    return [line(ideal(runs, y), "solid", 1), isAlone && line(amdahl(runs, y), "dotted", 2)].filter(Boolean);
}

// Symbols and strokes that tell lines apart when there are more of them than colors.
function strokeOf(i) {
    const tints = series(),
        turn = Math.floor(i / tints.length);
    const color = tints[i % tints.length],
        type = ["solid", "dashed", "dotted"][turn % 3];
    return { symbol: ["circle", "rect", "triangle"][turn % 3], itemStyle: { color }, lineStyle: { type, color } };
}

function lineSeries(study, x, y, apart) {
    const names = chosenApart(study, x),
        told = study.varying.filter(one => one !== x && !names.includes(one));
    const lines = study.lines(x).filter(({ runs }) => names.length === 0 || apartOf(runs[0], names) === apart);
    const shortOf = ({ name, runs }) =>
        names.length === 0 ? name : told.map(one => runs[0].parameters[one]).join(", ");
    const drawn = lines.map((line, i) => ({
        type: "line",
        name: shortOf(line) || t("simulated"),
        symbolSize: 7,
        ...strokeOf(i),
        data: line.runs.map(run => [run.parameters[x], run[y] ?? null]),
    }));
    const isAlone = lines.length === 1,
        tintOf = i => (isAlone ? theme().soft : strokeOf(i).itemStyle.color);
    const others = lines.length > mostBeside ? [] : lines.flatMap((line, i) => beside(line, x, y, tintOf(i), isAlone));
    return [...drawn, ...others, ...laws(lines, x, y)].map(one => ({ id: one.name, ...one }));
}

function tipOf({ seriesName, seriesId, value: [at, size, error] }, x, y) {
    return tip(seriesId, [
        [x, at, "number"],
        [nameOf[y], size, unitOf[y]],
        ...(typeof error === "number" ? [[t`simulated / ${seriesName} - 1`, error, "difference"]] : []),
    ]);
}

// The column of how far the simulation is off: of what is drawn, if that is one thing.
function nameOfErrors(lines) {
    const names = new Set(lines.filter(({ data }) => data.some(point => point.length > 2)).map(({ name }) => name));
    return t`simulated / ${names.size === 1 ? [...names][0] : "series"} - 1`;
}

// True if some axis may be logarithmic.
const mayBeWide = ({ runs, axes }, ys) =>
    axes.some(name => isByFactors(runs.map(run => run.parameters[name]))) ||
    ys.some(y => isWide(runs.map(run => run[y])));

export const scaling = {
    id: "scaling",
    title: t("Time and speedup"),
    terms: ["speedup", "efficiency", "T_seq"],
    wants: study => study.axes.length > 0,
    draw(frame, study) {
        let x = study.axes.includes("ranks") ? "ranks" : study.axes[0];
        // A collective alone has no run that is faster than on one rank.
        let y = study.runs.some(run => run.speedup > 1) && x === "ranks" ? "speedup" : "time_s";
        const ys = Object.keys(unitOf).filter(name => study.runs.some(run => typeof run[name] === "number"));
        let apart = apartOf(study.best, chosenApart(study, x));
        let isLinear = false;
        const holder = element("span"),
            said = element("p", { class: "about" });
        const offer = () => {
            const names = chosenApart(study, x),
                choices = [...new Set(study.runs.map(run => apartOf(run, names)))];
            if (!choices.includes(apart)) apart = apartOf(study.best, names);
            holder.replaceChildren();
            frame.choose(
                t("for"),
                choices.map(name => ({ name, value: name })),
                apart,
                chosen => {
                    apart = chosen;
                    draw();
                },
                holder,
            );
        };
        const chart = frame.chart(
            () => {
                const lines = lineSeries(study, x, y, apart);
                const values = lines.flatMap(one => one.data.map(point => point[1])).filter(value => value > 0);
                const xs = study.runs.map(run => run.parameters[x]),
                    isLog = !isLinear && isWide(values);
                said.textContent = lines.some(({ name }) => name.startsWith("Amdahl")) ? aboutAmdahl : "";
                return {
                    series: lines,
                    xAxis: parameterAxis(x, xs, { isLinear, onZero: !isLog }),
                    yAxis: axis({
                        name: nameOf[y],
                        unit: unitOf[y],
                        log: isLog && (y === "speedup" ? 2 : 10),
                        largest: Math.max(...values),
                        turned: true,
                    }),
                    tooltip: { formatter: point => tipOf(point, x, y) },
                };
            },
            { height: 360 },
        );
        const draw = () => chart.draw();
        frame.choose(
            t("over"),
            study.axes.map(name => ({ name, value: name })),
            x,
            value => {
                x = value;
                offer();
                draw();
            },
        );
        frame.choose(
            t("show"),
            ys.map(value => ({ name: nameOf[value], value })),
            y,
            value => {
                y = value;
                draw();
            },
        );
        const scales = [
            { name: t("logarithmic where wide"), value: false },
            { name: t("linear"), value: true },
        ];
        frame.choose(t("axes"), mayBeWide(study, ys) ? scales : [], isLinear, value => {
            isLinear = value;
            draw();
        });
        frame.controls.append(holder);
        frame.body.append(said);
        offer();
        frame.csv(() => [
            ["series", x, y, nameOfErrors(lineSeries(study, x, y, apart))],
            ...lineSeries(study, x, y, apart).flatMap(one =>
                one.data.map(([at, size, off = ""]) => [one.id, at, size, off]),
            ),
        ]);
    },
};
