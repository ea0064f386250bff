// Labs in other languages have the same blocks, but for what they ask and their titles; the choices that they name are
// those of the interface; and their solutions have the same numbers, which solutions.sh computes.
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, readdirSync } from "node:fs";
import { names } from "../../page/src/texts/names.js";
import { rows } from "../../page/src/texts/index.js";
import { check, finish } from "../page/checks.mjs";

const labs = new URL("../../labs/", import.meta.url);
const blocksOf = name =>
    [...readFileSync(new URL(name, labs), "utf8").matchAll(/^```(experiment|question|predict)\n[\s\S]*?^```$/gm)].map(
        ([block]) => block.replaceAll(/^(ask|title) .*$/gm, "$1"),
    );
const commandsOf = name => readFileSync(new URL(name, labs), "utf8").match(/^ {4}simrun .*$/gm) ?? [];
// The choices that a reader is told to make: words in italics behind "Choose", up to the end of the sentence.
const german = new Map([...names, ...rows]),
    germans = new Set(german.values());
const choicesOf = (name, word) =>
    [...readFileSync(new URL(name, labs), "utf8").matchAll(new RegExp(`\\b${word} ([^.:?]*)`, "g"))].flatMap(
        ([, text]) => [...text.matchAll(/\*([^*]+)\*/g)].map(([, choice]) => choice),
    );
for (const language of ["de"])
    for (const file of readdirSync(new URL(`${language}/`, labs))) {
        const [english, other] = [blocksOf(file), blocksOf(`${language}/${file}`)];
        check(`${language}/${file}: as many blocks`, english.length > 0 && other.length === english.length);
        english.forEach((block, i) => check(`${language}/${file}: block ${i + 1}`, block === other[i], other[i]));
        const chosen = choicesOf(file, "Choose").flatMap(one => german.get(one) ?? []),
            choices = choicesOf(`${language}/${file}`, "Wählen Sie").filter(one => germans.has(one));
        check(`${language}/${file}: the same choices`, String(chosen) === String(choices), `${chosen} / ${choices}`);
        const commands = [commandsOf(file), commandsOf(`${language}/${file}`)].map(String);
        check(`${language}/${file}: the same commands`, commands[0] === commands[1], commands[1]);
    }

// Returns the remarks of a sheet, and the numbers of each paragraph or lines of code, in any order.
const partsOf = file =>
    readFileSync(new URL(`solutions/${file}`, labs), "utf8")
        .split(/\n\n+/)
        .map(part => (part.startsWith("<!-- ") ? part : String(part.match(/\d+(?:\.\d+)*/g)?.sort() ?? "")));
for (const file of readdirSync(new URL("solutions/de/", labs))) {
    const [english, other] = [partsOf(file), partsOf(`de/${file}`)];
    check(`solutions/de/${file}: as many parts`, english.length === other.length, `${english.length}, ${other.length}`);
    english.forEach((part, i) => check(`solutions/de/${file}: part ${i + 1}`, part === other[i], other[i]));
}
const namesIn = folder => readdirSync(new URL(folder, labs)).filter(name => /^\d/.test(name));
for (const folder of ["de/", "solutions/", "solutions/de/"])
    check(`each lab in ${folder}`, String(namesIn(folder)) === String(namesIn("./")), String(namesIn(folder)));
finish();
