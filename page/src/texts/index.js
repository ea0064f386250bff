// The language of the interface, and its texts in it. Code has a text in English, as the argument of t(); the
// tables beside this file have the German of each. A text without a row, or a row without a text, stops the build
// (page/texts.mjs). Numbers and units are the same in all languages: as the JSON document and the figures have them.
// SPDX-License-Identifier: BSD-3-Clause
import { lab } from "./lab.js";
import { names } from "./names.js";
import { panels } from "./panels.js";
import { shared } from "./shared.js";
import { timeline } from "./timeline.js";
import { traces } from "./traces.js";

export const languages = { en: "English", de: "Deutsch" };
export const rows = [...shared, ...lab, ...panels, ...timeline, ...traces];

const place = "simrun-language";
const isKnown = name => Object.hasOwn(languages, name ?? "");

// The reader's earlier choice; null where the browser keeps nothing.
function keptLanguage() {
    try {
        return localStorage.getItem(place);
    } catch {
        return null;
    }
}

// As the address says (lang=de), else as chosen before, else as the browser prefers. A frame has that of the page
// around it.
function findLanguage() {
    if (typeof window === "undefined" || typeof document === "undefined") return "en"; // no page
    if (window.simrunIsView) return document.documentElement.lang;
    const wanted = [
        new URLSearchParams(location.search).get("lang"),
        keptLanguage(),
        ...(navigator.languages ?? []).map(name => name.slice(0, 2)),
    ];
    return wanted.find(isKnown) ?? "en";
}

export const language = findLanguage();
const german = new Map(language === "de" ? [...rows, ...names] : []);

// A test marks every text from here, at both ends, to find those that do not come from here. Values are not marked.
const [begin, end] = typeof window !== "undefined" && window.simrunMarkTexts ? ["\u2060", "\u2061"] : ["", ""];
export const mark = text => (text === "" ? "" : begin + text + end);

// Numbers in braces are places of values: "{1} of {0}"; without numbers they are in order.
const fill = (text, values) => {
    let next = 0;
    return text.replaceAll(/\{(\d*)\}/g, (_, place) => end + values[place === "" ? next++ : Number(place)] + begin);
};

// The argument is a string, or a template: t`Save ${file}`.
export function t(strings, ...values) {
    if (typeof strings === "string") return mark(german.get(strings) ?? strings);
    const english = strings.join("{}");
    return mark(fill(german.get(english) ?? english, values));
}

// A name that the answer has, such as that of a state; as it is where the table does not have it.
// "word (Name)" is that word, with the name that it has elsewhere.
export function nameIn(name) {
    const [, word = "", other = ""] = /^(.+)( \(.+\))$/.exec(name) ?? [];
    if (german.has(word)) return t(word) + other;
    return german.has(name) || language === "en" ? t(String(name)) : String(name);
}

// Reads the page anew, in another language, at the same place.
function choose(name) {
    try {
        localStorage.setItem(place, name);
    } catch {
        // the address says it
    }
    const address = new URL(location.href);
    address.searchParams.set("lang", name);
    history.replaceState(null, "", address);
    location.reload();
}

// A menu of the languages, each by its own name.
export function makeLanguageMenu() {
    const list = document.createElement("select");
    list.lang = language;
    list.setAttribute("aria-label", t("Language"));
    for (const [name, shown] of Object.entries(languages)) list.add(new Option(shown, name, false, name === language));
    list.addEventListener("change", () => choose(list.value));
    return list;
}
