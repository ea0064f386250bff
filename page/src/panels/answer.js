// The answer, on cards: what is fastest, how long it takes, and what most of that time is.
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { pointerTo, quantity } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { isComparison } from "../study.js";
import { labelOf } from "../theme.js";

// The path, the word that explains it, and the unit of each number that a card may show.
const cards = [
    [["time_s"], "time", "s"],
    [["speedup"], "speedup", "ratio"],
    [["efficiency"], "efficiency", "share"],
    [["messages"], "messages", "count"],
    [["bytes"], "bytes", "B"],
    [["reference", "error"], "measured error", "difference"],
    [["forecast_error"], "forecast error", "difference"],
    [["pop", "parallel_efficiency"], "parallel efficiency", "share"],
];

function card(name, ...content) {
    return element(
        "div",
        { class: "card" },
        element("span", { class: "name" }, name),
        element("strong", {}, ...content),
    );
}

// The part of the critical path that takes most: [name, pointer to its time].
function largestPart(run) {
    const parts = Object.entries(run.critical_path_s ?? {}).filter(([name]) => !name.includes("."));
    const [name] = parts.reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0]);
    return name;
}

function drawRun(frame, study) {
    const box = element("div", { class: "cards" }),
        { runs } = study;
    const draw = () => {
        const { run } = at,
            found = cards.filter(([keys]) => typeof keys.reduce((value, key) => value?.[key], run) === "number");
        const largest = largestPart(run),
            isFastest = runs.every(({ time_s }) => time_s >= run.time_s);
        box.replaceChildren(
            ...[
                runs.length > 1
                    ? card(isFastest ? "fastest" : "run", element("span", { class: "word" }, study.label(run)))
                    : null,
                ...found.map(([keys, word, unit]) => card(term(word), at.figure(unit, ...keys))),
                largest
                    ? card(
                          term("largest part"),
                          element("span", { class: "word" }, labelOf(largest)),
                          element("br"),
                          at.figure("s", "critical_path_s", largest),
                      )
                    : null,
            ].filter(Boolean),
        );
    };
    const at = followRun(frame, study, () => true, draw);
    frame.body.append(box);
    draw();
    frame.csv(() => [
        ["run", ...cards.map(([, word]) => word)],
        ...runs.map(run => [
            study.label(run),
            ...cards.map(([keys]) => keys.reduce((value, key) => value?.[key], run) ?? ""),
        ]),
    ]);
}

function drawComparison(frame, { data }) {
    const number = (key, unit) => quantity(data, pointerTo(key), unit);
    frame.body.append(
        element(
            "div",
            { class: "cards" },
            card(`run ${data.first}`, number("first_time_s", "s")),
            card(`run ${data.second}`, number("second_time_s", "s")),
            card("factor", number("factor", "slowdown")),
            data.cause
                ? card(term("cause"), data.cause.replace(/^.*\./, ""), element("br"), number("cause_share", "share"))
                : null,
        ),
    );
    frame.csv(() => [
        ["run", "time_s"],
        [data.first, data.first_time_s],
        [data.second, data.second_time_s],
    ]);
}

export const answer = {
    id: "answer",
    title: "The answer",
    wide: true,
    wants: study => study.best !== null || isComparison(study),
    draw(frame, study) {
        const first = study.said.items.find(item => item.kind === "sentence");
        if (first) frame.body.append(element("p", { class: "headline" }, first.text));
        (isComparison(study) ? drawComparison : drawRun)(frame, study);
    },
};
