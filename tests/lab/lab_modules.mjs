// Scripts of the laboratory that need no page: what answers mean, blocks, comparisons, saved work.
// SPDX-License-Identifier: BSD-3-Clause
import { nearby } from "../../page/lab/ahead.js";
import { readNumber, wordOf } from "../../page/lab/answer.js";
import { Answers } from "../../page/lab/answers.js";
import { markOf } from "../../page/src/numbers.js";
import { compareNumbers, farthest } from "../../page/lab/prediction.js";
import { answerIn, judge } from "../../page/lab/question.js";
import { readPrediction, readQuestion } from "../../page/lab/spec.js";
import { readWork, Work } from "../../page/lab/work.js";
import { check, finish } from "../page/checks.mjs";

function throws(act) {
    try {
        act();
        return "";
    } catch ({ message }) {
        return message;
    }
}

// --- judge: the value that is right, an answer, and what is said ---

const ms = { unit: "ms", factor: 0.001 },
    percent = { unit: "%", factor: 0.01 },
    bytes = { unit: "bytes", factor: 1 },
    ranks = { unit: "processors", factor: 1 },
    ratio = { unit: "", factor: 1 };
const numbers = [
    [percent, 0.504, "50.4", /^Right: 50\.4 %/],
    [percent, 0.504, "50.4 %", /^Right/],
    [percent, 0.504, "50,4%", /^Right/],
    [percent, 0.504, "0.504", /^Right: 50\.4 %. Understood: 50\.4 %/],
    [percent, 0.504, "0,504", /^Right/],
    [percent, 0.504, "63/125", /^Right/],
    [percent, 0.504, "50 percent", /^Right/],
    [percent, 0.004, "0.4", /^Right/], // less than a hundredth is no fraction then
    [percent, 2.157, "216", /^Right/],
    [percent, 0.504, "50/1", /^Understood: 5000 %. That is far too large/],
    [percent, 2.157, "913.1/423.3", /^Right: 215\.7 %. Understood: 215\.7 %/],
    [percent, 2.157, "2.157", /^Right/],
    [percent, 0.0157, "1.57", /^Right/],
    [percent, 2.157, "2.16 times", /^Right/],
    [percent, 2.157, "1e400", /^'1e400' is not a number/],
    [bytes, 16384, "2^99999", /^'2\^99999' is not a number/],
    [bytes, 16384, "1e305 MiB", /is not a number/],
    [percent, 0.504, "30", /^Understood: 30 %. That is too small/],
    [percent, 0.504, "50 apples", /^'apples' is not a unit of this answer; write %, or the number alone/],
    [ms, 0.0242, "24", /^Right/],
    [ms, 0.0242, "24 ms", /^Right/],
    [ms, 0.0242, "0.024 s", /^Right: 24\.2 ms. Understood: 24 ms/],
    [ms, 0.0242, "24000us", /^Right/],
    [ms, 0.0242, "24000 µs", /^Right/],
    [ms, 0.0242, "24e-3 s", /^Right/],
    [ms, 0.0242, "24 x 10^-3 s", /^Right/],
    [ms, 0.0242, "24·10⁻³ s", /^Right/],
    [ms, 0.0242, "24 s", /^Understood: 24000 ms. That is far too large/],
    [ms, 0.0242, "24 MB", /^'mb' is not a unit/],
    [bytes, 16384, "16384", /^Right/],
    [bytes, 16384, "16,384", /^Right/],
    [bytes, 16384, "16K", /^Right: 16384 bytes/],
    [bytes, 16384, "16 kB", /^Right/],
    [bytes, 16384, "16 KiB", /^Right/],
    [bytes, 16384, "2^14", /^Right/],
    [bytes, 16384, "2**14 bytes", /^Right/],
    [bytes, 16384, "2¹⁴", /^Right/],
    [bytes, 16384, "1/64 MiB", /^Right/],
    [bytes, 16384, "16", /^Understood: 16 bytes. That is too small/],
    [ranks, 128, "128 ranks", /^Right/],
    [ranks, 128, "2^7 processors", /^Right/],
    [ranks, 128, "50 apples", /^'apples' is not a unit/],
    [ranks, 128, "many", /^The answer is a number/],
    [ranks, 128, "1/0", /^'1\/0' is not a number/],
    [ranks, 128, "1/2/3", /is not a number/],
    [ranks, 128, "1-2", /^'1-2' is not a number/],
    [ratio, 1.5, "3/2", /^Right: 1\.5/],
    [ratio, 1.5, "1.5x", /^Right/],
    [ratio, 1.5, "x 1.5", /^Right/],
    [ratio, 1.5, "1.5 times", /^Right/],
    [ratio, 1.5, "150 %", /^Right/],
    [ratio, 1.5, "50/1", /^Understood: 50. That is far too large/],
];
for (const [unit, value, given, expected] of numbers) {
    const { said, isRight } = judge(given, value, { data: {}, spec: { within: 0.02, answer: { name: "x" }, ...unit } });
    check(`${given} for ${value}`, expected.test(said) && isRight === said.startsWith("Right"), said);
}
check("no reading of a fault", readNumber("50 apples", ranks).values === undefined);

