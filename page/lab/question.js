// A question whose answer the simulator computes when it is checked.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";
import { nearest, readNumber, shown, wordOf } from "./answer.js";
import { commandOf, settingsOf } from "./spec.js";
import { say } from "../src/said.js";
import { t } from "../src/texts/index.js";

const decoder = new TextDecoder();

// "overhead_ratio.idle" of a run, or one of its parameters.
export const valueOf = (run, name) =>
    run.parameters?.[name] ?? name.split(".").reduce((at, part) => at?.[part], run) ?? null;

// The answer that the command's JSON has; null: no run is asked for.
export function answerIn({ runs: all }, { name, of, isLeast, isRatio, where }) {
    if (isRatio) return valueOf(all[0], name) / valueOf(all.at(-1), name);
    const runs = where ? all.filter(run => valueOf(run, where.name) >= where.least) : all;
    if (!of || runs.length === 0) return runs.length > 0 ? valueOf(runs[0], name) : null;
    const better = (a, b) => (isLeast ? valueOf(b, of) < valueOf(a, of) : valueOf(b, of) > valueOf(a, of));
    return valueOf(
        runs.reduce((best, run) => (better(best, run) ? run : best)),
        name,
    );
}

// The simulator's answer to a question or a prediction: { data }, or { fault }, a sentence.
export async function simulate(simulator, owner, spec) {
    const settings = settingsOf(spec, {}).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
    const answer = await simulator.run({
        owner,
        args: ["-q", "-f", "json", ...settings, `/scenarios/${spec.scenario}.xml`],
    });
    if (answer === null) return { fault: t("Stopped.") };
    return answer.status === 0 ? { data: JSON.parse(decoder.decode(answer.output)) } : { fault: say(answer.said) };
}

function sayMiss(understood, isFar, isLarge) {
    if (isFar) return isLarge ? t`${understood} That is far too large.` : t`${understood} That is far too small.`;
    return isLarge ? t`${understood} That is too large.` : t`${understood} That is too small.`;
}

// A given text against the simulator's value: { isRight, value, said }; value is what was understood, or null.
export function judge(given, value, { data, spec }) {
    if (typeof value !== "number") return judgeWord(given, value, data, spec.answer);
    const { values, fault } = readNumber(given.replace(new RegExp(`^${spec.answer.name}\\b`), ""), spec);
    if (fault) return { isRight: false, value: null, said: fault };
    const number = nearest(values, value),
        isRight = Math.abs(number - value) <= spec.within * Math.abs(value) + 1e-12,
        understood = t`Understood: ${shown(number, spec)}.`;
    if (isRight) return { isRight, value: number, said: t`Right: ${shown(value, spec)}. ${understood}` };
    const isFar = Math.abs(number - value) > Math.abs(value);
    return { isRight, value: number, said: sayMiss(understood, isFar, number > value) };
}

function sayWorse(found, of, times, isLeast) {
    if (isLeast && of === "time_s") return t`Understood: ${found}. It takes ${times} times as long as the fastest.`;
    if (isLeast) return t`Understood: ${found}. Its ${of} is ${times} times the least.`;
    return t`Understood: ${found}. Its ${of} is ${times} times the most.`;
}

// A word of panels can have the shape behind it: "torus 16x8".
const withoutShape = given => given.replace(/\s+\d+(?:\s*[x×]\s*\d+)*$/, "");

function judgeWord(given, value, { runs }, { name, of, isLeast }) {
    const find = word =>
        runs.find(run => wordOf(valueOf(run, name)) === word || wordOf(name + valueOf(run, name)) === word);
    const run = find(wordOf(given)) ?? find(wordOf(withoutShape(given)));
    if (!run) {
        const known = [...new Set(runs.map(one => valueOf(one, name)))].join(", ");
        return { isRight: false, value: null, said: t`'${given}' is none of those that are compared: ${known}.` };
    }
    const found = valueOf(run, name);
    if (found === value) return { isRight: true, value: found, said: t`Right: ${value}` };
    const best = runs.find(one => valueOf(one, name) === value),
        ratio = of ? valueOf(run, of) / valueOf(best, of) : null;
    const said = ratio ? sayWorse(found, of, shown(ratio), isLeast) : t`Understood: ${found}. Another one is better.`;
    return { isRight: false, value: found, said };
}

export class Question {
    // kept: { given } of before, or null; keep({ given, value }) when an answer has been understood.
    constructor({ spec, simulator, kept = null, keep = () => {} }) {
        Object.assign(this, { spec, simulator, keep });
        this.said = element("p", { class: "status", "aria-live": "polite" });
        this.field = element("input", {
            type: "text",
            size: 10,
            autocomplete: "off",
            "aria-label": t("your answer"),
            value: kept?.given ?? null,
        });
        this.reveal = element(
            "button",
            { type: "button", hidden: true, onclick: () => this.show() },
            t("Show the answer"),
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
            element("button", {}, t("Check")),
            this.reveal,
            this.said,
        );
        if (kept?.given) this.check();
    }

    // { data, value }: what the simulator says; null with a word where it fails.
    async compute() {
        this.said.textContent = t("Simulating ...");
        const { data, fault } = await simulate(this.simulator, this, this.spec);
        this.root.dataset.status = fault ? 1 : 0;
        if (fault) this.said.textContent = fault;
        return fault ? null : { data, value: answerIn(data, this.spec.answer) };
    }

    async check() {
        const given = this.field.value.trim();
        if (given === "") return void (this.said.textContent = t("Write your answer first."));
        const found = await this.compute();
        if (found === null) return;
        const { isRight, value, said } = judge(given, found.value, { data: found.data, spec: this.spec });
        this.root.dataset.right = isRight;
        this.reveal.hidden = isRight;
        this.wasRight ||= isRight;
        const isKept = isRight || !this.wasRight;
        this.said.textContent = isKept ? said : `${said} ${t("Your right answer stays saved.")}`;
        if (isKept) this.keep({ given, value });
    }

    async show() {
        const found = await this.compute();
        if (found !== null)
            this.said.textContent = t`${shown(found.value, this.spec)} (${commandOf(this.spec, {})} says so)`;
    }
}
