// Models of how measures grow: points, formula, other formulas, the bands of one more measurement and of a mean, and
// what to measure next.
// SPDX-License-Identifier: BSD-3-Clause
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { pointerTo, quantity, unitOfMeasure } from "../numbers.js";
import { say } from "../said.js";
import { isWide, parameterAxis } from "../sweep.js";
import { series, theme } from "../theme.js";
import { t } from "../texts/index.js";

const csvKeys = ["value", "low", "high", "mean_low", "mean_high"];
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

// A band: what lies below it is not drawn, what lies in it is stacked on that.
function bandSeries(curve, x, { name, stack, keys, color, opacity, least }) {
    const [low, high] = keys,
        known = curve.filter(point => typeof point[low] === "number" && typeof point[high] === "number"),
        bottom = point => Math.max(point[low], least);
    const line = (data, style) => ({
        type: "line",
        name,
        stack,
        stackStrategy: "all",
        symbol: "none",
        silent: true,
        lineStyle: { opacity: 0 },
        itemStyle: { color, opacity: 2 * opacity },
        data,
        ...style,
    });
    return known.length < 2
        ? []
        : [
              line(
                  known.map(point => [point[x], bottom(point)]),
                  {},
              ),
              line(
                  known.map(point => [point[x], Math.max(point[high] - bottom(point), 0)]),
                  { areaStyle: { color, opacity } },
              ),
          ];
}

// One more measurement lies in the wide band, the mean of as many as the points have in the narrow one.
const bandsOf = (curve, x, { name, color, opacity, least }) =>
    [
        [t("95 % band"), "", opacity],
        [t("95 % band of a mean"), "mean_", 1.5 * opacity],
    ].flatMap(([own, prefix, shade]) =>
        bandSeries(curve, x, {
            name: name ?? own,
            stack: `${name} ${own}`,
            keys: [`${prefix}low`, `${prefix}high`],
            color,
            opacity: shade,
            least,
        }),
    );

// The most probable of the other formulas.
const rivalSeries = (curve, x) =>
    (curve[0].rivals ?? []).map((_, i) => ({
        type: "line",
        name: t("other formulas"),
        showSymbol: false,
        silent: true,
        lineStyle: { type: "dashed", width: 1, color: theme().soft },
        itemStyle: { color: theme().soft },
        data: curve.map(point => [point[x], point.rivals[i]]),
    }));

// Each value of the second parameter: its name, its color, and whether a point is of it; or the only curve there is.
const groupsOf = (fit, second) =>
    second
        ? [...new Set(fit.curve.map(point => point[second]))].map((value, i) => ({
              name: `${second} ${value}`,
              colour: series()[i % series().length],
              has: point => point[second] === value,
          }))
        : [{ has: () => true }];

