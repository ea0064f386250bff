// A race over lengths and machines: the places, who wins where, and the times over the lengths on one machine.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "../bars.js";
import { told } from "../candidates.js";
import { Cells } from "../cells.js";
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { heatColour, heatKey, logScale } from "../heat.js";
import { format, pointerTo, quantity, settingText } from "../numbers.js";
import { standingsOf } from "../standings.js";
import { isWide, parameterAxis } from "../sweep.js";
import { t } from "../texts/index.js";
import { onTheme, theme } from "../theme.js";

const scale = logScale([1, 4]); // of colors; what takes longer looks the same

function drawPlaces(box, { raced, racers, courses }) {
    const largest = Math.max(...racers.map(racer => racer.mean_s));
    drawBars(box, {
        of: raced,
        heads: [t("mean time"), t("mean slowdown"), t("fastest in")],
        largest,
        unit: "s",
        rows: racers.map(({ name, place, mean_s: mean, ratio, fastest_in: wins }) => ({
            name: `${place}. ${name}`,
            bars: [{ to: mean / largest, colour: theme().accent, kind: place === 1 ? "full" : "pale" }],
            numbers: [format(mean, "s"), format(ratio, "slowdown"), t`${wins} of ${courses.length}`],
        })),
    });
}

// A cell of a racer on a course; framed where nobody is faster.
function cellOf(study, { others }, racer, run, best) {
    const slowdown = run.time_s / best;
    return {
        shown: format(slowdown, "slowdown"),
        colour: heatColour(scale.partOf(slowdown)),
        isBest: slowdown === 1,
        told: () => [
            `${told(run, others)}: ${racer.name}, `,
            quantity(study.data, run.place ?? pointerTo("runs", run.index, "time_s"), "s"),
            slowdown === 1 ? t(", nobody is faster") : t`, ${format(slowdown, "slowdown")} the time of the fastest`,
        ],
    };
}

function drawCells(cells, study, standings) {
    const { others, courses, racers } = standings;
    cells.draw({
        heads: others.map(name => ({
            corner: name,
            names: courses.map(({ first }) => settingText(name, first.parameters[name])),
        })),
        isSmall: courses.length > 16,
        rows: racers.map(racer => ({
            name: racer.name,
            cells: racer.runs.map((run, i) => cellOf(study, standings, racer, run, courses[i].best_s)),
        })),
    });
}

// Times over the number with most values, on a machine: what else varies.
function curvesOf({ study, others }) {
    const numbers = others.filter(name => study.isAxis(name)),
        many = name => study.valuesOf(name).length,
        [across] = numbers.sort((a, b) => many(b) - many(a));
    return across && { across, fixed: others.filter(name => name !== across) };
}

function lineOption(standings, { across, fixed }, machine) {
    const series = standings.racers.map(({ name, runs }) => ({
        type: "line",
        name,
        data: runs
            .filter(run => told(run, fixed) === machine)
            .map(run => [run.parameters[across], run.time_s])
            .sort(([a], [b]) => a - b),
    }));
    const times = series.flatMap(({ data }) => data.map(([, time]) => time));
    return {
        series,
        xAxis: parameterAxis(
            across,
            series[0].data.map(([x]) => x),
        ),
        yAxis: axis({ name: t("time"), unit: "s", log: isWide(times), turned: true, largest: Math.max(...times) }),
        tooltip: {
            formatter: ({ seriesName, value }) =>
                tip(`${seriesName}, ${across} ${settingText(across, value[0])}`, [[t("time"), value[1], "s"]]),
        },
    };
}

export const standings = {
    id: "standings",
    title: t("Standings"),
    about: t(
        "The least geometric mean of the times wins; the slowdown is against the fastest of each column. " +
            "Framed: nobody is faster.",
    ),
    wide: true,
    terms: ["slowdown"],
    wants: study => standingsOf(study) !== null,
    draw(frame, study) {
        const found = standingsOf(study),
            curves = curvesOf(found),
            places = element("div"),
            cells = new Cells();
        frame.body.append(places, element("div", {}, heatKey(scale, t("slowdown"), t(" and more"))), ...cells.parts);
        const draw = () => {
            drawPlaces(places, found);
            drawCells(cells, study, found);
        };
        onTheme(draw);
        draw();
        if (curves) {
            const machines = [...new Set(found.courses.map(({ first }) => told(first, curves.fixed)))],
                below = element("div", { class: "controls" });
            let machine = machines[0];
            frame.body.append(below);
            const chart = frame.chart(() => lineOption(found, curves, machine), { height: 300, isPart: true });
            const take = chosen => {
                machine = chosen;
                chart.draw();
            };
            if (machines.length > 1)
                frame.choose(
                    t("times for"),
                    machines.map(value => ({ name: value, value })),
                    machine,
                    take,
                    below,
                );
        }
        frame.csv(() => [
            ["place", found.raced, ...found.others, "time_s", "mean_time_s", "mean_slowdown", "fastest_in"],
            ...found.racers.flatMap(racer =>
                racer.runs.map(run => [
                    racer.place,
                    racer.name,
                    ...found.others.map(name => run.parameters[name]),
                    run.time_s,
                    racer.mean_s,
                    racer.ratio,
                    racer.fastest_in,
                ]),
            ),
        ]);
    },
};
