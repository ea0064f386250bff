// Two stored runs against each other: what was set differently, and how far each measure moved.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { lookUp, pointerTo, quantity, unitOfMeasure } from "../numbers.js";
import { isComparison } from "../study.js";
import { onTheme, theme } from "../theme.js";

// Bars to both sides of the middle: what grew to the right.
function bothWays(part) {
    const to = 0.5 + Math.max(-0.5, Math.min(part / 2, 0.5));
    return [{ from: 0.5, to, colour: part > 0 ? "#d55e00" : theme().useful }];
}

// Changes of times in seconds, the largest first; and factors of all measures, on a logarithmic scale up to 100 times.
const views = {
    path: [
        "the critical path [change in s]",
        one => one.measure?.startsWith("critical_path_s."),
        (one, most) => one.change / most,
        one => Math.abs(one.change),
    ],
    states: [
        "states of the processors [change in s]",
        one => one.measure?.startsWith("state_s."),
        (one, most) => one.change / most,
        one => Math.abs(one.change),
    ],
    factors: [
        "all measures [factor: 1/100, 1, 100]",
        one => one.measure && one.factor > 0,
        one => Math.log10(one.factor) / 2,
        one => Math.abs(Math.log(one.factor)),
    ],
};
const shortOf = (measure, view) => (view === "factors" ? measure : measure.split(".").slice(1).join(": "));

function drawSettings(data) {
    const settings = data.differences.filter(({ setting }) => setting);
    return settings.length === 0
        ? element("p", {}, "Nothing was set differently.")
        : element(
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
                          ["setting", `run ${data.first}`, `run ${data.second}`].map(name =>
                              element("th", { scope: "col" }, name),
                          ),
                      ),
                  ),
                  element(
                      "tbody",
                      {},
                      settings.map(one =>
                          element(
                              "tr",
                              {},
                              [one.setting, one.first, one.second].map(text => element("td", {}, String(text))),
                          ),
                      ),
                  ),
              ),
          );
}

export const comparison = {
    id: "comparison",
    title: "What changed",
    about: "To the right: more in the second run. To the left: less.",
    terms: ["critical path", "slowdown"],
    wide: true,
    wants: isComparison,
    draw(frame, { data }) {
        const rows = data.differences.map((one, index) => ({ ...one, index })),
            box = element("div");
        const rowsOf = view => rows.filter(views[view][1]),
            offered = Object.keys(views).filter(view => rowsOf(view).length > 0);
        let view = offered[0];
        const draw = () => {
            const [name, , partOf, sizeOf] = views[view],
                shown = rowsOf(view).sort((a, b) => sizeOf(b) - sizeOf(a)),
                most = Math.max(...shown.map(sizeOf));
            const number = (one, key, unit) => quantity(data, pointerTo("differences", one.index, key), unit);
            const known = (one, key, unit) =>
                lookUp(data, pointerTo("differences", one.index, key)) === undefined ? "-" : number(one, key, unit);
            drawBars(box, {
                of: name,
                heads: [`run ${data.first}`, `run ${data.second}`, "factor"],
                rows: shown.map(one => ({
                    name: shortOf(one.measure, view),
                    bars: bothWays(partOf(one, most)),
                    numbers: [
                        known(one, "first", unitOfMeasure(one.measure)),
                        known(one, "second", unitOfMeasure(one.measure)),
                        known(one, "factor", "slowdown"),
                    ],
                })),
            });
        };
        frame.choose(
            "of",
            offered.map(key => ({ name: views[key][0], value: key })),
            view,
            key => {
                view = key;
                draw();
            },
        );
        frame.body.append(drawSettings(data), box);
        onTheme(draw);
        draw();
        frame.csv(() => [
            ["setting or measure", "first", "second", "change", "factor"],
            ...rows.map(one => [one.setting ?? one.measure, one.first, one.second, one.change ?? "", one.factor ?? ""]),
        ]);
    },
};
