// B-ratios: each component over all others together, over what was swept; what is above 1 is the bottleneck.
// SPDX-License-Identifier: BSD-3-Clause
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { pointerTo, quantity } from "../numbers.js";
import { axisName, barAxes, barHeight, followSweep, isWide, lineAxis } from "../sweep.js";
import { colourOf, labelOf, theme } from "../theme.js";
import { nameIn, t } from "../texts/index.js";

const nameOf = name =>
    ({
        communication_computation_ratio: nameIn("communication/computation"),
        memory_processing_ratio: nameIn("memory/processing"),
    })[name] ?? labelOf(name);
const views = {
    b: [t("B-ratio"), run => run.b_ratio ?? {}],
    ratios: [
        t("ratio"),
        run =>
            Object.fromEntries(
                ["communication_computation_ratio", "memory_processing_ratio"].map(key => [key, run[key]]),
            ),
    ],
};
const isKnown = value => typeof value === "number" && value > 0;
const hasRatios = run => Object.values(run.b_ratio ?? {}).some(isKnown);

const namesOf = (runs, of) =>
    [...new Set(runs.flatMap(run => Object.keys(of(run))))].filter(name => runs.some(run => isKnown(of(run)[name])));

// The component that takes more than half of the critical path, and so more than all others together; null if none.
function bottleneckOf({ critical_path_s: path }) {
    const parts = Object.entries(path ?? {}).filter(([name]) => !name.includes(".")),
        sum = parts.reduce((all, [, part]) => all + part, 0);
    return parts.find(([, part]) => part > sum / 2)?.[0] ?? null;
}

// Neighboring runs with the same bottleneck together: [{ name, runs }].
const stretchesOf = runs =>
    runs.reduce((all, run) => {
        const name = bottleneckOf(run),
            last = all.at(-1);
        if (last?.name === name) last.runs.push(run);
        else all.push({ name, runs: [run] });
        return all;
    }, []);

// "communication (ranks 64 to 128)"; of runs that stand in no order, how many they are.
function sayBottlenecks(at, data) {
    const shownAt = ({ index, parameters }) =>
        quantity(
            data,
            at.axis in parameters
                ? pointerTo("runs", index, "parameters", at.axis)
                : pointerTo("runs", index, "operations"),
            "number",
        );
    const partOf = runs =>
        runs.length === 1
            ? [` (${axisName(at)} `, shownAt(runs[0]), ")"]
            : [` (${axisName(at)} `, shownAt(runs[0]), t(" to "), shownAt(runs.at(-1)), ")"];
    const groups = at.axis ? stretchesOf(at.runs) : stretchesOf([...at.runs].sort(byBottleneck));
    const said = ({ name, runs }) => [
        name ? labelOf(name) : t("none"),
        ...(groups.length === 1 ? [] : at.axis ? partOf(runs) : [t` (${runs.length} of ${at.runs.length} runs)`]),
    ];
    return [t("Bottleneck: "), ...groups.flatMap((group, i) => [i > 0 ? ", " : "", ...said(group)]), "."];
}
const byBottleneck = (a, b) => String(bottleneckOf(a)).localeCompare(String(bottleneckOf(b)));

// The line above which something is the bottleneck.
const limit = at => ({
    silent: true,
    symbol: "none",
    lineStyle: { color: theme().ink, type: "dotted" },
    label: { show: false },
    data: [at.axis ? { yAxis: 1 } : { xAxis: 1 }],
});

export const bottlenecks = {
    id: "bottlenecks",
    title: t("Bottlenecks"),
    about: t("Above the line at 1, a component takes more time than all others together: it is the bottleneck."),
    terms: ["B-ratio", "communication/computation", "memory/processing"],
    wants: study => study.runs.some(hasRatios),
    draw(frame, study) {
        let view = "b";
        const said = element("p", { class: "about", "aria-live": "polite" }),
            tell = () => said.replaceChildren(...sayBottlenecks(at, study.data));
        const draw = () => {
            chart.draw(barHeight(at));
            tell();
        };
        const at = followSweep(frame, study, hasRatios, () => draw());
        const seriesOf = () => {
            const [, of] = views[view],
                names = namesOf(at.runs, of);
            const points = name => at.runs.map(run => (isKnown(of(run)[name]) ? of(run)[name] : null));
            return names.map((name, i) => ({
                name: nameOf(name),
                itemStyle: { color: colourOf(name, i) },
                lineStyle: { color: colourOf(name, i) },
                ...(at.axis
                    ? {
                          type: "line",
                          symbolSize: 7,
                          data: points(name).map((value, k) => [at.valueOf(at.runs[k]), value]),
                      }
                    : { type: "bar", barCategoryGap: "25%", data: points(name) }),
                ...(i === 0 ? { markLine: limit(at) } : {}),
            }));
        };
        const chart = frame.chart(
            () => {
                const series = seriesOf(),
                    values = series.flatMap(({ data }) => data.map(one => one?.[1] ?? one)).filter(isKnown);
                const scale = { name: views[view][0], unit: "number", log: isWide(values) && 10 };
                return {
                    series,
                    ...(at.axis
                        ? { xAxis: lineAxis(at), yAxis: axis({ ...scale, turned: true }) }
                        : barAxes(at, scale)),
                    tooltip: {
                        formatter: ({ seriesName, value, name }) =>
                            Array.isArray(value)
                                ? tip(seriesName, [
                                      [axisName(at), value[0], "number"],
                                      [views[view][0], value[1], "ratio"],
                                  ])
                                : tip(name, [[seriesName, value, "ratio"]]),
                    },
                };
            },
            { height: barHeight(at) },
        );
        frame.body.append(said);
        tell();
        frame.choose(
            t("show"),
            [
                { name: t("B-ratios"), value: "b" },
                { name: t("ratios of two"), value: "ratios" },
            ],
            view,
            chosen => {
                view = chosen;
                draw();
            },
        );
        frame.csv(() => {
            const names = Object.values(views).flatMap(([, of]) => namesOf(at.runs, of).map(name => [name, of]));
            return [
                ["run", "bottleneck", ...names.map(([name]) => name)],
                ...at.runs.map(run => [
                    study.label(run),
                    bottleneckOf(run) ?? "",
                    ...names.map(([name, of]) => of(run)[name] ?? ""),
                ]),
            ];
        });
    },
};
