// Checks the texts of the interface against their tables (src/texts): each text in a script has a row, each row has
// both languages and the same values in them, and is used.
//     node texts.mjs
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const scriptsBelow = home =>
    readdirSync(join(folder, home), { withFileTypes: true }).flatMap(({ name, isDirectory }) =>
        name.endsWith(".js") ? [`${home}/${name}`] : name.includes(".") ? [] : scriptsBelow(`${home}/${name}`),
    );

// The text of a template that begins at `at`, with {} for its values; values may have templates in them.
function templateAt(source, at) {
    let text = "";
    for (let i = at; source[i] !== "`"; i++) {
        if (i >= source.length) throw new Error("a template has no end");
        if (source[i] === "\\") text += source[++i];
        else if (source.startsWith("${", i)) {
            i = endOfValue(source, i + 2);
            text += "{}";
        } else text += source[i];
    }
    return text;
}

function endOfValue(source, at) {
    for (let i = at, depth = 0; i < source.length; i++) {
        if (source[i] === "`") i = endOfTemplate(source, i + 1);
        else if (source[i] === "{") depth++;
        else if (source[i] === "}" && depth-- === 0) return i;
    }
    throw new Error("a value in a template has no end");
}

function endOfTemplate(source, at) {
    let i = at;
    while (source[i] !== "`") i = source.startsWith("${", i) ? endOfValue(source, i + 2) + 1 : i + 1;
    return i;
}

// [{ text, line }] of t("text"), t("text " + "goes on") and t`text`.
export function textsIn(source) {
    const found = [];
    for (const { 0: all, 1: strings, index } of source.matchAll(
        /(?<![\w.$])t(?:`|\(\s*("(?:[^"\\]|\\.)*"(?:\s*\+\s*"(?:[^"\\]|\\.)*")*))/g,
    )) {
        const line = source.slice(0, index).split("\n").length;
        const text = strings
            ? strings.match(/"(?:[^"\\]|\\.)*"/g).map(JSON.parse).join("") // prettier-ignore
            : templateAt(source, index + all.length);
        found.push({ text, line });
    }
    return found;
}

const placesIn = (text, isNumbered = /\{\d+\}/.test(text)) => {
    const places = text.match(/\{\d*\}/g) ?? [];
    return isNumbered ? [...places].sort().join() : places.map((_, i) => `{${i}}`).join();
};

// The faults, each with its place; empty if there are none.
export async function faultsOfTexts() {
    const { rows } = await import("./src/texts/index.js"),
        known = new Map(rows),
        used = new Set(),
        faults = [];
    for (const file of [...scriptsBelow("src"), ...scriptsBelow("lab")]) {
        if (/^src\/texts\/(?!index)/.test(file)) continue;
        for (const { text, line } of textsIn(readFileSync(join(folder, file), "utf8"))) {
            used.add(text);
            if (!known.has(text)) faults.push(`page/${file}:${line}: no row in page/src/texts for "${text}"`);
        }
    }
    for (const [english, german] of rows) {
        if (!german) faults.push(`page/src/texts: "${english}" has no German`);
        else if (placesIn(english) !== placesIn(german))
            faults.push(`page/src/texts: "${english}": other values in German`);
        if (!used.has(english)) faults.push(`page/src/texts: "${english}" is not used`);
    }
    if (known.size !== rows.length) faults.push("page/src/texts: a text has several rows");
    return faults;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const faults = await faultsOfTexts();
    for (const fault of faults) console.error(fault);
    process.exitCode = faults.length > 0 ? 1 : 0;
}
