// Sentences, notes, titles and heads of columns that simrun has written, in the language of the page. Their German
// (texts/said) is packed, and is unpacked only if it is needed.
// SPDX-License-Identifier: BSD-3-Clause
import { language, mark } from "./texts/index.js";
import { names } from "./texts/names.js";
import { Translator } from "./texts/said/translate.js";

let translator = null;

// Before anything is said: unpacks the rows, once.
export async function loadSaid() {
    if (language === "en" || translator) return;
    const rows = [...names];
    for (const id of ["german-refusals", "german"].filter(window.simrunHas)) {
        const [patterns, german] = JSON.parse(new TextDecoder().decode(await window.simrunUnpack(id)));
        rows.push(...patterns.map((pattern, i) => [pattern, german[i]]));
    }
    translator = new Translator(rows);
}

export const say = text => (translator && typeof text === "string" ? mark(translator.translate(text)) : text);
export const sayWord = word => (translator && typeof word === "string" ? mark(translator.word(word)) : word);