const grids = { runs: ["1x24", "4x6"].map((grid, i) => ({ parameters: { grid }, time_s: 2 - i })) };
const words = [
    ["4x6", /^Right/],
    ["4 × 6", /^Right/],
    ["4 by 6", /^Right/],
    ["the 4X6", /^Right/],
    ["grid 4x6", /^Right/],
    ["1x24", /^Understood: 1x24. It takes 2 times as long as the fastest/],
    ["5x5", /^'5x5' is none of those that are compared: 1x24, 4x6/],
];
const ofGrids = { answer: { name: "grid", of: "time_s", isLeast: true } };
for (const [given, expected] of words) {
    const { said } = judge(given, "4x6", { data: grids, spec: ofGrids });
    check(given, expected.test(said), said);
}
const shapes = { runs: ["star", "torus"].map((topology, i) => ({ parameters: { topology }, time_s: 1 + i })) };
for (const given of ["star", "Star 128", "star 16 x 8"]) {
    const spec = { answer: { name: "topology", of: "time_s", isLeast: true } };
    check(given, judge(given, "star", { data: shapes, spec }).isRight);
}
check("words", wordOf("The fat_tree") === wordOf("fat tree") && wordOf("IPD") === wordOf("I+P+D"));

// --- blocks ---

const condition = readQuestion("ask a\nscenario s\nanswer ranks of most ranks if efficiency >= 0.5").answer;
const runs = [1, 4, 16, 64].map(n => ({ ranks: n, efficiency: 2 / Math.sqrt(n) / 1.9 }));
check("a condition", answerIn({ runs }, condition) === 4, answerIn({ runs }, condition));
check("none", answerIn({ runs }, { ...condition, where: { name: "efficiency", least: 9 } }) === null);
const wrong = [
    [readQuestion, "ask a\nscenario s\nanswer ranks of most ranks if efficiency", /the condition is: if MEASURE/],
    [readQuestion, "ask a\nscenario s\nanswer ranks of best time_s", /of least or of most/],
    [readPrediction, "ask a\nscenario s", /an answer or a curve/],
    [readPrediction, "ask a\nscenario s\ncurve time_s over ranks 0 9", /set ranks=1,2,4/],
    [readPrediction, "ask a\nscenario s\nset ranks=1,2\ncurve time_s over ranks 9 0", /a curve is/],
    [readPrediction, "ask a\nhello", /'hello': known are/],
];
for (const [read, text, expected] of wrong) {
    const said = throws(() => read(text));
    check(text, expected.test(said), said);
}

// --- guesses beside results ---

const marks = [2 ** -10, 0.25, 8, 1024, 2 ** 20, 3].map(value => markOf(value, 2)).join(" ");
check("marks of an axis of base 2", marks === "2⁻¹⁰ 0.25 8 1024 2²⁰ 3", marks);
check("marks of base 10", markOf(2 ** -10, 10) === "0.000976563");
check("more", compareNumbers(12, 10) === "you expected 20 % more", compareNumbers(12, 10));
check("far", compareNumbers(100, 10) === "you expected 10 times that", compareNumbers(100, 10));
check("just", compareNumbers(10.01, 10) === "just as you expected");
check("farthest", farthest([1, 4, 100], [1, 5, 10]) === 2 && farthest([1, 1], [1, 0.5]) === 1);

// --- work ---