// Points, formula and bands; over two parameters for each value of the second one.
function lines(fit, [x, second], isLog) {
    const values = fit.curve.map(({ value }) => value).filter(value => value > 0),
        least = isLog ? Math.min(...values) / 10 : -Infinity;
    return groupsOf(fit, second).flatMap(({ name, colour, has }) => {
        const curve = fit.curve.filter(has);
        return [
            {
                type: "scatter",
                name: name ?? (fit.unit === undefined ? t("runs") : t("measured")),
                symbol: "diamond",
                symbolSize: 9,
                data: pointsOf(fit, x)
                    .filter(([, , point]) => has(point))
                    .map(point => point.slice(0, 2)),
                itemStyle: { color: colour ?? theme().ink, opacity: 0.8 },
                z: 3,
            },
            {
                type: "line",
                name: name ?? t("formula"),
                showSymbol: false,
                data: curve.map(point => [point[x], point.value]),
                itemStyle: { color: colour ?? theme().accent },
            },
            ...(second ? [] : rivalSeries(curve, x)),
            ...bandsOf(curve, x, { name, color: colour ?? theme().accent, opacity: second ? 0.07 : 0.13, least }),
        ];
    });
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
function residualsOf(fit, [x, second]) {
    const known = fit.measured.filter(({ value, fitted }) => typeof value === "number" && fitted),
        points = known.map(point => [point[x], point.value / point.fitted - 1]);
    return {
        series: groupsOf(fit, second).map(({ name, colour, has }) => ({
            type: "scatter",
            name: name ?? t("measured - formula"),
            symbol: "diamond",
            symbolSize: 9,
            data: points.filter((_, i) => has(known[i])),
            itemStyle: { color: colour ?? theme().ink, opacity: 0.8 },
        })),
        xAxis: parameterAxis(
            x,
            fit.curve.map(point => point[x]),
            { onZero: false },
        ),
        yAxis: axis({
            name: t("off"),
            unit: "difference",
            turned: true,
            largest: Math.max(...points.map(([, off]) => Math.abs(off)), 0),
        }),
        tooltip: {
            formatter: ({ seriesName, value }) =>
                tip(seriesName, [
                    [x, value[0], "number"],
                    [t("off"), value[1], "difference"],
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
              element(
                  "summary",
                  {},
                  rivals.length === 1
                      ? t("1 other formula fits as well")
                      : t`${rivals.length} other formulas fit as well`,
              ),
              element(
                  "ul",
                  {},
                  rivals.slice(0, most).map(formula => element("li", {}, formula)),
                  rivals.length > most ? element("li", {}, t`... ${rivals.length - most} more in JSON`) : null,
              ),
          );
}

// Measurements that would narrow the band, and where the formula is to be tested.
function nextOf({ next = [] }, over) {
    const most = 3,
        place = row => over.map(name => `${name} = ${row[name]}`).join(", ");
    const text = row =>
        typeof row.narrowing === "number"
            ? t`${place(row)}: the band becomes ${row.narrowing.toFixed(2)} times as wide`
            : t`${place(row)}: to test the formula`;
    const told = next.filter(({ narrowing }) => !(narrowing > 0.95));
    return told.length === 0
        ? null
        : element("p", {}, t`To measure next: ${told.slice(0, most).map(text).join("; ")}.`);
}

function forecastsTable(data, fit, place, over) {
    const unit = unitOf(fit),
        at = (k, key, as = unit) => quantity(data, pointerTo("models", "fits", place, "forecasts", k, key), as);
    const row = (forecast, k) =>
        element(
            "tr",
            {},
            over.map(name => element("td", { class: "number" }, at(k, name, "number"))),
            ["value", "low", "high", "mean_low", "mean_high"].map(key =>
                element("td", { class: "number" }, at(k, key)),
            ),
            element("td", {}, forecast.supported ? t("yes") : t`no: ${forecast.doubts.map(say).join(", ")}`),
        );
    return element(
        "div",
        { class: "scroll", tabindex: 0 },
        element(
            "table",
            {},
            element(
                "thead",
                {},
                element(
                    "tr",
                    {},
                    [...over, t("forecast"), t("band from"), t("to"), t("of a mean from"), t("to")].map(name =>
                        element("th", { scope: "col", class: "number" }, name),
                    ),
                    element("th", { scope: "col" }, t("supported")),
                ),
            ),
            element("tbody", {}, fit.forecasts.map(row)),
        ),
    );
}

export const models = {
    id: "models",
    title: t("Models"),
    about: t(
        "A formula for how a measure grows, and the bands in which one more run, or the mean of as many as the " +
            "points have, would lie.",
    ),
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
                ...[nextOf(fit, over), rivalsOf(fit)].filter(Boolean),
            );
        const charts = [
            frame.chart(() => optionOf(fit, over), { height: 380 }),
            frame.chart(() => residualsOf(fit, over), { height: 150, isPart: true }),
        ];
        frame.choose(
            t("of"),
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
            ["measure", "series", ...over, ...csvKeys],
            ...known.flatMap(one =>
                one.curve.map(point => [
                    one.measure,
                    one.series ?? "",
                    ...over.map(name => point[name]),
                    ...csvKeys.map(key => point[key]),
                ]),
            ),
        ]);
    },
};
