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

// Puts the meaning below its word, or above it where there is more room, and inside of the window, or of the frame that
// the laboratory has around it.
function place(word) {
    const meaning = word.lastElementChild,
        [line] = word.getClientRects(),
        { clientWidth: right, clientHeight: bottom } = document.documentElement;
    meaning.style.display = "block"; // to be measured
    const { width, height } = meaning.getBoundingClientRect();
    meaning.style.display = "";
    const isBelow = line.bottom + height <= bottom || bottom - line.bottom >= line.top,
        top = isBelow ? Math.min(line.bottom, bottom - height) : line.top - height;
    meaning.style.left = `${Math.max(0, Math.min(line.left, right - width))}px`;
    meaning.style.top = `${Math.max(0, top)}px`;
}

// A meaning that is shown follows its word. Events of scrolling do not bubble, so they are captured.
if (typeof document !== "undefined")
    document.addEventListener("scroll", () => document.querySelectorAll(".term:is(:hover, :focus)").forEach(place), {
        capture: true,
        passive: true,
    });

// A word with what it means, shown while one points at it or has the focus on it.
export function term(word, shown = nameIn(word)) {
    const text = explain(word),
        placed = ({ currentTarget }) => place(currentTarget);
    if (!text) return element("span", {}, shown);
    return element(
        "span",
        { class: "term", tabindex: 0, onpointerenter: placed, onfocus: placed },
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
