// A control for any parameter: a choice of words, or a text as --set takes it, with a slider that doubles and halves
// its numbers.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";
import { t } from "../src/texts/index.js";

const most = 4; // times that a number is doubled or halved

// "1,2,4KiB" times 2^power, without what is no whole number then; null where something is no number, or nothing is
// left.
export function doubled(text, power) {
    const amounts = text.split(",").map(word => /^([0-9]+)([A-Za-z]*)$/.exec(word));
    if (amounts.some(found => found === null || Number(found[1]) === 0)) return null;
    const kept = amounts
        .map(([, number, unit]) => [Number(number) * 2 ** power, unit])
        .filter(([number]) => Number.isInteger(number))
        .map(([number, unit]) => `${number}${unit}`);
    return kept.length > 0 ? kept.join(",") : null;
}

// A menu of words, one of which is chosen.
export function makeMenu({ name, values, value, onchange }) {
    return element(
        "label",
        {},
        `${name} `,
        element(
            "select",
            { onchange: ({ target }) => onchange(target.value) },
            values.map(one => element("option", { selected: one === value }, one)),
        ),
    );
}

// values: words to choose from, or none. at: how it was, in the middle of the slider.
export function makeField({ name, values, at, value, onchange }) {
    if (values.length > 0)
        return makeMenu({ name, values: values.includes(at) ? values : [at, ...values], value, onchange });
    const text = element("input", {
        type: "text",
        size: Math.min(24, Math.max(6, value.length)),
        value,
        autocomplete: "off",
        onchange: ({ target }) => onchange(target.value.replaceAll(/\s/g, "")),
    });
    const slide = ({ target }) => {
        const next = doubled(at, Number(target.value));
        if (next === null || next === text.value) return;
        text.value = next;
        target.setAttribute("aria-valuetext", next);
        onchange(next);
    };
    const range = { type: "range", min: -most, max: most, step: 1, value: 0, "aria-valuetext": value, oninput: slide };
    return element(
        "label",
        {},
        `${name} `,
        text,
        doubled(at, 0) === null ? null : element("input", { ...range, "aria-label": t`${name}, doubled or halved` }),
    );
}
