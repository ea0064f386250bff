// Time and speedup over any parameter that was swept, beside what was measured, formulas, the ideal and Amdahl's law.
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { isWide } from "../sweep.js";
import { series, theme } from "../theme.js";

const mostLines = 10;
const mostBeside = 4; // lines beside which there is room for what was measured
const unitOf = { time_s: "s", speedup: "ratio", efficiency: "share", forecast_error: "difference" };
const nameOf = { time_s: "time", speedup: "speedup", efficiency: "efficiency", forecast_error: "off formula" };

// Of a line over ranks: Amdahl's law with the serial part that the largest run would have if it were the only limit.
function amdahl(runs, y) {
    const last = runs.at(-1),
        ranks = last.ranks;
    if (ranks < 2 || !(last.speedup > 0) || y === "forecast_error") return null;
    const serial = Math.max(0, (ranks / last.speedup - 1) / (ranks - 1));
    const speedup = p => 1 / (serial + (1 - serial) / p);
    const value = { speedup, efficiency: p => speedup(p) / p, time_s: p => last.sequential_time_s / speedup(p) }[y];
    return {
        name: `Amdahl, serial part ${format(serial, "share")}`,
        points: runs.map(run => [run.ranks, value(run.ranks)]),
    };
}

function ideal(runs, y) {
    if (y === "forecast_error") return null;
    const first = runs.find(run => run.sequential_time_s > 0);
    if (!first) return null;
    const value = { speedup: p => p, efficiency: () => 1, time_s: p => first.sequential_time_s / p }[y];
    return { name: "ideal", points: runs.map(run => [run.ranks, value(run.ranks)]) };
}

// The measured or predicted times of the reference as the y that is shown.
function ofReference(runs, x, y, key) {
    if (y === "forecast_error") return null;
    const points = runs
        .filter(run => run.reference?.[key] > 0 && (y === "time_s" || run.sequential_time_s > 0))
        .map(run => {
            const time = run.reference[key],
                first = runs.find(r => r.ranks === 1)?.reference?.[key] ?? run.sequential_time_s;
            return [
                run.parameters[x],
                { time_s: time, speedup: first / time, efficiency: first / time / run.ranks }[y],
            ];
        });
    return points.length > 0 ? points : null;
}

// Where there are many lines, those are shown that differ in one parameter; the others are chosen: their names.
function chosenApart(study, x) {
    const others = study.varying.filter(name => name !== x),
        count = name => study.valuesOf(name).length;
    return study.lines(x).length <= mostLines ? [] : others.sort((a, b) => count(b) - count(a)).slice(1);
}
const apartOf = (run, names) => names.map(name => `${name} ${run.parameters[name]}`).join(", ");

// What a line is set beside: measured points, formulas, and, of a line alone over ranks, the laws. tint: its colour.
function beside(runs, x, y, tint, isAlone) {
    const dashed = { symbol: "emptyTriangle", itemStyle: { color: tint }, lineStyle: { type: "dashed", color: tint } };
    const thin = (type, width) => ({
        showSymbol: false,
        itemStyle: { color: tint },
        lineStyle: { type, width, color: tint },
    });
    const its = y === "time_s" ? runs.filter(run => typeof run.forecast_s === "number") : [];
    const application = its.map(run => [run.parameters[x], run.forecast_s]);
    const laws = isAlone && x === "ranks" ? [ideal(runs, y), amdahl(runs, y)].filter(Boolean) : [];
    const mark = { symbol: "diamond", symbolSize: 12, itemStyle: { color: isAlone ? theme().ink : tint } };
    return [
        { type: "scatter", name: "measured", data: ofReference(runs, x, y, "measured_s"), ...mark },
        { type: "line", name: "the paper's formula", data: ofReference(runs, x, y, "predicted_s"), ...dashed },
        { type: "line", name: "the application's formula", data: application, ...dashed },
        ...laws.map(({ name, points }, k) => ({
            type: "line",
            name,
            data: points,
            ...(k === 0 ? thin("solid", 1) : thin("dotted", 2)),
        })),
    ].filter(({ data }) => data?.length > 0);
}

function lineSeries(study, x, y, apart) {
    const names = chosenApart(study, x),
        told = study.varying.filter(one => one !== x && !names.includes(one));
    const lines = study.lines(x).filter(({ runs }) => names.length === 0 || apartOf(runs[0], names) === apart);
    const shortOf = ({ name, runs }) =>
        names.length === 0 ? name : told.map(one => runs[0].parameters[one]).join(", ");
    const drawn = lines.map(line => ({
        type: "line",
        name: shortOf(line) || "simulated",
        symbolSize: 7,
        data: line.runs.map(run => [run.parameters[x], run[y] ?? null]),
    }));
    const isAlone = lines.length === 1,
        tints = series();
    const others =
        lines.length > mostBeside
            ? []
            : lines.flatMap(({ runs }, i) => beside(runs, x, y, isAlone ? theme().soft : tints[i], isAlone));
    return [...drawn, ...others];
}

export const scaling = {
    id: "scaling",
    title: "Time and speedup",
    terms: ["speedup", "efficiency", "T_seq"],
    wants: study => study.axes.length > 0,
    draw(frame, study) {
        let x = study.axes.includes("ranks") ? "ranks" : study.axes[0];
        let y = study.runs.some(run => run.speedup > 0) && x === "ranks" ? "speedup" : "time_s";
        const ys = Object.keys(unitOf).filter(name => study.runs.some(run => typeof run[name] === "number"));
        let apart = apartOf(study.best, chosenApart(study, x));
        const holder = element("span");
        const offer = () => {
            const names = chosenApart(study, x),
                choices = [...new Set(study.runs.map(run => apartOf(run, names)))];
            if (!choices.includes(apart)) apart = apartOf(study.best, names);
            holder.replaceChildren();
            frame.choose(
                "for",
                choices.map(name => ({ name, value: name })),
                apart,
                chosen => {
                    apart = chosen;
                    chart.draw();
                },
                holder,
            );
        };
        const chart = frame.chart(
            () => {
                const lines = lineSeries(study, x, y, apart);
                const values = lines.flatMap(one => one.data.map(point => point[1])).filter(value => value > 0);
                const xs = study.runs.map(run => run.parameters[x]);
                return {
                    series: lines,
                    xAxis: axis({ name: x, log: isWide(xs) && 2, unit: "number" }),
                    yAxis: axis({
                        name: nameOf[y],
                        unit: unitOf[y],
                        log: isWide(values) && (y === "speedup" ? 2 : 10),
                        largest: Math.max(...values),
                        turned: true,
                    }),
                    tooltip: {
                        trigger: "item",
                        renderMode: "richText",
                        confine: true,
                        formatter: ({ seriesName, value }) =>
                            tip(seriesName, [
                                [x, value[0], "number"],
                                [nameOf[y], value[1], unitOf[y]],
                            ]),
                    },
                };
            },
            { height: 360 },
        );
        frame.choose(
            "over",
            study.axes.map(name => ({ name, value: name })),
            x,
            value => {
                x = value;
                offer();
                chart.draw();
            },
        );
        frame.choose(
            "show",
            ys.map(value => ({ name: nameOf[value], value })),
            y,
            value => {
                y = value;
                chart.draw();
            },
        );
        frame.controls.append(holder);
        offer();
        frame.csv(() => [
            ["series", x, y],
            ...lineSeries(study, x, y, apart).flatMap(one => one.data.map(point => [one.name, ...point])),
        ]);
    },
};
