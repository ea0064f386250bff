// A prediction: what the reader expects, as a number, a word or a curve, before the simulator shows what is. What they
// expected stays beside the result.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";
import { nearest, readNumber, shown } from "./answer.js";
import { Axes } from "./axes.js";
import { answerIn, judge, simulate, valueOf } from "./question.js";
import { t } from "../src/texts/index.js";

const round = value => Number(value.toPrecision(3));

// How a guess and the result differ, in words.
export function compareNumbers(guess, value) {
    if (value === 0) return guess === 0 ? t("just as you expected") : t("not what you expected");
    const ratio = guess / value;
    if (Math.abs(ratio - 1) < 0.005) return t("just as you expected");
    if (ratio > 2 || ratio < 0.5) return t`you expected ${round(ratio)} times that`;
    const percent = round(100 * Math.abs(ratio - 1));
    return ratio > 1 ? t`you expected ${percent} % more` : t`you expected ${percent} % less`;
}

// Shares differ in points of a percentage.
function compareShares(guess, value) {
    const points = round(100 * Math.abs(guess - value));
    if (points < 0.5) return t("just as you expected");
    return guess > value
        ? t`you expected ${points} percentage points more`
        : t`you expected ${points} percentage points less`;
}

// A guess that cannot be, in words; null if it can.
function impossible(guess, { unit }) {
    if (unit !== "%") return guess > 0 ? null : t("The value is more than 0.");
    return guess >= 0 && guess <= 1 ? null : t("A share is from 0 to 100 %.");
}

// Where a curve is farthest from the result, by their ratio where both are above 0.
export function farthest(guess, result) {
    const distance = i =>
        guess[i] > 0 && result[i] > 0 ? Math.abs(Math.log(guess[i] / result[i])) : Math.abs(guess[i] - result[i]);
    return result.reduce((worst, _, i) => (distance(i) > distance(worst) ? i : worst), 0);
}

export class Prediction {
    // kept: { given, value } or { points } of before, with `isSeen`; keep() takes the same. seen is resolved when the
    // result may be shown.
    constructor({ spec, simulator, kept = null, keep = () => {} }) {
        Object.assign(this, { spec, simulator, keep });
        this.seen = new Promise(resolve => (this.resolve = resolve));
        this.said = element("p", { class: "status", "aria-live": "polite" });
        this.field = spec.curve
            ? null
            : element("input", { type: "text", size: 10, autocomplete: "off", value: kept?.given ?? null });
        this.axes = spec.curve ? new Axes({ curve: spec.curve, values: kept?.points }) : null;
        this.bars = element("div", { class: "guess-bars" });
        this.buttons = element(
            "span",
            {},
            element("button", {}, t("Show the result")),
            element("button", { type: "button", onclick: () => this.show(null) }, t("Without a guess")),
        );
        this.root = element(
            "form",
            {
                class: "question prediction",
                onsubmit: event => {
                    event.preventDefault();
                    this.submit();
                },
            },
            element("label", {}, `${spec.ask} `, this.field, spec.unit && this.field ? ` ${spec.unit} ` : " "),
            this.axes?.root,
            this.buttons,
            this.bars,
            this.said,
        );
        if (kept?.isSeen) this.show(kept);
    }

    // A guess is there before the result is.
    submit() {
        if (this.axes) {
            if (!this.axes.isDrawn)
                return void (this.said.textContent = t("Draw your curve over the whole width first."));
            return this.show({ points: this.axes.values.map(round) });
        }
        const given = this.field.value.trim();
        if (given === "") return void (this.said.textContent = t("Write your guess first."));
        return this.show({ given });
    }

    async show(guess) {
        this.said.textContent = t("Simulating ...");
        const { data, fault } = await simulate(this.simulator, this, this.spec);
        if (fault) return void (this.said.textContent = fault);
        const problem = this.axes ? this.showCurve(data, guess) : this.showAnswer(data, guess);
        if (problem) return void (this.said.textContent = problem);
        this.buttons.hidden = true;
        if (this.field) this.field.readOnly = true;
        this.root.dataset.seen = true;
        this.keep({ ...guess, isSeen: true });
        this.resolve();
    }

    // The fault of the guess, if it has one.
    showAnswer(data, guess) {
        const { spec } = this,
            value = answerIn(data, spec.answer),
            result = t`It is ${shown(value, spec)}`;
        if (!guess?.given) return void (this.said.textContent = `${result}.`);
        if (typeof value !== "number") {
            const { value: word, said } = judge(guess.given, value, { data, spec });
            if (word === null) return said;
            if (word === value) return void (this.said.textContent = t`${result}, as you expected.`);
            return void (this.said.textContent = t`${result}; you expected ${word}.`);
        }
        const { values, fault } = readNumber(guess.given, spec);
        if (fault) return fault;
        guess.value = nearest(values, value);
        const never = impossible(guess.value, spec);
        if (never) return never;
        const most = Math.max(guess.value, value, 1e-300);
        const bar = (name, number) =>
            element(
                "div",
                {},
                element("span", { class: name, style: `width: ${(100 * Math.max(0, number)) / most}%` }),
                ` ${shown(number, spec)} ${name === "guess" ? t("(you)") : t("(simulated)")}`,
            );
        this.bars.replaceChildren(bar("guess", guess.value), bar("result", value));
        const compare = spec.unit === "%" ? compareShares : compareNumbers;
        this.said.textContent = `${result}; ${compare(guess.value, value)}.`;
    }

    showCurve({ runs }, guess) {
        const { measure, places, parameter } = this.spec.curve,
            result = places.map((_, i) => (runs[i] ? valueOf(runs[i], measure) : NaN));
        if (runs.length !== places.length || !result.every(Number.isFinite))
            return t`The scenario has no ${measure} for each ${parameter}.`;
        this.axes.lay(result);
        if (!guess?.points) return void (this.said.textContent = t("The result is drawn."));
        const i = farthest(guess.points, result),
            [at, is, own] = [`${parameter} ${places[i]}`, round(result[i]), round(guess.points[i])];
        const apart = t`By their ratio they are farthest apart at ${at}: it is ${is}, you drew ${own}.`;
        this.said.textContent = `${t("The result is drawn over your curve.")} ${apart}`;
    }
}
