// A map of where the best changes: each cell is a problem, in the colour of its best candidate.
import { candidatesOf } from "../candidates.js";
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { keyOf } from "../shared_memory.js";
import { onTheme, series } from "../theme.js";

// The axes of the map: up to two numbers among the parameters of the problem, the one with more values across.
function axesOf(study, { problem }) {
    const numeric = problem
        .filter(name => study.isAxis(name))
        .sort((a, b) => study.valuesOf(b).length - study.valuesOf(a).length);
    return numeric.slice(0, 2);
}

const bestOf = ({ runs }, of) => of(runs[0]);
const sorted = values => [...values].sort((a, b) => a - b);

function mapOf(study) {
    const found = candidatesOf(study);
    if (!found) return null;
    const [across, up] = axesOf(study, found),
        bests = [...new Set(found.problems.map(one => bestOf(one, found.of)))];
    return across && bests.length > 1
        ? { ...found, across, up, bests, others: found.problem.filter(name => name !== across && name !== up) }
        : null;
}

function tipOf({ runs: [best, second], label }, of) {
    const more = second ? `; next: ${of(second)}, ${format(second.factor_to_best - 1, "difference")}` : "";
    return `${label}: ${of(best)}, ${format(best.time_s, "s")}${more}`;
}

// "16 ranks: flat up to 256, binomial up to 16384, scatter_ring from 65536 on."
function switchesOf(problems, { across, of }) {
    const row = [...problems].sort((a, b) => a.first.parameters[across] - b.first.parameters[across]),
        pieces = [];
    for (const problem of row) {
        const value = problem.first.parameters[across];
        if (pieces.at(-1)?.best === bestOf(problem, of)) pieces.at(-1).to = value;
        else pieces.push({ best: bestOf(problem, of), from: value, to: value });
    }
    if (pieces.length === 1) return `${pieces[0].best} throughout`;
    return pieces
        .map(({ best, from, to }, i) =>
            i === pieces.length - 1 ? `${best} from ${across} ${from} on` : `${best} up to ${to}`,
        )
        .join(", ");
}

export const crossover = {
    id: "crossover",
    title: "Where the best changes",
    about: "Each cell is a problem, in the colour of the fastest.",
    wide: true,
    wants: study => mapOf(study) !== null,
    draw(frame, study) {
        const map = mapOf(study),
            { across, up, of, problems } = map;
        const othersOf = ({ first }) => map.others.map(name => `${name} ${first.parameters[name]}`).join(", ");
        const choices = [...new Set(problems.map(othersOf))],
            key = element("div"),
            box = element("div", { class: "scroll" }),
            said = element("ul");
        const xs = sorted(study.valuesOf(across)),
            ys = up ? sorted(study.valuesOf(up)).reverse() : [null];
        let chosen = choices[0];
        const colour = best => series()[map.bests.indexOf(best) % series().length];
        const cell = problem =>
            problem
                ? element(
                      "td",
                      { style: `background:${colour(bestOf(problem, of))}`, title: tipOf(problem, of) },
                      element("span", {}, bestOf(problem, of)),
                  )
                : element("td", {});
        const draw = () => {
            const here = problems.filter(one => othersOf(one) === chosen);
            const at = (x, y) =>
                here.find(({ first }) => first.parameters[across] === x && (!up || first.parameters[up] === y));
            const row = y => here.filter(({ first }) => !up || first.parameters[up] === y);
            const shown = map.bests.filter(best => here.some(one => bestOf(one, of) === best));
            key.replaceChildren(keyOf(shown.map(best => [colour(best), best])));
            box.replaceChildren(
                element(
                    "table",
                    { class: "map" },
                    element(
                        "thead",
                        {},
                        element(
                            "tr",
                            {},
                            element("th", {}, up ? `${up} \u2193, ${across} \u2192` : across),
                            xs.map(x => element("th", { scope: "col" }, String(x))),
                        ),
                    ),
                    element(
                        "tbody",
                        {},
                        ys.map(y =>
                            element(
                                "tr",
                                {},
                                element("th", { scope: "row" }, up ? String(y) : ""),
                                xs.map(x => cell(at(x, y))),
                            ),
                        ),
                    ),
                ),
            );
            said.replaceChildren(
                ...[...ys]
                    .reverse()
                    .map(y => element("li", {}, up ? `${up} ${y}: ` : "", switchesOf(row(y), map), ".")),
            );
        };
        frame.choose(
            "for",
            choices.map(name => ({ name, value: name })),
            chosen,
            value => {
                chosen = value;
                draw();
            },
        );
        frame.body.append(key, box, said);
        onTheme(draw);
        draw();
        frame.csv(() => [
            [...map.problem, "best", "time_s", "second", "its slowdown"],
            ...problems.map(one => [
                ...map.problem.map(name => one.first.parameters[name]),
                bestOf(one, of),
                one.runs[0].time_s,
                one.runs[1] ? of(one.runs[1]) : "",
                one.runs[1]?.factor_to_best ?? "",
            ]),
        ]);
    },
};
