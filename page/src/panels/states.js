// Time of each rank by state, as bars, in any order, in the window that the timeline shows.
// SPDX-License-Identifier: BSD-3-Clause
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { followRun, partOf, runsWith } from "../run_choice.js";
import { colourOf, labelOf, stateNames, termOf } from "../theme.js";
import { numberOfRow, sumOf } from "../timeline/model.js";
import { hasTimeline, timelineOf } from "../timeline/store.js";
import { onWindow } from "../window.js";
import { t } from "../texts/index.js";

const hasRanks = run => run.process_state_s && run.ranks * (run.processors_per_rank ?? 1) > 1;

// [{ name, useful, ... }] of the window, one for each row of ranks in the timeline.
async function rowsInPart(run, part) {
    const { rows, states, unit_s } = await timelineOf(run.index);
    return rows.flatMap((row, r) => {
        if (row.kind !== "rank") return [];
        const sums = sumOf(states, part.from_s / unit_s, part.to_s / unit_s, r, r + 1);
        return [
            { name: numberOfRow(row), ...Object.fromEntries(states.names.map((name, k) => [name, sums[k] * unit_s])) },
        ];
    });
}

// The i-th processor, rank by rank: its number, or that of its rank and the processor's name.
const nameOf = ({ process, locations }, i) => {
    if (!process) return i;
    const [rank, k] = [process.rank[i], process.processor[i]],
        named = (locations ?? []).find(row => row.rank === rank && row.processor === k);
    return numberOfRow({ kind: "rank", first: rank, processor: k > 0 ? (named?.name ?? `cpu ${k}`) : "" });
};

const rowsOf = run =>
    Object.values(run.process_state_s)[0].map((_, i) => ({
        name: nameOf(run, i),
        ...Object.fromEntries(Object.entries(run.process_state_s).map(([state, times]) => [state, times[i]])),
    }));

// The bars: times, or what is not useful over T_seq.
function optionOf(rows, all, kind, order, sequential_s) {
    const isRatio = kind === "ratio" && sequential_s > 0,
        names = all.filter(name => !isRatio || name !== "useful");
    const valueOf = (row, name) => row[name] / (isRatio ? sequential_s : 1),
        unit = isRatio ? "share" : "s";
    const sumOfRow = row => names.reduce((sum, name) => sum + valueOf(row, name), 0);
    const bar = name => ({
        type: "bar",
        stack: "all",
        name: labelOf(name),
        itemStyle: { color: colourOf(name) },
        large: rows.length > 300,
        barCategoryGap: rows.length > 100 ? 0 : "10%",
        data: rows.map(row => valueOf(row, name)),
    });
    return {
        series: names.map(bar),
        xAxis: axis({
            name: order === "rank" ? t("rank") : t`rank, by ${labelOf(order)}`,
            categories: rows.map(row => String(row.name)),
        }),
        yAxis: axis({
            name: isRatio ? t("overhead ratio, lost time / T_seq") : t("time"),
            unit,
            turned: true,
            largest: rows.reduce((most, row) => Math.max(most, sumOfRow(row)), 0),
        }),
        tooltip: {
            formatter: ({ dataIndex }) =>
                tip(
                    t`rank ${rows[dataIndex].name}`,
                    names.map(name => [labelOf(name), valueOf(rows[dataIndex], name), unit]),
                ),
        },
    };
}

export const states = {
    id: "states",
    title: t("States of each rank"),
    terms: study => {
        const isSome = name => runsWith(study, hasRanks).some(run => run.process_state_s[name]?.some(time => time > 0));
        return stateNames.filter(isSome).map(termOf);
    },
    wide: true,
    wants: study => runsWith(study, hasRanks).length > 0,
    draw(frame, study) {
        let kind = "time",
            order = "rank",
            rows = [],
            turn = 0;
        const said = element("p", { class: "about", "aria-live": "polite" });
        frame.body.append(said);
        const update = async () => {
            const run = at.run,
                part = partOf(run),
                mine = ++turn;
            const inPart = part && hasTimeline(run.index) ? await rowsInPart(run, part) : null;
            if (mine !== turn) return;
            rows = inPart ?? rowsOf(run);
            if (order !== "rank") rows.sort((a, b) => b[order] - a[order]);
            said.textContent = inPart
                ? t`From ${format(part.from_s, "s")} to ${format(part.to_s, "s")}.`
                : t("Of the whole run.");
            chart.draw();
        };
        const at = followRun(frame, study, hasRanks, update);
        const isThere = name => study.runs.some(run => run.process_state_s?.[name]?.some(time => time > 0));
        const names = Object.keys(at.run.process_state_s).filter(isThere);
        rows = rowsOf(at.run);
        const chart = frame.chart(() => optionOf(rows, names, kind, order, at.run.sequential_time_s), { height: 300 });
        if (study.runs.some(run => run.sequential_time_s > 0)) {
            const kinds = { time: t("time"), ratio: t("overhead ratio") };
            frame.choose(
                t("in"),
                Object.entries(kinds).map(([value, name]) => ({ name, value })),
                kind,
                chosen => {
                    kind = chosen;
                    chart.draw();
                },
            );
        }
        frame.choose(
            t("order by"),
            ["rank", ...names].map(name => ({ name: labelOf(name), value: name })),
            order,
            value => {
                order = value;
                update();
            },
        );
        onWindow(update, 120);
        frame.csv(() => [
            ["rank", ...names.map(name => `${name}_s`)],
            ...rows.map(row => [row.name, ...names.map(name => row[name])]),
        ]);
        update();
    },
};
