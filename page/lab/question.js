// A question whose answer the simulator computes when it is checked.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";
import { commandOf, settingsOf } from "./spec.js";

const decoder = new TextDecoder();

// "overhead_ratio.idle" of a run, or one of its parameters.
const valueOf = (run, name) => run.parameters?.[name] ?? name.split(".").reduce((at, part) => at?.[part], run) ?? null;

// The answer that the command's JSON has.
export function answerIn({ runs }, { name, of, isLeast, isRatio }) {
    if (isRatio) return valueOf(runs[0], name) / valueOf(runs.at(-1), name);
    if (!of) return valueOf(runs[0], name);
    const better = (a, b) => (isLeast ? valueOf(b, of) < valueOf(a, of) : valueOf(b, of) > valueOf(a, of));
    return valueOf(
        runs.reduce((best, run) => (better(best, run) ? run : best)),
        name,
    );
}

// Words are the same with blanks and capitals or without.
const wordOf = text => text.replaceAll(/\s/g, "").toLowerCase();

const shown = value =>
    typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(4))) : String(value);

// "16 KiB" in bytes; other numbers may have their unit behind them. NaN: no number.
const units = { kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, kb: 1e3, mb: 1e6, gb: 1e9 };
function numberIn(text, unit) {
    const [, number, word] = /^([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)(.*)$/i.exec(wordOf(text)) ?? [];
    return Number(number ?? NaN) * (unit === "bytes" ? (units[word] ?? 1) : 1);
}

export class Question {
    constructor({ spec, simulator }) {
        Object.assign(this, { spec, simulator });
        this.said = element("p", { class: "status", "aria-live": "polite" });
        this.field = element("input", { type: "text", size: 10, autocomplete: "off", "aria-label": "your answer" });
        this.reveal = element(
            "button",
            { type: "button", hidden: true, onclick: () => this.show() },
            "Show the answer",
        );
        this.root = element(
            "form",
            {
                class: "question",
                onsubmit: event => {
                    event.preventDefault();
                    this.check();
                },
            },
            element("label", {}, spec.ask + " ", this.field, spec.unit ? ` ${spec.unit} ` : " "),
            element("button", {}, "Check"),
            this.reveal,
            this.said,
        );
    }

    // What the simulator says, in the unit that is asked for; null with a word where it fails.
    async compute() {
        const { spec } = this,
            settings = settingsOf(spec, {}).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
        this.said.textContent = "Simulating ...";
        const { status, output, said } = await this.simulator.run({
            owner: this,
            args: ["-q", "-f", "json", ...settings, `/scenarios/${spec.scenario}.xml`],
        });
        this.root.dataset.status = status;
        if (status !== 0) {
            this.said.textContent = said;
            return null;
        }
        const value = answerIn(JSON.parse(decoder.decode(output)), spec.answer);
        return typeof value === "number" ? value / spec.factor : value;
    }

    async check() {
        const { name } = this.spec.answer,
            given = this.field.value
                .trim()
                .replace(new RegExp(`^${name}\\b\\s*`), "")
                .replace(",", ".");
        if (given === "") return void (this.said.textContent = "Write your answer first.");
        const value = await this.compute();
        if (value === null) return;
        const isNumber = typeof value === "number",
            number = numberIn(given, this.spec.unit);
        if (isNumber && !Number.isFinite(number)) return void (this.said.textContent = "The answer is a number.");
        const isRight = isNumber
            ? Math.abs(number - value) <= this.spec.within * Math.abs(value) + 1e-12
            : wordOf(given) === wordOf(value);
        this.root.dataset.right = isRight;
        this.reveal.hidden = isRight;
        this.said.textContent = isRight ? `Right: ${shown(value)} ${this.spec.unit}` : this.hint(number, value);
    }

    hint(number, value) {
        if (typeof value !== "number") return "That is not the simulator's answer. Look again.";
        const far = Math.abs(number - value) > Math.abs(value) ? "far " : "";
        return `That is ${far}too ${number > value ? "large" : "small"}.`;
    }

    async show() {
        const value = await this.compute();
        if (value !== null)
            this.said.textContent = `${shown(value)} ${this.spec.unit} (${commandOf(this.spec, {})} says so)`;
    }
}
