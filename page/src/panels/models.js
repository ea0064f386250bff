// Models of how measures grow: points, fitted formula, and the band that one further measurement would lie in.
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { pointerTo, quantity, unitOfMeasure } from "../numbers.js";
import { isWide, parameterAxis } from "../sweep.js";
import { theme } from "../theme.js";

const drawable = fit => fit.curve?.length > 1;
const nameOf = fit => [fit.measure, fit.series].filter(Boolean).join(", ");
const valueOf = (run, measure) =>
    measure
        .split(".")
        .reduce(
            (value, key, i, keys) => (i === 0 ? value?.[key] : (value?.[keys.slice(1).join(".")] ?? value?.[key])),
            run,
        );

// The runs that the fit was made of.
function pointsOf(study, { measure, series }, x) {
    const isOf = run =>
        !series ||
        series.split(", ").every(told => {
            const at = told.indexOf(" ");
            return String(run.parameters[told.slice(0, at)]) === told.slice(at + 1);
        });
    return study.runs
        .filter(isOf)
        .map(run => [run.parameters[x], valueOf(run, measure)])
        .filter(([, value]) => typeof value === "number");
}

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

function optionOf(study, fit, x) {
    const points = pointsOf(study, fit, x),
        unit = unitOfMeasure(fit.measure),
        { curve } = fit,
        colours = theme();
    const xs = curve.map(point => point[x]),
        values = [...points.map(([, value]) => value), ...curve.map(({ value }) => value)];
    const isLog = isWide(values);
    return {
        series: [
            {
                type: "scatter",
                name: "runs",
                symbol: "diamond",
                symbolSize: 11,
                data: points,
                itemStyle: { color: colours.ink },
                z: 3,
            },
            {
                type: "line",
                name: "formula",
                showSymbol: false,
                data: curve.map(point => [point[x], point.value]),
                itemStyle: { color: colours.accent },
            },
            ...bandSeries(curve, x, isLog),
        ],
        xAxis: parameterAxis(x, [...xs, ...curve.map(point => point[x])]),
        yAxis: axis({
            name: fit.measure.replace(/_s(\.|$)/, "$1"),
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

function forecastsTable(data, fit, place, over) {
    const unit = unitOfMeasure(fit.measure),
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
            );
        const chart = frame.chart(() => optionOf(study, fit, over[0]), { height: 380 });
        frame.choose(
            "of",
            known.map(one => ({ name: nameOf(one), value: one })),
            fit,
            one => {
                fit = one;
                tell();
                chart.draw();
            },
        );
        frame.body.append(said);
        tell();
        frame.csv(() => [
            ["measure", "series", over[0], "value", "low", "high"],
            ...known.flatMap(one =>
                one.curve.map(point => [
                    one.measure,
                    one.series ?? "",
                    point[over[0]],
                    point.value,
                    point.low,
                    point.high,
                ]),
            ),
        ]);
    },
};
