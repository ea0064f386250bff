// Runs against each other: how many ranks have done their last, as time goes by.
// SPDX-License-Identifier: BSD-3-Clause
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { series } from "../theme.js";
import { t } from "../texts/index.js";

const mostLines = 12; // the fastest
const own_px = 5; // what is the reader's is seen below another that is as fast

const finished = ({ rank_ends: rows }) => Array.isArray(rows) && rows.length > 1;
const racing = study => {
    const runs = study.runs.filter(finished).sort((a, b) => a.time_s - b.time_s);
    return runs.slice(0, mostLines);
};

// [time, ranks that are done]
const pointsOf = ({ rank_ends: rows }) => {
    const ends = rows.map(row => row.end_s).sort((a, b) => a - b);
    return [[0, 0], ...ends.map((end, i) => [end, i + 1])];
};

// The color stays whoever wins: it is by the order of the runs.
const strokeOf = ({ index, parameters }) => {
    const tints = series(),
        color = tints[index % tints.length],
        width = Object.values(parameters).includes("own") ? own_px : 2;
    return {
        itemStyle: { color },
        lineStyle: { type: ["solid", "dashed"][Math.floor(index / tints.length) % 2], color, width },
    };
};

export const race = {
    id: "race",
    title: t("The race"),
    about: t("How many ranks have finished, over time. The line that ends farthest to the left has won."),
    wants: study => racing(study).length > 1,
    draw(frame, study) {
        const runs = racing(study),
            latest = Math.max(...runs.map(run => run.time_s));
        const same = ["ranks", "bytes"].filter(name => !study.varying.includes(name));
        if (runs.length < study.runs.filter(finished).length)
            frame.body.append(element("p", { class: "about" }, t`The ${mostLines} fastest are shown.`));
        frame.chart(() => ({
            series: runs.map(run => ({
                type: "line",
                name: study.label(run, same),
                step: "end",
                showSymbol: run.rank_ends.length <= 32,
                symbolSize: 5,
                ...strokeOf(run),
                data: pointsOf(run),
            })),
            xAxis: axis({ name: t("time"), unit: "s", largest: latest }),
            yAxis: axis({ name: t("ranks that have finished"), unit: "number", turned: true }),
            tooltip: {
                formatter: ({ seriesName, value: [end, count] }) =>
                    tip(seriesName, [
                        [t("ranks that have finished"), count, "number"],
                        [t("at"), end, "s"],
                    ]),
            },
        }));
        frame.csv(() => [
            ["run", "rank", "end_s"],
            ...runs.flatMap(run => run.rank_ends.map(({ rank, end_s: end }) => [study.label(run, same), rank, end])),
        ]);
    },
};
