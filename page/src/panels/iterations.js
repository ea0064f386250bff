// The iterations of a traced program over the run, with those that stand out, and what makes them longer.
// SPDX-License-Identifier: BSD-3-Clause
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { colourOf, labelOf, theme } from "../theme.js";
import { t } from "../texts/index.js";

const hasIterations = run => run.iterations?.length > 0;
const parts = [
    ["useful_s", "useful"],
    ["communication_s", "communication"],
    ["idle_s", "idle"],
];

// "useful time of rank 3 in solve"
const causeOf = ({ cause, rank, scope }) =>
    [
        labelOf(cause) + (cause === "useful" ? t(" time") : ""),
        ...(rank >= 0 ? [t`of rank ${rank}`] : []),
        ...(scope ? [t`in ${scope}`] : []),
    ].join(" ");

const findingOf = (run, iteration) => (run.iteration_findings ?? []).find(row => row.iteration === iteration);

// A trend over all iterations, in a sentence; null: there is none.
function trendOf(run) {
    const trend = findingOf(run, 0);
    if (!trend) return null;
    const way = trend.factor > 1 ? "longer" : "shorter";
    return (
        t`Each iteration is ${format(Math.abs(trend.factor - 1), "share")} ${way} than the one before it; over ` +
        `the run that is ${format(Math.abs(trend.excess_s), "s")}, mostly ${causeOf(trend)}.`
    );
}

function tipOf(run, iteration) {
    const row = run.iterations[iteration - run.iterations[0].iteration],
        finding = findingOf(run, iteration);
    const lines = [["all", row.time_s, "s"], ...parts.map(([key, name]) => [name, row[key], "s"])];
    if (finding) lines.push(["longer by", finding.excess_s, "s"], ["mostly", causeOf(finding)]);
    return tip(t`iteration ${iteration}`, lines);
}

function optionOf(run) {
    const rows = run.iterations,
        first = rows[0].iteration,
        found = rows.filter(({ iteration }) => findingOf(run, iteration)),
        largest = Math.max(...rows.map(({ time_s }) => time_s));
    const line = (name, key, colour) => ({
        type: "line",
        name,
        showSymbol: rows.length < 60,
        sampling: "minmax",
        lineStyle: { width: key === "time_s" ? 2 : 1 },
        itemStyle: { color: colour },
        data: rows.map(row => [row.iteration, row[key]]),
    });
    return {
        tooltip: { trigger: "axis", formatter: ([{ value }]) => tipOf(run, value[0]) },
        xAxis: axis({ name: t("iteration"), min: first, max: first + Math.max(rows.length, 2) - 1 }),
        yAxis: axis({ name: t("mean of the ranks"), unit: "s", largest, turned: true, min: 0 }),
        series: [
            line("time", "time_s"),
            ...parts.map(([key, name]) => line(name, key, name === "idle" ? theme().soft : colourOf(name))),
            ...(found.length > 0
                ? [
                      {
                          type: "scatter",
                          name: t("stands out"),
                          symbol: "diamond",
                          symbolSize: 14,
                          itemStyle: { color: "#d55e00" },
                          data: found.map(({ iteration, time_s }) => [iteration, time_s]),
                      },
                  ]
                : []),
        ],
    };
}

export const iterations = {
    id: "iterations",
    title: t("Iterations"),
    about: t("Mean times of the ranks in each iteration. Marked ones take longer than is usual in the run."),
    terms: ["idle"],
    wide: true,
    wants: study => study.runs.some(hasIterations),
    draw(frame, study) {
        const said = element("p", { class: "about" });
        const tell = () => said.replaceChildren(trendOf(at.run) ?? t("There is no trend over the run."));
        const at = followRun(frame, study, hasIterations, () => {
            tell();
            chart.draw();
        });
        const chart = frame.chart(() => optionOf(at.run));
        frame.body.append(said);
        tell();
        frame.csv(() => [
            ["iteration", "time_s", "useful_s", "communication_s", "idle_s", "of_median", "longer by", "mostly"],
            ...at.run.iterations.map(row => {
                const finding = findingOf(at.run, row.iteration);
                return [
                    row.iteration,
                    row.time_s,
                    ...parts.map(([key]) => row[key]),
                    row.of_median,
                    finding?.excess_s ?? "",
                    finding ? causeOf(finding) : "",
                ];
            }),
        ]);
    },
};
