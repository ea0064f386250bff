// Models of how measures grow: points, fitted formula, and the band that one further measurement would lie in.
// SPDX-License-Identifier: BSD-3-Clause
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { pointerTo, quantity, unitOfMeasure } from "../numbers.js";
import { isWide, parameterAxis } from "../sweep.js";
import { series, theme } from "../theme.js";

const drawable = fit => fit.curve?.length > 1;
const nameOf = fit => [fit.measure, fit.series].filter(Boolean).join(", ");
// A measure of a table has the unit that the table says; one that the page does not convert stands beside its name.
const unitOf = ({ measure, unit }) =>
    unit === undefined ? unitOfMeasure(measure) : /^(s|B)$/.test(unit) ? unit : "number";
const headOf = ({ measure, unit }) =>
    unit && !/^(s|B)$/.test(unit) && !measure.endsWith("_" + unit)
        ? `${measure} [${unit}]`
        : measure.replace(/_s(\.|$)/, "$1");
// The points of the formula: runs, rows of their tables, or measurements, with all repetitions.
const pointsOf = ({ measured }, x) =>
    measured.filter(({ value }) => typeof value === "number").map(point => [point[x], point.value, point]);

// The band: what lies below it is not drawn, what lies in it is stacked on that.
function bandSeries(curve, x, isLog) {
    const least = isLog ? Math.min(...curve.map(({ value }) => value).filter(value => value > 0)) / 10 : -Infinity;
    const low = point => Math.max(point.low, least),
        area = { color: theme().accent, opacity: 0.16 };
    const line = (data, style) => ({
        type: "line",
        name: "95 % band",
        stack: "band",
        symbol: "none",
        silent: true,
        lineStyle: { opacity: 0 },
        itemStyle: { color: theme().accent },
        data,
        ...style,
    });
    const known = curve.filter(point => typeof point.low === "number" && typeof point.high === "number");
    return known.length < 2
        ? []
        : [
              line(
                  known.map(point => [point[x], low(point)]),
                  { stackStrategy: "all" },
              ),
              line(
                  known.map(point => [point[x], point.high - low(point)]),
                  { areaStyle: area, stackStrategy: "all" },
              ),
          ];
}

// Points and formula; over two parameters a line and its points for each value of the second one.
function lines(fit, [x, second], isLog) {
    const points = pointsOf(fit, x),
        values = second ? [...new Set(fit.curve.map(point => point[second]))] : [undefined];
    const both = (value, i) => {
        const isOf = point => !second || point[second] === value,
            name = text => (second ? `${second} ${value}${text}` : text.slice(2)),
            of = colour => ({ color: second ? series()[i % series().length] : theme()[colour] });
        return [
            {
                type: "scatter",
                name: name(fit.unit === undefined ? ", runs" : ", measured"),
                symbol: "diamond",
                symbolSize: 11,
                data: points.filter(([, , point]) => isOf(point)).map(point => point.slice(0, 2)),
                itemStyle: of("ink"),
                z: 3,
            },
            {
                type: "line",
                name: name(", formula"),
                showSymbol: false,
                data: fit.curve.filter(isOf).map(point => [point[x], point.value]),
                itemStyle: of("accent"),
            },
        ];
    };
    return [...values.flatMap(both), ...(second ? [] : bandSeries(fit.curve, x, isLog))];
}

function optionOf(fit, over) {
    const [x] = over,
        unit = unitOf(fit),
        { curve } = fit,
        xs = curve.map(point => point[x]),
        values = [...pointsOf(fit, x).map(([, value]) => value), ...curve.map(({ value }) => value)],
        isLog = isWide(values);
    return {
        series: lines(fit, over, isLog),
        xAxis: parameterAxis(x, xs),
        yAxis: axis({
            name: headOf(fit),
            unit,
            log: isLog && 10,
            turned: true,
            largest: Math.max(...values.map(Math.abs)),
        }),
        tooltip: {
            formatter: ({ seriesName, value }) =>
                tip(seriesName, [
                    [x, value[0], "number"],
                    [fit.measure, value[1], unit],
                ]),
        },
    };
}

