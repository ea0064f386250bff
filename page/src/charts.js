// Charts: what every one of them has in common, on the chart library of which only these parts are taken along.
// SPDX-License-Identifier: BSD-3-Clause
import { BarChart, LineChart, ScatterChart } from "echarts/charts";
import { GridComponent, LegendPlainComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { element, svgElement } from "./dom.js";
import { format, scaleOf, markOf } from "./numbers.js";
import { onTheme, series, theme } from "./theme.js";
import { t } from "./texts/index.js";

use([
    BarChart,
    LineChart,
    ScatterChart,
    GridComponent,
    LegendPlainComponent,
    MarkLineComponent,
    TooltipComponent,
    SVGRenderer,
]);

const font = "system-ui, sans-serif";

// Options of all charts: fonts, colors, a legend above, room for names of axes.
function common() {
    const colours = theme();
    return {
        animation: false,
        color: series(),
        textStyle: { fontFamily: font, color: colours.ink },
        legend: { show: false, textStyle: { color: colours.ink } },
        grid: { left: 10, right: 22, top: 12, bottom: 8, outerBoundsMode: "same", outerBoundsContain: "all" },
        tooltip: {
            trigger: "item",
            confine: true,
            backgroundColor: colours.panel,
            borderColor: colours.line,
            textStyle: { color: colours.ink, fontSize: 13 },
            renderMode: "richText",
        },
    };
}

// An axis of numbers in one unit, or of categories; largest: the largest value that will be shown. Without onZero it
// stands at the end of the other axis: the zero of a logarithmic one is 1.
export function axis({
    name,
    unit,
    log = false,
    categories,
    largest = 1,
    min,
    max,
    turned = false,
    gap,
    onZero = true,
}) {
    const colours = theme(),
        [factor, unitName] = scaleOf(unit, largest);
    const shown = { share: "%", difference: "%" }[unit] ?? unitName;
    return {
        type: categories ? "category" : log ? "log" : "value",
        data: categories,
        logBase: log === true ? 10 : log || undefined,
        name: shown ? `${name} [${shown}]` : name,
        nameLocation: "middle",
        nameGap: gap ?? (turned ? 46 : 28),
        nameTextStyle: { color: colours.soft },
        min,
        max,
        axisLine: { show: true, onZero, lineStyle: { color: colours.line } },
        axisTick: { lineStyle: { color: colours.line } },
        splitLine: { show: !categories, lineStyle: { color: colours.grid } },
        axisLabel: {
            color: colours.soft,
            hideOverlap: true,
            formatter: categories
                ? undefined
                : value => markOf(unit === "share" || unit === "difference" ? value * 100 : value / factor, log),
        },
    };
}

const isArea = one => one.type === "bar" || one.lineStyle?.opacity === 0;

// A series as it looks, small: a square of its color, as of bars and areas, or a line with its dashes, or a point.
function sample(one, colour) {
    const fill = { fill: colour, "fill-opacity": one.itemStyle?.opacity };
    const line = {
        stroke: colour,
        "stroke-width": 2,
        "stroke-dasharray": { dashed: "5 3", dotted: "2 2" }[one.lineStyle?.type],
    };
    return svgElement(
        "svg",
        { width: 22, height: 12, "aria-hidden": "true" },
        one.type === "line" && !isArea(one) ? svgElement("line", { x1: 0, x2: 22, y1: 6, y2: 6, ...line }) : null,
        isArea(one) ? svgElement("rect", { x: 4, width: 14, height: 12, rx: 2, ...fill }) : null,
        one.type === "scatter" ? svgElement("path", { d: "M11 0 L17 6 L11 12 L5 6 Z", fill: colour }) : null,
    );
}

// Points that have colors of several lines stand for none of these in the legend.
const colourOfName = (series, name, colour) =>
    series.some(one => one.name === name && (one.itemStyle?.color ?? colour) !== colour) ? theme().soft : colour;

// The legend above a chart, which breaks into lines: a button for each series shows and hides it. One alone needs none,
// but for a part of a whole, whose color says which.
function drawLegend(legend, chart, series, hidden) {
    const colours = chart.getOption().color;
    const named = series
        .map((one, i) => [one, i])
        .filter(([{ name }], k, all) => all.findIndex(([other]) => other.name === name) === k);
    legend.replaceChildren(
        ...(named.length < 2 && !series[0]?.stack
            ? []
            : named.map(([one, i]) => {
                  const colour = colourOfName(series, one.name, one.itemStyle?.color ?? colours[i % colours.length]);
                  return element(
                      "button",
                      {
                          type: "button",
                          class: "series",
                          "aria-pressed": String(!hidden.has(one.name)),
                          onclick: ({ currentTarget }) => {
                              if (!hidden.delete(one.name)) hidden.add(one.name);
                              currentTarget.setAttribute("aria-pressed", String(!hidden.has(one.name)));
                              chart.dispatchAction({ type: "legendToggleSelect", name: one.name });
                          },
                      },
                      sample(one, colour),
                      one.name,
                  );
              })),
    );
}

// A chart in words, for readers who cannot see it: "Time and speedup: speedup over ranks, from 1 to 10.9: simulated,
// measured."
function describe(title, { series, xAxis, yAxis }) {
    const names = [...new Set(series.map(({ name }) => name))].filter(Boolean),
        isUp = yAxis.type !== "category",
        [values, places] = isUp ? [yAxis, xAxis] : [xAxis, yAxis],
        numbers = series
            .flatMap(({ data }) => data.map(one => one?.value ?? one).map(one => (Array.isArray(one) ? one[1] : one)))
            .filter(Number.isFinite),
        shown = number => values.axisLabel?.formatter?.(number) ?? String(number);
    const range = numbers.length ? t`, from ${shown(Math.min(...numbers))} to ${shown(Math.max(...numbers))}` : "";
    return `${title}: ${[values.name, places.name].filter(Boolean).join(t(" over "))}${range}: ${names.join(", ")}.`;
}

// The axis of both, if it shows the same: of numbers with the ends of both.
function joinAxes(now, before) {
    const nameOf = ({ name, type }) => `${type} ${name?.replace(/ \[.*/, "")}`;
    if (nameOf(now) !== nameOf(before) || String(now.data) !== String(before.data)) return null;
    const end = (key, choose) => (typeof now[key] === "number" ? { [key]: choose(now[key], before[key]) } : {});
    return { ...now, ...end("min", Math.min), ...end("max", Math.max) };
}

const paleness = 0.3;

// A series of before: the same color, which its name gives it, and the same button in the legend.
function paleOf(one) {
    const dim = style => ({ ...style, opacity: paleness * (style?.opacity ?? 1) });
    return {
        ...one,
        id: `before ${one.id ?? one.name}`,
        stack: one.stack && `before ${one.stack}`,
        silent: true,
        z: 1,
        markLine: undefined,
        itemStyle: dim(one.itemStyle),
        lineStyle: dim(one.lineStyle),
        areaStyle: one.areaStyle && dim(one.areaStyle),
        tooltip: { show: false },
    };
}

// The option with what the chart was before, drawn pale; null where they cannot share their axes.
function withBefore(option, before) {
    if (!before) return null;
    const xAxis = joinAxes(option.xAxis, before.xAxis),
        yAxis = joinAxes(option.yAxis, before.yAxis);
    if (!xAxis || !yAxis) return null;
    return { ...option, xAxis, yAxis, series: [...option.series, ...before.series.map(paleOf)] };
}

// A chart in a box that follows the size of the box and the theme. makeOption() is asked anew whenever either changes.
// title: what it is called where it cannot be seen. makeBefore(): how it was, to be drawn pale beside it.
export function drawChart(box, makeOption, legend, title, makeBefore = null) {
    const chart = init(box, null, { renderer: "svg" }),
        hidden = new Set();
    const draw = () => {
        const base = common(),
            alone = makeOption(),
            both = makeBefore && withBefore(alone, makeBefore()),
            made = both ?? alone,
            option = { ...base, ...made, tooltip: { ...base.tooltip, ...made.tooltip } };
        option.legend = { ...option.legend, selected: Object.fromEntries([...hidden].map(name => [name, false])) };
        chart.setOption(option, { notMerge: true });
        box.toggleAttribute("data-before", both !== null);
        box.setAttribute("role", "img");
        box.setAttribute("aria-label", describe(title, option));
        if (legend) drawLegend(legend, chart, option.series, hidden);
    };
    new ResizeObserver(() => chart.resize()).observe(box);
    onTheme(() => {
        chart.resize();
        draw();
        chart.getZr().flush(); // paper does not wait for a frame
    });
    draw();
    box.chart = chart;
    const drawAgain = height => {
        if (height) box.style.height = `${height}px`;
        chart.resize();
        draw();
    };
    return { draw: drawAgain, svg: () => pictureOf(chart, draw) };
}

// As SVG, with the legend in it.
function pictureOf(chart, draw) {
    const { series, grid } = chart.getOption();
    if (series.length > 1)
        chart.setOption({
            legend: {
                show: true,
                type: "plain",
                top: 4,
                data: series.map(one => ({ name: one.name, icon: isArea(one) ? "roundRect" : undefined })),
            },
            grid: { ...grid[0], top: 20 + 24 * Math.ceil(series.length / 4) },
        });
    const picture = chart.renderToSVGString();
    draw();
    return picture;
}

// One line of a tooltip: a name and a number in its unit.
export function tip(title, rows) {
    return [title, ...rows.map(([name, value, unit]) => `${name}  ${format(value, unit)}`)].filter(Boolean).join("\n");
}
