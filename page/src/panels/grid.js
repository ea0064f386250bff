// Process grids: time over p rows and q columns, simulated and by the formula, and how far these are apart.
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { heatColour, heatKey, inkOn, logScale } from "../heat.js";
import { onTheme, theme } from "../theme.js";

const sides = value => /^(\d+)x(\d+)$/.exec(value)?.slice(1).map(Number);
const views = {
    simulated: ["time, simulated", "time_s", "s"],
    formula: ["time, by the formula", "forecast_s", "s"],
    error: ["simulated / formula - 1", "forecast_error", "difference"],
};

// The runs on grids, with their sides, in groups of which nothing else differs: [{ name, runs }].
function gridsOf(study) {
    const name = study.varying.find(one => study.runs.every(run => sides(String(run.parameters[one]))));
    return name
        ? {
              name,
              groups: study.lines(name).map(({ name: label, runs }) => ({
                  label,
                  runs: runs.map(run => {
                      const [p, q] = sides(run.parameters[name]);
                      return { ...run, p, q };
                  }),
              })),
          }
        : null;
}

const distinct = values => [...new Set(values)].sort((a, b) => a - b);
const isSurface = ({ groups }) => distinct(groups.flatMap(({ runs }) => runs.map(({ p, q }) => p * q))).length > 1;
const partsOf = (runs, [, key, unit]) => {
    if (unit !== "difference") return logScale(runs.map(run => run[key]));
    const most = Math.max(...runs.map(run => Math.abs(run[key])), 1e-12);
    return { least: 0, most, partOf: value => Math.abs(value) / most };
};

// Time as a number of few letters, in the unit of the largest.
const short = (value, unit) =>
    unit === "difference" ? (value * 100).toFixed(Math.abs(value) < 0.1 ? 1 : 0) : value.toPrecision(3);

function drawSurface(box, runs, view) {
    const [, key, unit] = view,
        known = runs.filter(run => typeof run[key] === "number"),
        scale = partsOf(known, view);
    const ps = distinct(known.map(({ p }) => p)),
        qs = distinct(known.map(({ q }) => q));
    const best = unit === "difference" ? null : known.reduce((a, b) => (b[key] < a[key] ? b : a));
    const cell = run => {
        if (!run) return element("td", { class: "none" });
        const part = scale.partOf(run[key]);
        return element(
            "td",
            {
                class: run === best ? "best" : null,
                style: `background:${heatColour(part)};color:${inkOn(part)}`,
                title: `${run.p} x ${run.q}: ${format(run[key], unit)}`,
            },
            short(run[key], unit),
        );
    };
    box.replaceChildren(
        heatKey(scale, unit === "difference" ? "share" : unit),
        element(
            "div",
            { class: "scroll" },
            element(
                "table",
                { class: "map" },
                element(
                    "thead",
                    {},
                    element(
                        "tr",
                        {},
                        element("th", {}, "p \u2193, q \u2192"),
                        qs.map(q => element("th", { scope: "col" }, String(q))),
                    ),
                ),
                element(
                    "tbody",
                    {},
                    ps.map(p =>
                        element(
                            "tr",
                            {},
                            element("th", { scope: "row" }, String(p)),
                            qs.map(q => cell(known.find(run => run.p === p && run.q === q))),
                        ),
                    ),
                ),
            ),
        ),
    );
}

// Of grids of as many processes: both times over the number of rows.
function lineOption(runs) {
    const order = [...runs].sort((a, b) => a.p - b.p),
        colours = theme(),
        names = order.map(({ p, q }) => `${p}x${q}`);
    const line = (name, key, style) => ({
        type: "line",
        name,
        symbolSize: 7,
        data: order.map(run => run[key] ?? null),
        ...style,
    });
    const all = [line("simulated", "time_s", { itemStyle: { color: colours.accent } })];
    if (order.some(run => typeof run.forecast_s === "number"))
        all.push(
            line("formula", "forecast_s", {
                symbol: "emptyTriangle",
                itemStyle: { color: colours.soft },
                lineStyle: { type: "dashed", color: colours.soft },
            }),
        );
    return {
        series: all,
        xAxis: axis({ name: "rows x columns", categories: names }),
        yAxis: axis({
            name: "time",
            unit: "s",
            turned: true,
            largest: Math.max(...order.map(run => run.time_s)),
            min: 0,
        }),
        tooltip: {
            renderMode: "richText",
            confine: true,
            formatter: ({ name, seriesName, value }) => tip(name, [[seriesName, value, "s"]]),
        },
    };
}

export const grid = {
    id: "grid",
    title: "Process grids",
    terms: ["formula", "off formula"],
    wide: true,
    wants: study => (gridsOf(study)?.groups[0].runs.length ?? 0) > 2,
    draw(frame, study) {
        const found = gridsOf(study),
            surface = isSurface(found);
        let group = found.groups[0],
            view = "simulated";
        const counts = distinct(group.runs.map(({ p, q }) => p * q)).filter(
            n => group.runs.filter(({ p, q }) => p * q === n).length > 2,
        );
        let count = counts.at(-1);
        const box = element("div"),
            about = element("p", { class: "about" }),
            line = element("div");
        frame.body.append(about, box, line);
        const chart =
            count &&
            frame.chart(() => lineOption(group.runs.filter(({ p, q }) => p * q === count)), {
                height: 260,
                into: line,
            });
        const draw = () => {
            about.textContent = surface
                ? `${views[view][0]} [${views[view][2] === "s" ? "s" : "%"}], on p x q processes`
                : "";
            if (surface) drawSurface(box, group.runs, views[view]);
            chart?.draw();
        };
        frame.choose(
            "for",
            found.groups.map(one => ({ name: one.label, value: one })),
            group,
            one => {
                group = one;
                draw();
            },
        );
        const offered = Object.keys(views).filter(name =>
            study.runs.some(run => typeof run[views[name][1]] === "number"),
        );
        if (surface) {
            frame.choose(
                "show",
                offered.map(name => ({ name: views[name][0], value: name })),
                view,
                name => {
                    view = name;
                    draw();
                },
            );
            frame.choose(
                "line of",
                counts.map(n => ({ name: `${n} processes`, value: n })),
                count,
                n => {
                    count = n;
                    draw();
                },
            );
        }
        onTheme(draw);
        draw();
        frame.csv(() => [
            ["p", "q", "time_s", "forecast_s", "forecast_error"],
            ...group.runs.map(run => [run.p, run.q, run.time_s, run.forecast_s, run.forecast_error]),
        ]);
    },
};
