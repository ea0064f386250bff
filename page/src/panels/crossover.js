// Where the best changes: a map of problems in the colors of their best candidates, and times along one of its rows.
// SPDX-License-Identifier: BSD-3-Clause
import { candidatesOf, groupsOf, namer, told } from "../candidates.js";
import { Cells } from "../cells.js";
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { format, pointerTo, quantity, settingText } from "../numbers.js";
import { keyOf } from "../shared_memory.js";
import { isWide, parameterAxis } from "../sweep.js";
import { onTheme, series } from "../theme.js";
import { nameIn, t } from "../texts/index.js";

// A cell of the map for all runs with the same numbers; what they differ in otherwise are the alternatives. The number
// with most values goes across, the next one up. Null where one candidate is the best throughout.
function mapOf(study) {
    const found = candidatesOf(study);
    if (!found) return null;
    const isNumber = name => study.isAxis(name),
        many = name => study.valuesOf(name).length,
        alternatives = found.candidate.filter(name => !isNumber(name)),
        numbers = [...found.problem, ...found.candidate].filter(isNumber).sort((a, b) => many(b) - many(a)),
        [across, up] = numbers,
        others = [...found.problem.filter(name => !isNumber(name)), ...numbers.slice(2)];
    if (!across || alternatives.length === 0) return null;
    const of = namer(found.runs, alternatives),
        problems = groupsOf(found.runs, [...numbers.slice(0, 2), ...others]),
        all = [...new Set(study.runs.map(of))],
        bests = [...new Set(problems.map(([best]) => of(best)))];
    return bests.length > 1 ? { across, up, others, of, problems, bests, all } : null;
}

const sorted = values => [...values].sort((a, b) => a - b);
// The candidates that have a color and a line: all, or if there are too many, those that are the best somewhere.
const isWhole = ({ all }) => all.length <= series().length;
const drawnOf = map => (isWhole(map) ? map.all : map.bests);
const colourIn = (map, name) => series()[drawnOf(map).indexOf(name) % series().length];

// "knomial 113 us; then flat 157 us, 39 % longer"
function tellBest(study, { across, up, others, of }, [best, second]) {
    const time = run => quantity(study.data, pointerTo("runs", run.index, "time_s"), "s"),
        where = told(best, [...others, ...(up ? [up] : []), across]);
    const next = () => [
        t`; then ${of(second)}, `,
        time(second),
        second.time_s === best.time_s ? t(", as long") : ` (${format(second.time_s / best.time_s - 1, "difference")})`,
    ];
    return [`${where}: ${of(best)}, `, time(best), ...(second ? next() : [])];
}

// "flat up to 256 B, binomial up to 16 KiB, scatter_ring from 64 KiB on"
function switchesOf(row, { across, of }) {
    const pieces = [];
    for (const [best] of row) {
        const value = settingText(across, best.parameters[across]);
        if (pieces.at(-1)?.name === of(best)) pieces.at(-1).to = value;
        else pieces.push({ name: of(best), from: value, to: value });
    }
    if (pieces.length === 1) return t`${pieces[0].name} throughout`;
    return pieces
        .map(({ name, from, to }, i) => (i === pieces.length - 1 ? t`${name} from ${from} on` : t`${name} up to ${to}`))
        .join(", ");
}

// The problems of one row, in the order of the axis.
const rowOf = (problems, { across, up }, value) =>
    problems
        .filter(([{ parameters }]) => !up || parameters[up] === value)
        .sort(([a], [b]) => a.parameters[across] - b.parameters[across]);

function drawMap(cells, study, map, rows) {
    const { across, up, of } = map,
        xs = sorted(study.valuesOf(across));
    cells.draw({
        isKeyed: true,
        heads: [
            {
                corner: up ? `${up}\u00a0\u2193, ${across}\u00a0\u2192` : across,
                names: xs.map(x => settingText(across, x)),
            },
        ],
        rows: rows.map(({ value, row }) => ({
            name: up ? settingText(up, value) : "",
            cells: xs.map(x => {
                const problem = row.find(([{ parameters }]) => parameters[across] === x);
                if (!problem) return null;
                const name = of(problem[0]);
                return { shown: name, colour: colourIn(map, name), told: () => tellBest(study, map, problem) };
            }),
        })),
    });
}

