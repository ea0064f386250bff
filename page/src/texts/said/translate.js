// Translates what simrun has written, by rows [pattern, German]. In a pattern, {} is a value, which is translated by
// the same rows, and {=} one that stays as it is. In the German, values are {}, in the same order, or have numbers, as
// in "{1} von {0}".
//     A pattern that has a joint in it, such as a comma, comes first; then a text is taken apart at its joints; then
// come the patterns of one clause, the longest first. The first row that matches, and whose values have German, counts.
// So the German of a pattern with a joint that begins or ends with a value does so, too: other clauses may be in it.
// SPDX-License-Identifier: BSD-3-Clause

// Bounds for any text, which may be hostile: a longer text, or one that takes more comparisons, is not translated.
const most = { letters: 4000, comparisons: 30000, depth: 60, kept: 20000 };

// The loosest first.
const joints = [
    ["{}.", "{}."],
    ["{}. {}", "{}. {}"],
    ["{}; {}", "{}; {}"],
    ["{}: {}", "{}: {}"],
    ["{}, {}", "{}, {}"],
    ["{} ({})", "{} ({})"],
    ["{} but {}", "{}, aber {}"],
    ["{} and {}", "{} und {}"],
];
const joined = /[.;:,] | \(| (?:and|but) |\.$/;

// A value without a row is taken for a name, unless it has one of these words.
const words =
    "a all and are as at be because been between but by can does each faster for from grows has have if into " +
    "is it its just less longer makes more most moves needs no not of on one only or other others shorter so " +
    "takes than that the them then there they to where which with without";
export const english = new RegExp(`(?:^|[\\s(])(?:${words.replaceAll(" ", "|")})(?=[\\s,.;:)?]|$)`, "i");
const number = /^[-+]?[\d.]+(?:e[-+]?\d+)?(?: ?(?:%|[kKMGT]?i?B|[mun]?s))?$/;

const readRow = ([pattern, german]) => ({
    parts: pattern.split(/\{=?\}/),
    stays: (pattern.match(/\{=?\}/g) ?? []).map(place => place === "{=}"),
    german,
});
const lengthOf = ({ parts }) => parts.join("").length;

// The values between the parts of a pattern, each as short as it can be, but not empty; null where it does not match.
function valuesOf(text, parts) {
    const last = parts.length - 1,
        end = text.length - parts[last].length,
        values = [];
    if (!text.startsWith(parts[0]) || !text.endsWith(parts[last])) return null;
    let at = parts[0].length;
    for (let i = 1; i < last; i++) {
        const next = text.indexOf(parts[i], at + 1);
        if (next < 0) return null;
        values.push(text.slice(at, next));
        at = next + parts[i].length;
    }
    if (at >= end) return null;
    values.push(text.slice(at, end));
    return values;
}

function fill(german, values) {
    let next = 0;
    return german.replaceAll(/\{(\d*)\}/g, (_, place) => values[place === "" ? next++ : Number(place)]);
}

// Rows by the first two letters of their patterns; those that begin with a value are under "".
class Index {
    constructor(rows) {
        this.rows = new Map();
        for (const row of rows) {
            const key = row.parts[0].slice(0, 2);
            this.rows.set(key, [...(this.rows.get(key) ?? []), row]);
        }
    }

    *of(text) {
        yield* this.rows.get(text.slice(0, 2)) ?? [];
        yield* this.rows.get(text.slice(0, 1)) ?? [];
        yield* this.rows.get("") ?? [];
    }
}

export class Translator {
    constructor(rows) {
        const all = rows.map(readRow),
            patterns = all.filter(({ parts }) => parts.length > 1),
            isJoined = ({ parts }) => parts.some(part => joined.test(part));
        this.whole = new Map(all.filter(({ parts }) => parts.length === 1).map(row => [row.parts[0], row.german]));
        this.joined = new Index(patterns.filter(isJoined));
        this.joints = joints.map(readRow);
        this.clauses = new Index(
            patterns.filter(row => !isJoined(row)).sort((a, b) => lengthOf(b) - lengthOf(a)), // prettier-ignore
        );
        this.kept = new Map();
    }

    *candidates(text) {
        yield* this.joined.of(text);
        yield* this.joints;
        yield* this.clauses.of(text);
    }

    // The German of a text that this row matches; null where it does not, or a value has none.
    byRow({ parts, stays, german }, text, ofValue) {
        const values = valuesOf(text, parts)?.map((value, i) => (stays[i] ? value : ofValue(value)));
        return values && !values.includes(null) ? fill(german, values) : null;
    }

    byRows(text, depth) {
        if (depth >= most.depth) return null;
        for (const row of this.candidates(text)) {
            if (this.left-- <= 0) return null;
            const found = this.byRow(row, text, value => this.find(value, depth + 1));
            if (found !== null) return found;
        }
        return null;
    }

    find(text, depth) {
        if (this.whole.has(text)) return this.whole.get(text);
        if (number.test(text)) return text;
        if (this.kept.has(text)) return this.kept.get(text);
        const found = this.byRows(text, depth) ?? (english.test(text) ? null : text);
        if (this.left > 0 && depth < most.depth) this.kept.set(text, found);
        return found;
    }

    begin() {
        if (this.kept.size > most.kept) this.kept.clear();
        this.left = most.comparisons; // until it gives up
    }

    // The German of all of it; null where there is none.
    inFull(text) {
        if (text.length > most.letters) return null;
        this.begin();
        return this.find(text, 0);
    }

    // By a row that begins as it does; values that have no German stay as they are.
    inPart(text) {
        if (text.length > most.letters) return null;
        this.begin();
        for (const row of [...this.joined.of(text), ...this.clauses.of(text)]) {
            const found = row.parts[0] === "" ? null : this.byRow(row, text, value => this.find(value, 0) ?? value);
            if (found !== null) return found;
        }
        return null;
    }

    translate = text => this.inFull(text) ?? this.inPart(text) ?? text;

    // Translates a word that stands alone, such as the head of a column. One without a row is a name.
    word = text => this.whole.get(text) ?? text;
}
