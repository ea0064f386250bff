// Parts of the time of a rank: as measured, and extrapolated by the formulas of the parts.
// SPDX-License-Identifier: BSD-3-Clause
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { pointerTo, quantity } from "../numbers.js";
import { colourOf, series, theme } from "../theme.js";
import { t } from "../texts/index.js";

const fixed = { computation: "useful", control: "control", waiting: "idle" };
const names = { function: t("functions"), scope: t("scopes") };
const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;

// One table of parts: those of a series and a place, by function or by scope.
const tableOf = ({ series: of, at, by }) => JSON.stringify([of, at, by]);
const titleOf = ({ series: of, at, by }, over) => [names[by], of, t`to ${over} ${at}`].filter(Boolean).join(", ");

function measuredOf({ fits, over }, { series: of, by, part }) {
    const fit = fits.find(one => one.measure === `${by}_s.${part}` && (one.series ?? "") === of),
        values = new Map();
    for (const point of fit?.measured ?? [])
        values.set(point[over[0]], [...(values.get(point[over[0]]) ?? []), point.value]);
    return values;
}

// Bars where all that is shown was measured, and one for the forecast.
function optionOf(models, rows, unit) {
    const measured = rows.map(row => measuredOf(models, row)),
        places = [...new Set(measured.flatMap(values => [...values.keys()]))].sort((a, b) => a - b),
        { at } = rows[0];
    const valuesOf = (row, k) => [
        ...places.map(place => (measured[k].has(place) ? mean(measured[k].get(place)) : 0)),
        row.told ? Math.max(row.value, 0) : (row.last_s ?? 0),
    ];
    const all = rows.map(valuesOf),
        sums = [...places, at].map((_, i) => all.reduce((sum, values) => sum + values[i], 0)),
        of = (k, i) => (unit === "share" ? all[k][i] / sums[i] : all[k][i]);
    return {
        series: rows.map((row, k) => ({
            type: "bar",
            stack: "all",
            name: row.part,
            barCategoryGap: "18%",
            itemStyle: { color: fixed[row.part] ? colourOf(fixed[row.part]) : series()[k % series().length] },
            data: all[k].map((_, i) => ({
                value: of(k, i),
                itemStyle: i === places.length ? { opacity: 0.65, borderColor: theme().ink, borderType: "dashed" } : {},
            })),
        })),
        xAxis: axis({ name: models.over[0], categories: [...places.map(String), t`${at} (formulas)`] }),
        yAxis: axis({
            name: unit === "share" ? t("share of the time") : t("mean time of a rank"),
            unit,
            turned: true,
            largest: unit === "share" ? 1 : Math.max(...sums),
        }),
        tooltip: {
            formatter: ({ dataIndex: i }) =>
                tip(
                    `${models.over[0]} ${[...places, at][i]}`,
                    rows.map((row, k) => [row.part, of(k, i), unit]),
                ),
        },
    };
}

function tableBelow(data, rows) {
    const { parts } = data.models,
        number = content => element("td", { class: "number" }, content);
    const line = row => {
        const at = (key, unit) => number(quantity(data, pointerTo("models", "parts", parts.indexOf(row), key), unit));
        return element(
            "tr",
            {},
            element("td", {}, row.kind && row.kind !== row.part ? `${row.part}: ${row.kind}` : row.part),
            row.last_share === undefined ? number("-") : at("last_share", "share"),
            ...(row.told
                ? [at("share", "share"), at("share_low", "share"), at("share_high", "share")]
                : ["-", "-", "-"].map(number)),
            element("td", {}, row.term === "" ? row.way : `${row.way}: ${row.term}`),
            element("td", {}, row.supported ? t("yes") : t("no")),
        );
    };
    const heads = [t("measured"), t("forecast"), t("band from"), t("to")];
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
                    element("th", { scope: "col" }, t("part")),
                    heads.map(name => element("th", { scope: "col", class: "number" }, name)),
                    [t("far out"), t("supported")].map(name => element("th", { scope: "col" }, name)),
                ),
            ),
            element("tbody", {}, rows.map(line)),
        ),
    );
}

export const growth = {
    id: "growth",
    title: t("Which part grows"),
    about: t("Mean time of a rank, by what it is spent on. The last bar is predicted by the formulas of the parts."),
    terms: ["model", "wait state"],
    wide: true,
    wants: ({ data }) => data.models?.parts?.length > 0,
    draw(frame, { data }) {
        const { models } = data,
            rows = models.parts.filter(({ is_inner }) => !is_inner),
            tables = [...new Map(rows.map(row => [tableOf(row), row])).values()];
        const below = element("div");
        let chosen = tables[0],
            unit = "share";
        const shown = () => rows.filter(row => tableOf(row) === tableOf(chosen));
        const chart = frame.chart(() => optionOf(models, shown(), unit), { height: 340 });
        const update = () => {
            chart.draw();
            below.replaceChildren(tableBelow(data, shown()));
        };
        frame.choose(
            t("of"),
            tables.map(one => ({ name: titleOf(one, models.over[0]), value: one })),
            chosen,
            one => {
                chosen = one;
                update();
            },
        );
        frame.choose(
            t("in"),
            [
                { name: t("share of the time"), value: "share" },
                { name: t("time"), value: "s" },
            ],
            unit,
            one => {
                unit = one;
                update();
            },
        );
        frame.body.append(below);
        update();
        frame.csv(() => [
            ["series", "at", "by", "part", "kind", "last_share", "share", "share_low", "share_high", "supported"],
            ...models.parts.map(row => [
                row.series,
                row.at,
                row.by,
                row.part,
                row.kind ?? "",
                row.last_share,
                row.share,
                row.share_low,
                row.share_high,
                row.supported,
            ]),
        ]);
    },
};
