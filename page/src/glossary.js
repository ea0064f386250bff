// Terms that explain themselves: from the glossary of the documents, which is bundled into the page.
// SPDX-License-Identifier: BSD-3-Clause
import entries from "glossary";
import { element } from "./dom.js";
import { nameIn } from "./texts/index.js";

const known = new Map(entries.flatMap(entry => entry.words.map(word => [word.toLowerCase(), entry])));

export const explain = word => known.get(String(word).toLowerCase());

// A word with what it means, shown while one points at it or has the focus on it.
export function term(word, shown = nameIn(word)) {
    const entry = explain(word);
    if (!entry) return element("span", {}, shown);
    return element(
        "span",
        { class: "term", tabindex: 0 },
        shown,
        element("span", { class: "meaning", role: "tooltip" }, entry.text),
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
