// Terms that explain themselves: from the glossary of the documents, which is bundled into the page.
// SPDX-License-Identifier: BSD-3-Clause
import entries from "glossary";
import { element } from "./dom.js";
import { language, nameIn } from "./texts/index.js";

// "program (Comp)" is explained as each of the two words, and as it stands.
const wordsOf = cell => [...cell.split(", "), ...cell.split(/, | \(|\)/).filter(word => word !== "")];

// Where a word is explained twice, the first is the general one.
const known = new Map(
    entries
        .flatMap(([words, english, german]) =>
            wordsOf(words.toLowerCase()).map(word => [word, language === "de" ? german : english]),
        )
        .reverse(),
);

export const explain = word => known.get(String(word).toLowerCase());

// A word with what it means, shown while one points at it or has the focus on it.
export function term(word, shown = nameIn(word)) {
    const text = explain(word);
    if (!text) return element("span", {}, shown);
    return element(
        "span",
        { class: "term", tabindex: 0 },
        shown,
        element("span", { class: "meaning", role: "tooltip" }, text),
    );
}

export function termsOf(words) {
    const found = words.filter(explain);
    return found.length === 0
        ? null
        : element(
              "p",
              { class: "terms" },
              found.flatMap((word, i) => [i ? " \u00b7 " : "", term(word)]),
          );
}
