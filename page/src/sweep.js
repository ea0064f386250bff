// Charts over a sweep: which parameter is the axis, which runs are on the line that is shown, and what their places are
// called.
// SPDX-License-Identifier: BSD-3-Clause
import { axis } from "./charts.js";
import { isSize, settingText } from "./numbers.js";
import { t } from "./texts/index.js";

// Possible axes: numbers that were swept, and the work W if it varies along one of them.
const work = "W";
const isNumber = value => typeof value === "number";

function axesOf(study, runs) {
    const axes = study.axes.filter(name => new Set(runs.map(run => run.parameters[name])).size > 1);
    const grown = axes.find(
        name =>
            name !== "ranks" &&
            study
                .lines(name)[0]
                .runs.every(
                    (run, i, all) => isNumber(run.operations) && (i === 0 || run.operations > all[i - 1].operations),
                ),
    );
    return grown ? [...axes, work] : axes;
}

// True if values spread over so wide a range, a decade or more, that a logarithmic axis shows them better.
export const isWide = values => Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) >= 10;

// True if an axis of these values is logarithmic: they are far apart, or each is at least twice the one before.
export function isByFactors(values) {
    const xs = [...new Set(values)].sort((a, b) => a - b);
    return isWide(xs) || (xs.length > 2 && xs[0] > 0 && xs.every((x, i) => i === 0 || x >= 2 * xs[i - 1]));
}

// Where nothing is an axis: the fastest runs, if there are many, and all of them.
const mostBars = 24;
function groupsOf(runs) {
    const fastest = [...runs].sort((a, b) => a.time_s - b.time_s).slice(0, mostBars);
    const all = { name: t`all ${runs.length} runs`, runs };
    return runs.length > mostBars ? [{ name: t`the ${mostBars} fastest`, runs: fastest }, all] : [all];
}

// A large number in three digits: 512 M.
function shortOf(value) {
    const [factor, name] = [
        [1e12, " T"],
        [1e9, " G"],
        [1e6, " M"],
        [1e3, " k"],
    ].find(([least]) => value >= least) ?? [1, ""];
    return Number((value / factor).toPrecision(3)) + name;
}

// A line of the sweep that the reader chooses: at.runs in the order of at.axis, at.valueOf(run) and at.nameOf(run) what
// stands there. Without a number that was swept all runs are on it. draw() is called after another choice.
export function followSweep(frame, study, has, draw) {
    const known = study.runs.filter(has),
        axes = axesOf(study, known),
        lineOver = name => (name === work ? axes.find(one => one !== "ranks") : name);
    const at = { axis: axes.includes("ranks") ? "ranks" : (axes[0] ?? null) };
    const lines = () =>
        at.axis
            ? study
                  .lines(lineOver(at.axis))
                  .map(line => ({ ...line, runs: line.runs.filter(has) }))
                  .filter(({ runs }) => runs.length > 0)
            : groupsOf(known);
    const holder = document.createElement("span");
    const chooseLine = line => {
        at.runs = line.runs;
        at.line = line.name;
    };
    const offer = () => {
        const all = lines();
        chooseLine(all.find(({ runs }) => runs.includes(study.best)) ?? all[0]);
        holder.replaceChildren();
        frame.choose(
            t("for"),
            all.map(line => ({ name: line.name, value: line })),
            all.find(({ name }) => name === at.line),
            line => {
                chooseLine(line);
                draw();
            },
            holder,
        );
    };
    at.valueOf = run => (at.axis === work ? run.operations : run.parameters[at.axis]);
    at.nameOf = run =>
        at.axis
            ? String(at.axis === work ? shortOf(run.operations) : settingText(at.axis, run.parameters[at.axis]))
            : study.label(run);
    frame.choose(
        t("over"),
        axes.map(name => ({ name: name === work ? t("work W") : name, value: name })),
        at.axis,
        name => {
            at.axis = name;
            offer();
            draw();
        },
    );
    frame.controls.append(holder);
    offer();
    return at;
}

export const axisName = at => (at.axis === work ? t("W, operations") : at.axis);

// The axis of bars, one for each run of the line: below them for numbers, else beside them, the first at the top.
export function barAxes(at, value) {
    const names = at.runs.map(at.nameOf);
    if (at.axis)
        return { xAxis: axis({ name: axisName(at), categories: names }), yAxis: axis({ ...value, turned: true }) };
    return { yAxis: { ...axis({ name: "", categories: names }), inverse: true }, xAxis: axis(value) };
}

// The axis of a parameter that has these values: sizes, and what goes up by factors, on a logarithmic one. That has its
// ticks at the values, if they are few; the last has its label in any case.
const mostTicks = 24;
export function parameterAxis(name, values, { isLinear = false, onZero = true } = {}) {
    const xs = [...new Set(values)].sort((a, b) => a - b),
        [min, max] = [xs[0], xs.at(-1)],
        isLog = !isLinear && min > 0 && max > min && (isByFactors(xs) || isSize(name)),
        drawn = axis({ name, unit: "number", log: isLog && 2, onZero, ...(isLog ? { min, max } : {}) }),
        at = isLog && xs.length <= mostTicks ? { customValues: xs } : {};
    return {
        ...drawn,
        axisTick: { ...drawn.axisTick, ...at },
        axisLabel: {
            ...drawn.axisLabel,
            showMaxLabel: true,
            ...at,
            formatter: value => settingText(name, Number(value.toPrecision(12))),
        },
    };
}

// The axis of lines over what was swept; it stands below all of them, also where theirs is logarithmic.
export function lineAxis(at) {
    const values = at.runs.map(at.valueOf);
    if (at.axis !== work) return parameterAxis(at.axis, values, { onZero: false });
    const drawn = axis({ name: axisName(at), unit: "number", log: isWide(values) && 10, onZero: false });
    return { ...drawn, axisLabel: { ...drawn.axisLabel, formatter: shortOf } };
}

// How high a chart of such bars has to be.
export const barHeight = at => (at.axis ? 320 : Math.max(140, 70 + 26 * at.runs.length));