// How far each point is off the formula, as a share of that.
function residualsOf(fit, [x]) {
    const points = fit.measured
        .filter(({ value, fitted }) => typeof value === "number" && fitted)
        .map(point => [point[x], point.value / point.fitted - 1]);
    return {
        series: [
            {
                type: "scatter",
                name: "measured - formula",
                symbol: "diamond",
                symbolSize: 9,
                data: points,
                itemStyle: { color: theme().ink },
            },
        ],
        xAxis: parameterAxis(
            x,
            fit.curve.map(point => point[x]),
            { onZero: false },
        ),
        yAxis: axis({
            name: "off",
            unit: "difference",
            turned: true,
            largest: Math.max(...points.map(([, off]) => Math.abs(off)), 0),
        }),
        tooltip: {
            formatter: ({ seriesName, value }) =>
                tip(seriesName, [
                    [x, value[0], "number"],
                    ["off", value[1], "difference"],
                ]),
        },
    };
}

// Other formulas that explain the points as well.
function rivalsOf({ rivals = [] }) {
    const most = 8;
    return rivals.length === 0
        ? null
        : element(
              "details",
              {},
              element("summary", {}, `${rivals.length} other formula${rivals.length === 1 ? "" : "s"} fit as well`),
              element(
                  "ul",
                  {},
                  rivals.slice(0, most).map(formula => element("li", {}, formula)),
                  rivals.length > most ? element("li", {}, `... ${rivals.length - most} more in JSON`) : null,
              ),
          );
}

function forecastsTable(data, fit, place, over) {
    const unit = unitOf(fit),
        at = (k, key, as = unit) => quantity(data, pointerTo("models", "fits", place, "forecasts", k, key), as);
    const row = (forecast, k) =>
        element(
            "tr",
            {},
            over.map(name => element("td", { class: "number" }, at(k, name, "number"))),
            ["value", "low", "high"].map(key => element("td", { class: "number" }, at(k, key))),
            element("td", {}, forecast.supported ? "yes" : `no: ${forecast.doubts.join(", ")}`),
        );
    return element(
        "div",
        { class: "scroll" },
        element(
            "table",
            {},
            element(
                "thead",
                {},
                element(
                    "tr",
                    {},
                    [...over, "forecast", "band from", "to"].map(name =>
                        element("th", { scope: "col", class: "number" }, name),
                    ),
                    element("th", { scope: "col" }, "supported"),
                ),
            ),
            element("tbody", {}, fit.forecasts.map(row)),
        ),
    );
}

export const models = {
    id: "models",
    title: "Models",
    about: "A formula for how a measure grows, and the band in which one further run would lie.",
    terms: ["model", "measure"],
    wide: true,
    wants: ({ data }) => data.models?.fits?.some(drawable),
    draw(frame, study) {
        const { data } = study,
            { over, fits } = data.models,
            known = fits.filter(drawable),
            said = element("div");
        let fit = known[0];
        const tell = () =>
            said.replaceChildren(
                element("p", { class: "headline" }, `${fit.measure} = ${fit.formula}`),
                forecastsTable(data, fit, fits.indexOf(fit), over),
                ...[rivalsOf(fit)].filter(Boolean),
            );
        const charts = [
            frame.chart(() => optionOf(fit, over), { height: 380 }),
            frame.chart(() => residualsOf(fit, over), { height: 150, isPart: true }),
        ];
        frame.choose(
            "of",
            known.map(one => ({ name: nameOf(one), value: one })),
            fit,
            one => {
                fit = one;
                tell();
                for (const chart of charts) chart.draw();
            },
        );
        frame.body.append(said);
        tell();
        frame.csv(() => [
            ["measure", "series", ...over, "value", "low", "high"],
            ...known.flatMap(one =>
                one.curve.map(point => [
                    one.measure,
                    one.series ?? "",
                    ...over.map(name => point[name]),
                    point.value,
                    point.low,
                    point.high,
                ]),
            ),
        ]);
    },
};