const storage = new Map();
const browser = {
    getItem: name => storage.get(name) ?? null,
    setItem: (name, text) => storage.set(name, text),
    removeItem: name => storage.delete(name),
};
const work = new Work(browser);
work.set("1-gj", "answers", 2, { given: "50 %", value: 0.5 });
work.setName("Ann, =B()");
check("kept over restarts", new Work(browser).get("1-gj", "answers", 2)?.given === "50 %");
check("of the lab alone", new Work(browser).get("2", "answers", 2) === null);
check("a file's name", work.fileName() === "Ann-B.simrun.json", work.fileName());
const other = new Work(null);
check("without a storage it is said", !other.isKept);
other.load(work.text());
check("loaded", other.get("1-gj", "answers", 2)?.value === 0.5 && other.all.name === "Ann, =B()");
work.erase();
check("erased", storage.size === 0 && new Work(browser).get("1-gj", "answers", 2) === null);
const full = new Work({
    ...browser,
    setItem: () => {
        throw new Error("full");
    },
});
full.setName("x");
check("a full storage is noted", !full.isKept);
for (const [text, expected] of [
    ["{", /not JSON, or not whole/],
    ["[]", /not saved work/],
    ['{"simrun_work":1,"labs":[]}', /not saved work/],
    ["x".repeat(4e6 + 1), /too large/],
])
    check(`work of ${text.slice(0, 30)}`, expected.test(throws(() => readWork(text))));
check(
    "what is no lab is left out",
    Object.keys(readWork('{"simrun_work":1,"labs":{"a":3,"b":{}}}').labs).join() === "b",
);

// --- answers that are kept: exactly the same question alone, and not without bound ---

const bytesOf = text => new TextEncoder().encode(text),
    answers = new Answers(),
    question = answers.keyOf(["a", "b"], [["/x", new Uint8Array([0x80, 0xff])]]);
const answered = { status: 0, output: bytesOf("1") };
answers.add(question, answered);
check("the same", answers.get(answers.keyOf(["a", "b"], [["/x", new Uint8Array([0x80, 0xff])]])) === answered);
for (const [name, args, files] of [
    ["other arguments", ["a b"], [["/x", new Uint8Array([0x80, 0xff])]]],
    ["another file", ["a", "b"], [["/y", new Uint8Array([0x80, 0xff])]]],
    ["other bytes, which are no text either", ["a", "b"], [["/x", new Uint8Array([0x81, 0xff])]]],
    ["no file", ["a", "b"], []],
])
    check(`kept answers: ${name}`, answers.get(answers.keyOf(args, files)) === null);
answers.add("broken", { status: -1, output: bytesOf("") });
check("what was broken off is not kept", answers.get("broken") === null);
check("nor is a long trace", answers.keyOf(["a"], [["/trace", new Uint8Array(2 << 20)]]) === null);
const large = { status: 0, output: new Uint8Array(10 << 20) };
for (const key of ["1", "2", "3"]) answers.add(key, large);
answers.get(question);
answers.add("4", large);
check("the longest unasked ones make room", answers.get("1") === null && answers.get("4") === large);
check("the bound holds", answers.bytes <= 32 << 20 && answers.all.size === 4, answers.bytes);
check("one that was asked for meanwhile is kept", answers.get(question) === answered);

// --- what a reader may ask next ---

const controls = [
    { kind: "menu", name: "m", values: ["a", "b", "c"] },
    { kind: "slider", name: "s", from: 0, to: 10, step: 5 },
    { kind: "factor", name: "f" },
    { kind: "lines", name: "lines" },
];
const next = nearby(controls, { m: "b", s: 10, f: 16, lines: null }).map(({ m, s, f }) => [m, s, f].join(" "));
check("one step from here, each control in turn", next.join() === "a 10 16,b 5 16,b 10 8,c 10 16", next.join());

// Work that is kept again without a change has the time at which it was given.
const again = new Work({ getItem: () => null, setItem: () => {} }),
    first = "2026-01-01T00:00:00.000Z",
    timeOf = () => again.get("lab", "answers", 1).when;
again.set("lab", "answers", 1, { given: "3", value: 3 });
again.get("lab", "answers", 1).when = first;
again.set("lab", "answers", 1, { given: "3", value: 3, when: "now" });
check("the same answer keeps its time", timeOf() === first, timeOf());
again.set("lab", "answers", 1, { given: "4", value: 4 });
check("another one has its own", timeOf() > first, timeOf());

finish();
