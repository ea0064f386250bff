// What the processors' time was lost to: overall, over any swept parameter, and process by process.
import { axis, tip } from "../charts.js";
import { colourOf } from "../theme.js";

const states = ["useful", "control", "send", "receive", "idle"];

function stack(names, rows, valueOf) {
    return names.map(name => ({ type: "bar", stack: "all", name, barCategoryGap: "18%",
        itemStyle: { color: colourOf(name) }, data: rows.map(row => valueOf(row, name)) }));
}

export const overheads = {
    id: "overheads",
    title: "Where the processors' time went",
    about: "All processors together; every moment of every processor is in one state.",
    terms: ["useful", "control", "send", "receive", "idle"],
    wants: study => study.runs.some(run => run.state_s) && study.runs.length > 1 && study.runs.length <= 400,
    draw(frame, study) {
        const kinds = { share: ["share of the processors' time", "share"], time: ["time of all processors", "s"] };
        let kind = "share";
        const rows = study.axes.length === 1 ? study.lines(study.axes[0]).flatMap(line => line.runs) : study.runs;
        const sum = run => states.reduce((all, state) => all + run.state_s[state], 0);
        const value = (run, state) => run.state_s[state] / (kind === "share" ? sum(run) : 1);
        const names = () => rows.map(run => (study.axes.length === 1 && study.varying.length === 1
            ? String(run.parameters[study.axes[0]]) : study.label(run)));
        const chart = frame.chart(() => ({
            series: stack(states, rows, value),
            xAxis: axis({ name: study.varying.length === 1 ? study.varying[0] : "run", categories: names() }),
            yAxis: axis({ name: kinds[kind][0], unit: kinds[kind][1], turned: true, max: kind === "share" ? 1 : undefined,
                largest: Math.max(...rows.map(sum)) }),
            tooltip: { renderMode: "richText", confine: true,
                formatter: ({ name, seriesName, value: size }) => tip(name, [[seriesName, size, kinds[kind][1]]]) },
        }), { height: 340 });
        frame.choose("show", Object.entries(kinds).map(([id, [name]]) => ({ name, value: id })), kind,
            chosen => { kind = chosen; chart.draw(); });
        frame.csv(() => [["run", ...states.map(state => state + "_s")],
            ...rows.map(run => [study.label(run), ...states.map(state => run.state_s[state])])]);
    },
};
