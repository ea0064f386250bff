// Versions against the first of them: what was set differently, which parts of the time and which measures moved, and
// how far.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { format, lookUp, pointerTo, quantity, unitOfMeasure } from "../numbers.js";
import { say } from "../said.js";
import { keyOf } from "../shared_memory.js";
import { isComparison } from "../study.js";
import { onTheme, theme } from "../theme.js";
import { t } from "../texts/index.js";

const more = "#d55e00";

// Bars to both sides of the middle: what grew to the right.
function bothWays(part) {
    const to = 0.5 + Math.max(-0.5, Math.min(part / 2, 0.5));
    return [{ from: 0.5, to, colour: part > 0 ? more : theme().useful }];
}

const partNames = {
    path: t("the critical path"),
    function: t("functions"),
    site: t("call sites"),
    call_path: t("call paths"),
    scope: t("scopes"),
    rank: t("computation by rank"),
    rank_scope: t("computation by rank and scope"),
    message_size: t("messages by size"),
    collective_size: t("collectives by size"),
    wait: t("waiting"),
    awaited: t("waiting for ranks"),
};

// The views: { name, rows }, a row is { name, change, pointers, unit }, the largest change first. Changes are
// of times in seconds, or factors of all measures, on a logarithmic scale up to 100 times.
function viewsOf(data, version) {
    const isOf = one => (one.version ?? version) === version,
        parts = (data.time_parts ?? []).map((one, index) => ({ ...one, index })).filter(isOf);
    const rowOfPart = one => ({
        name: say(one.part),
        change: one.change_s,
        unit: "s",
        pointers: ["first_s", "second_s", "factor"].map(key => pointerTo("time_parts", one.index, key)),
    });
    const byParts = Object.keys(partNames).map(by => ({
        name: t`${partNames[by]} [change in s]`,
        rows: parts.filter(one => one.by === by && Number.isFinite(one.change_s)).map(rowOfPart),
    }));
    const measures = data.differences.map((one, index) => ({ ...one, index })).filter(isOf);
    const rowOfMeasure = (one, change) => ({
        name: one.measure,
        change,
        unit: unitOfMeasure(one.measure),
        pointers: ["first", "second", "factor"].map(key => pointerTo("differences", one.index, key)),
    });
    const states = measures.filter(one => one.measure?.startsWith("state_s."));
    const factors = measures.filter(one => one.measure && one.factor > 0);
    return [
        ...byParts,
        { name: t("states of the processors [change in s]"), rows: states.map(one => rowOfMeasure(one, one.change)) },
        {
            name: t("all measures [factor: 1/100, 1, 100]"),
            most: 2,
            rows: factors.map(one => rowOfMeasure(one, Math.log10(one.factor))),
        },
    ].filter(({ rows }) => rows.length > 0);
}

function drawSettings(data, version, names) {
    const settings = data.differences.filter(one => one.setting && (one.version ?? version) === version);
    const row = (cell, texts) =>
        element(
            "tr",
            {},
            texts.map(text => element(cell, cell === "th" ? { scope: "col" } : {}, String(text))),
        );
    return settings.length === 0
        ? ""
        : element(
              "div",
              { class: "scroll", tabindex: 0 },
              element(
                  "table",
                  {},
                  element("thead", {}, row("th", [t("setting"), ...names])),
                  element(
                      "tbody",
                      {},
                      settings.map(one => row("td", [one.setting, one.first, one.second])),
                  ),
              ),
          );
}

const mostRows = 40;

export const comparison = {
    id: "comparison",
    title: t("What changed"),
    about: t("Of each part the change against the first version, the largest first."),
    terms: ["critical path", "slowdown"],
    wide: true,
    wants: isComparison,
    draw(frame, { data }) {
        const box = element("div"),
            key = element("div"),
            set = element("div"),
            [first, ...others] = data.versions.map(({ version }) => version);
        let version = others[0],
            view = 0;
        const draw = () => {
            const views = viewsOf(data, version),
                { name, most, rows } = views[Math.min(view, views.length - 1)] ?? { name: "", rows: [] };
            const shown = [...rows].sort((a, b) => Math.abs(b.change) - Math.abs(a.change)).slice(0, mostRows),
                scale = most ?? Math.abs(shown[0]?.change ?? 1);
            const number = (pointer, unit) =>
                lookUp(data, pointer) === undefined ? "-" : quantity(data, pointer, unit);
            offer(
                views.map((one, value) => ({ name: one.name, value })),
                Math.min(view, views.length - 1),
            );
            set.replaceChildren(drawSettings(data, version, [first, version]));
            key.replaceChildren(
                keyOf([
                    [theme().useful, t`less in ${version}`],
                    [more, t`more in ${version}`],
                ]),
            );
            drawBars(box, {
                of: name,
                marks: most ? ["x 1/100", "x 1", "x 100"] : [`-${format(scale, "s")}`, "0", `+${format(scale, "s")}`],
                heads: [first, version, t("factor")],
                rows: shown.map(one => ({
                    name: one.name,
                    bars: bothWays(one.change / scale),
                    numbers: one.pointers.map((pointer, i) => number(pointer, i === 2 ? "slowdown" : one.unit)),
                })),
            });
        };
        frame.choose(
            t("version"),
            others.map(value => ({ name: value, value })),
            version,
            value => {
                version = value;
                draw();
            },
        );
        const offer = frame.offer(t("of"), value => {
            view = value;
            draw();
        });
        frame.body.append(set, key, box);
        onTheme(draw);
        draw();
        frame.csv(() => [
            ["version", "by", "part", "first_s", "second_s", "change_s", "factor", "p"],
            ...(data.time_parts ?? []).map(one => [
                one.version,
                one.by,
                one.part,
                one.first_s ?? "",
                one.second_s ?? "",
                one.change_s ?? "",
                one.factor ?? "",
                one.p ?? "",
            ]),
        ]);
    },
};
