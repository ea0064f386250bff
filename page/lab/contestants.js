// Contestants: lines of a broadcast that the reader has kept under a name, to race against each other and against those
// of libraries. They belong to a lab, and are kept with the reader's work.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";
import { t } from "../src/texts/index.js";

export const most_contestants = 8;
const longest_name = 40;

const decoder = new TextDecoder(),
    encoder = new TextEncoder();

// Slots of saved work, "1" to "8", as contestants: { name, lines }. What is none is left out.
const isContestant = one => typeof one?.name === "string" && typeof one.lines === "string" && nameOf(one.name) !== "";
const nameOf = text => text.trim().slice(0, longest_name);

export function readContestants(get) {
    const slots = Array.from({ length: most_contestants }, (_, i) => get(i + 1));
    return slots.filter(isContestant).map(({ name, lines }) => ({ name: nameOf(name), lines }));
}

// Returns the fault of a new contestant as a sentence; null if there is none. taken: names of the others.
export function faultOf(name, contestants, taken) {
    if (name === "") return t("Write a name for it first.");
    if (taken.includes(name)) return t`${name} races already; write another name.`;
    if (contestants.length === most_contestants && !contestants.some(one => one.name === name))
        return t`There are ${most_contestants} contestants, which is the most; remove one first.`;
    return null;
}

// The command's JSON with the runs of contestants behind its own: each has its name as its broadcast.
// others: [{ name, output }], JSON of their lines as `own`.
export function withContestants(output, others) {
    const data = JSON.parse(decoder.decode(output));
    for (const { name, output } of others)
        for (const run of JSON.parse(decoder.decode(output)).runs)
            data.runs.push({ ...run, parameters: { ...run.parameters, broadcast: name } });
    return encoder.encode(JSON.stringify(data));
}

// The contestants below the lines of an experiment.
export class Contestants {
    // list: of before; lines(): those that stand in the experiment now; take(lines) puts others there; taken: names of
    // the broadcasts that race anyway; onchange(list) when one is kept or removed.
    constructor({ list, lines, take, taken, onchange }) {
        Object.assign(this, { list, lines, take, taken, onchange });
        this.name = element("input", { type: "text", size: 16, maxlength: longest_name, autocomplete: "off" });
        this.said = element("span", { class: "status", "aria-live": "polite" });
        this.rows = element("span", {});
        this.root = element(
            "form",
            {
                class: "contestants",
                onsubmit: event => {
                    event.preventDefault();
                    this.keep();
                },
            },
            element("label", {}, t("name of these lines "), this.name),
            element("button", {}, t("Keep as a contestant")),
            this.said,
            this.rows,
        );
        this.draw();
    }

    draw() {
        this.rows.replaceChildren(
            ...this.list.map(({ name, lines }) =>
                element(
                    "span",
                    { class: "contestant" },
                    element("button", { type: "button", onclick: () => this.take(lines) }, t`Edit ${name}`),
                    element("button", { type: "button", onclick: () => this.remove(name) }, t`Remove ${name}`),
                ),
            ),
        );
    }

    // Keep the lines under the name, in place of those that have it.
    keep() {
        const name = nameOf(this.name.value),
            fault = faultOf(name, this.list, this.taken);
        this.said.textContent = fault ?? "";
        if (fault) return;
        this.name.value = "";
        const others = this.list.filter(one => one.name !== name);
        this.set([...others, { name, lines: this.lines() }]);
    }

    remove(name) {
        this.said.textContent = "";
        this.set(this.list.filter(one => one.name !== name));
    }

    set(list) {
        this.list = list;
        this.draw();
        this.onchange(list);
    }
}