const kinds = { time: ["time_s", "s"], slowdown: ["slowdown", "ratio"] };

// A line for each candidate; large points are where it is the best.
function lineOption(study, map, row, kind) {
    const { across, of } = map,
        [key, unit] = kinds[kind],
        xs = row.map(([best]) => best.parameters[across]);
    const valueOf = (run, best) => (key === "time_s" ? run.time_s : run.time_s / best.time_s);
    const point = (name, problem) => {
        const run = problem.find(one => of(one) === name);
        if (!run) return null;
        const isBest = run === problem[0];
        return {
            value: [run.parameters[across], valueOf(run, problem[0])],
            symbol: "circle",
            symbolSize: isBest ? 12 : 5,
        };
    };
    const lines = drawnOf(map).map(name => ({
        type: "line",
        name,
        itemStyle: { color: colourIn(map, name) },
        data: row.map(problem => point(name, problem)).filter(Boolean),
    }));
    const values = lines.flatMap(({ data }) => data.map(({ value }) => value[1]));
    return {
        series: lines,
        xAxis: parameterAxis(across, xs),
        yAxis: axis({ name: nameIn(kind), unit, log: isWide(values), turned: true, largest: Math.max(...values) }),
        tooltip: {
            formatter: ({ seriesName, value }) =>
                tip(`${seriesName}, ${across} ${settingText(across, value[0])}`, [[nameIn(kind), value[1], unit]]),
        },
    };
}

export const crossover = {
    id: "crossover",
    title: t("Where the best changes"),
    about: t("Each cell is a problem, in the color of its best candidate."),
    wide: true,
    terms: ["slowdown"],
    wants: study => mapOf(study) !== null,
    draw(frame, study) {
        const map = mapOf(study),
            { across, up, others, of, problems } = map;
        const groups = groupsOf(
                problems.map(([best]) => best),
                others,
            ).map(([first]) => told(first, others)),
            values = up ? sorted(study.valuesOf(up)).reverse() : [null];
        const at = { group: groups[0], line: values[0], kind: "time" },
            key = element("div"),
            cells = new Cells(),
            said = element("ul", { class: "list" });
        const rows = () => {
            const here = problems.filter(([best]) => told(best, others) === at.group);
            return values.map(value => ({ value, row: rowOf(here, map, value) })).filter(({ row }) => row.length > 0);
        };
        const below = element("div", { class: "controls" });
        frame.body.append(key, ...cells.parts, said, below);
        const line = () => (rows().find(({ value }) => value === at.line) ?? rows()[0]).row,
            chart = frame.chart(() => lineOption(study, map, line(), at.kind), { height: 300, isPart: true });
        const draw = () => {
            const shown = rows(),
                isBest = name => shown.some(({ row }) => row.some(([best]) => of(best) === name)),
                names = isWhole(map) ? map.all : map.bests.filter(isBest);
            key.replaceChildren(keyOf(names.map(name => [colourIn(map, name), name])));
            drawMap(cells, study, map, shown);
            said.replaceChildren(
                ...[...shown]
                    .reverse()
                    .map(({ value, row }) =>
                        element("li", {}, up ? `${up} ${settingText(up, value)}: ` : "", switchesOf(row, map), "."),
                    ),
            );
        };
        const offer = (label, choices, name, into) => {
            const take = chosen => {
                at[name] = chosen;
                draw();
                chart.draw();
            };
            frame.choose(label, choices, at[name], take, into);
        };
        const named = names => names.map(name => ({ name: nameIn(name), value: name }));
        offer(t("for"), named(groups), "group", frame.controls);
        offer(t("show"), named(Object.keys(kinds)), "kind", below);
        offer(
            t`along ${up}`,
            values.map(value => ({ name: up ? settingText(up, value) : "", value })),
            "line",
            below,
        );
        if (!isWhole(map))
            frame.body.append(
                element("p", { class: "about" }, t("Lines are drawn of those that are the best somewhere.")),
            );
        onTheme(draw);
        draw();
        const names = [...others, ...(up ? [up] : []), across];
        frame.csv(() => [
            [...names, "best", "time_s", "second", "second_time_s"],
            ...problems.map(([best, second]) => [
                ...names.map(name => best.parameters[name]),
                of(best),
                best.time_s,
                second ? of(second) : "",
                second?.time_s ?? "",
            ]),
        ]);
    },
};
