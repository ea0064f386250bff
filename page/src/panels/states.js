// What each rank spent its time on, as bars; in any order; of the window that the timeline shows.
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { followRun, partOf, runsWith } from "../run_choice.js";
import { colourOf } from "../theme.js";
import { sumOf } from "../timeline/model.js";
import { hasTimeline, timelineOf } from "../timeline/store.js";
import { onWindow } from "../window.js";

const hasRanks = run => run.process_state_s && run.ranks > 1;

// [{ name, useful, ... }] of the window, one for each row of ranks in the timeline.
async function rowsInPart(run, part) {
    const { rows, states, unit_s } = await timelineOf(run.index);
    return rows.flatMap((row, r) => {
        if (row.kind !== "rank") return [];
        const sums = sumOf(states, part.from_s / unit_s, part.to_s / unit_s, r, r + 1);
        return [{ name: row.first, ...Object.fromEntries(states.names.map((name, k) => [name, sums[k] * unit_s])) }];
    });
}

const rowsOf = ({ process_state_s: of }) =>
    Object.values(of)[0].map((_, rank) => ({
        name: rank,
        ...Object.fromEntries(Object.entries(of).map(([state, times]) => [state, times[rank]])),
    }));

export const states = {
    id: "states",
    title: "States of each rank",
    terms: ["useful", "control", "send", "receive", "idle"],
    wide: true,
    wants: study => runsWith(study, hasRanks).length > 0,
    draw(frame, study) {
        let order = "rank",
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
                ? `From ${format(part.from_s, "s")} to ${format(part.to_s, "s")}.`
                : "Of the whole run.";
            chart.draw();
        };
        const at = followRun(frame, study, hasRanks, update);
        const isThere = name => study.runs.some(run => run.process_state_s?.[name]?.some(time => time > 0));
        const names = Object.keys(at.run.process_state_s).filter(isThere);
        rows = rowsOf(at.run);
        const chart = frame.chart(
            () => ({
                series: names.map(name => ({
                    type: "bar",
                    stack: "all",
                    name,
                    itemStyle: { color: colourOf(name) },
                    large: rows.length > 300,
                    barCategoryGap: rows.length > 100 ? 0 : "10%",
                    data: rows.map(row => row[name]),
                })),
                xAxis: axis({
                    name: order === "rank" ? "rank" : `rank, by ${order}`,
                    categories: rows.map(row => String(row.name)),
                }),
                yAxis: axis({
                    name: "time",
                    unit: "s",
                    turned: true,
                    largest: rows.reduce(
                        (most, row) =>
                            Math.max(
                                most,
                                names.reduce((sum, name) => sum + row[name], 0),
                            ),
                        0,
                    ),
                }),
                tooltip: {
                    renderMode: "richText",
                    confine: true,
                    formatter: ({ dataIndex }) =>
                        tip(
                            `rank ${rows[dataIndex].name}`,
                            names.map(name => [name, rows[dataIndex][name], "s"]),
                        ),
                },
            }),
            { height: 300 },
        );
        frame.choose(
            "order by",
            ["rank", ...names].map(name => ({ name, value: name })),
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
