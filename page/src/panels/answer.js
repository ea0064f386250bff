// The answer, on cards: what is fastest, how long it takes, and what most of that time is.
// SPDX-License-Identifier: BSD-3-Clause
import { candidatesOf, told } from "../candidates.js";
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { pointerTo, quantity } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { say } from "../said.js";
import { isComparison } from "../study.js";
import { labelOf } from "../theme.js";
import { nameIn, t } from "../texts/index.js";

// The path, the name, and the unit of each number that a card may show; the word that explains it, if it is another.
const cards = [
    [["time_s"], "time", "s"],
    [["speedup"], "speedup", "ratio"],
    [["efficiency"], "efficiency", "share"],
    [["granularity"], "granularity", "ratio"],
    [["messages"], "messages", "count"],
    [["bytes"], "bytes", "B", "moved"],
    [["reference", "error"], "measured error", "difference", "error"],
    [["forecast_error"], "off formula", "difference"],
    [["pop", "parallel_efficiency"], "parallel efficiency", "share", "parallel"],
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

// True if no other run is faster. If no run is ranked, runs of other problems, which have another T_seq, do not count.
function isFastest(run, { runs, isRanked }) {
    const isSame = other => Math.abs(other.sequential_time_s - run.sequential_time_s) <= 1e-6 * run.sequential_time_s;
    if (isRanked) return run.rank === 1;
    const isComparable = runs.every(other => typeof other.sequential_time_s !== "number" || isSame(other));
    return isComparable && runs.every(({ time_s }) => time_s >= run.time_s);
}

// "fastest", or "fastest for bytes 1 KiB" where other problems have others: a decision may be by another measure.
function standingOf(run, study, found) {
    const standing = isFastest(run, study) ? t("fastest") : run.place === 1 ? t("best") : t("run ").trim();
    return found?.problem.length > 0 ? t`${standing} for ${told(run, found.problem)}` : standing;
}

const longest = 16; // letters of a name on a card of the common width

// Which run it is; a long name takes two places.
function nameCard(run, study, found) {
    const standing = standingOf(run, study, found),
        label = found?.candidate.length > 0 ? told(run, found.candidate) : study.label(run),
        named = card(standing, element("span", { class: "word" }, label));
    if (Math.max(label.length, standing.length) > longest) named.classList.add("long");
    return named;
}

function drawRun(frame, study) {
    const box = element("div", { class: "cards" }),
        { runs } = study,
        found = candidatesOf(study);
    const draw = () => {
        const { run } = at,
            known = cards.filter(([keys]) => typeof keys.reduce((value, key) => value?.[key], run) === "number");
        const largest = largestPart(run);
        box.replaceChildren(
            ...[
                runs.length > 1 ? nameCard(run, study, found) : null,
                ...known.map(([keys, name, unit, word = name]) =>
                    card(term(word, nameIn(name)), at.figure(unit, ...keys)),
                ),
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
    const number = (unit, ...keys) => quantity(data, pointerTo(...keys), unit),
        { versions } = data;
    frame.body.append(
        element(
            "div",
            { class: "cards" },
            versions.map(({ version }, i) => card(version, number("s", "versions", i, "time_s"))),
            versions.length === 2 ? card(t("factor"), number("slowdown", "factor")) : null,
            data.cause
                ? card(
                      term("cause"),
                      element("span", { class: "word" }, say(data.cause.replace(/^.*\./, ""))),
                      element("br"),
                      number("share", "cause_share"),
                      element("span", { class: "word" }, t(" of the change")),
                  )
                : null,
        ),
    );
    frame.csv(() => [["version", "time_s"], ...versions.map(({ version, time_s }) => [version, time_s])]);
}

// If there are several problems, each has such a sentence.
const isOfProblem = ({ text }) => /^(Fastest|Best by [a-z ]+) for /.test(text);

export const answer = {
    id: "answer",
    title: t("The answer"),
    wide: true,
    wants: study => study.best !== null || isComparison(study),
    draw(frame, study) {
        const [first, ...others] = study.said.items.filter(item => item.kind === "sentence");
        if (first) frame.body.append(element("p", { class: "headline" }, say(first.text)));
        frame.body.append(
            ...others.filter(isOfProblem).map(({ text }) => element("p", { class: "headline" }, say(text))),
        );
        (isComparison(study) ? drawComparison : drawRun)(frame, study);
    },
};
