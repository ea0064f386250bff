// The answer, on cards: what is fastest, how long it takes, and what most of that time is.
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { pointerTo, quantity } from "../numbers.js";

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
    return element("div", { class: "card" }, element("span", { class: "name" }, name), element("strong", {}, ...content));
}

// The part of the critical path that takes most: [name, pointer to its time].
function largestPart(run) {
    const parts = Object.entries(run.critical_path_s ?? {}).filter(([name]) => !name.includes("."));
    const [name] = parts.reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0]);
    return name;
}

export const answer = {
    id: "answer",
    title: "The answer",
    wide: true,
    wants: study => study.best !== null,
    draw(frame, { data, best, label, runs, said }) {
        const at = (...keys) => pointerTo("runs", best.index, ...keys);
        const first = said.items.find(item => item.kind === "sentence");
        if (first) frame.body.append(element("p", { class: "headline" }, first.text));
        const largest = largestPart(best);
        const found = cards.filter(([keys]) => typeof keys.reduce((value, key) => value?.[key], best) === "number");
        frame.body.append(element("div", { class: "cards" },
            runs.length > 1 ? card("fastest", label(best)) : null,
            found.map(([keys, word, unit]) => card(term(word), quantity(data, at(...keys), unit))),
            largest ? card(term("critical path", "largest part"), largest, element("br"),
                quantity(data, at("critical_path_s", largest), "s")) : null));
        frame.csv(() => [["measure", "value"], ...found.map(([keys, word]) => [word, keys.reduce((v, k) => v[k], best)])]);
    },
};
