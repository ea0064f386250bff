// The meaning of a reader's answer: numbers with units, fractions, percent and powers; words with other spellings.
// SPDX-License-Identifier: BSD-3-Clause
import { t } from "../src/texts/index.js";

const time = { ps: 1e-12, ns: 1e-9, us: 1e-6, µs: 1e-6, μs: 1e-6, ms: 1e-3, s: 1, sec: 1, second: 1, min: 60 };
const size = { b: 1, byte: 1 };
// K is 1024 with or without its i: sizes in the labs are powers of two.
for (const [i, letter] of ["k", "m", "g"].entries())
    for (const end of ["", "b", "ib", "i", "byte"]) size[letter + end] = 1024 ** (i + 1);
const share = { "%": 0.01, percent: 0.01 },
    factor = { x: 1, times: 1, time: 1, fold: 1, ...share },
    processors = { processor: 1, rank: 1, node: 1, host: 1, cpu: 1, process: 1 };

const kinds = [
    [["s", "ms", "us", "ns"], time],
    [["bytes", "b", "kib", "mib"], size],
    [["%"], factor], // a ratio may be "2.5 times"
    [["processors", "ranks", "nodes"], processors],
];
const unitsOf = unit => kinds.find(([names]) => names.includes(unit.toLowerCase()))?.[1];

// One number: "1.5", "1,5", "1,024", "2^6", "2e3", "24*10^-3". All that it can mean.
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const plain = text =>
    text
        .replaceAll(
            /⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
            power => "^" + [...power].map(c => (c === "⁻" ? "-" : superscripts.indexOf(c))).join(""),
        )
        .replaceAll("**", "^")
        .replaceAll(/(\d)[x·×*]10\^/g, "$1e");
const decimals = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/;
function simple(text) {
    const isGrouped = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text),
        asDecimal = text.replace(",", ".");
    const readings = [asDecimal, ...(isGrouped ? [text.replaceAll(",", "")] : [])];
    return readings.filter(one => decimals.test(one)).map(Number);
}
function numbersIn(text) {
    const [above, below, ...rest] = text.split("/");
    if (rest.length > 0) return [];
    if (below !== undefined)
        return numbersIn(above).flatMap(a =>
            numbersIn(below)
                .filter(b => b !== 0)
                .map(b => a / b),
        );
    const [base, power, ...more] = text.split("^");
    if (more.length > 0) return [];
    if (power !== undefined) return simple(base).flatMap(a => simple(power).map(b => a ** b));
    return simple(text);
}

const split = /^([-+]?[\d.,][-+\d.,/^]*(?:e[-+]?\d+)?(?:\/[\d.,^]+)?)(.*)$/;

// No answer is larger; nothing overflows when it is multiplied by its unit.
const most = 1e200;

// All that a text can mean as an answer in this unit, which is so many (`factor`) of the measure's own: { values }, in
// the measure's own unit, or { fault }, a sentence.
export function readNumber(text, { unit = "", factor: own = 1 } = {}) {
    const compact = plain(text.toLowerCase().replaceAll(/\s/g, "")).replace(/^(?:x|×|about|~|≈)/, "");
    const [, digits, word] = split.exec(compact) ?? [];
    if (digits === undefined) return { fault: t("The answer is a number.") };
    const numbers = numbersIn(digits).filter(number => Math.abs(number) < most);
    if (numbers.length === 0) return { fault: t`'${digits}' is not a number.` };
    const units = unitsOf(unit) ?? (unit === "" ? factor : { [unit.toLowerCase()]: 1 });
    if (word === "") return { values: withoutUnit(numbers, digits, unit, own) };
    const ofWord = units[word] ?? units[word.replace(/(?<=ss)es$|s$/, "")];
    if (ofWord === undefined) {
        const wanted = unit === "" ? t("the number alone") : t`${unit}, or the number alone`;
        return { fault: t`'${word}' is not a unit of this answer; write ${wanted}.` };
    }
    return { values: numbers.map(number => number * ofWord) };
}

// A share can be a ratio, too (one of overheads may be more than 1), and what is a fraction is no percentage.
function withoutUnit(numbers, digits, unit, own) {
    const scaled = numbers.map(number => number * own);
    if (unit !== "%") return scaled;
    return digits.includes("/") ? numbers : [...scaled, ...numbers];
}

// The reading that is nearest to the value.
export const nearest = (values, value) =>
    values.reduce((best, one) => (Math.abs(one - value) < Math.abs(best - value) ? one : best));

// Words are the same with blanks, capitals, signs and articles or without, and in British or American spelling;
// "4 × 6" is 4x6.
export const wordOf = text =>
    String(text)
        .toLowerCase()
        .trim()
        .replace(/^(?:the|an?|it is|it's)\s+/, "")
        .replaceAll(/\s*(?:×|\*|\bby\b)\s*/g, "x")
        .replaceAll(/[\s_+\-.'"]/g, "")
        .replaceAll("our", "or") // neighbour, neighbor
        .replaceAll("centre", "center");

// A value in the unit that is asked for, as one reads it.
export function shown(value, { unit = "", factor: own = 1 } = {}) {
    if (typeof value !== "number") return String(value);
    const number = value / own,
        text = Number.isInteger(number) ? String(number) : String(Number(number.toPrecision(4)));
    return unit === "" ? text : `${text} ${unit}`;
}
