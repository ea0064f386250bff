// Shared memory in words and colors: the categories of time, and what a wait consists of.
// SPDX-License-Identifier: BSD-3-Clause
import {
    CATEGORY_COMP,
    CATEGORY_CPCOMP,
    CATEGORY_CPIDLE,
    CATEGORY_CPWAIT,
    CATEGORY_EXTRA,
    CATEGORY_PRSTE,
    CATEGORY_WAIT,
    OPERATION_COLLECT,
    OPERATION_DIFF,
    OPERATION_NONE,
    OPERATION_PAGE,
    OPERATION_PREFETCH,
    OPERATION_RESUME,
    OPERATION_TWIN,
} from "words";
import { element } from "./dom.js";
import { explain, term } from "./glossary.js";
import { theme } from "./theme.js";
import { nameIn, t } from "./texts/index.js";

// Categories of the main processors' time and of the controllers': key in the JSON, word of the glossary.
export const categories = [
    [CATEGORY_COMP, "program"],
    [CATEGORY_EXTRA, "coherence"],
    [CATEGORY_PRSTE, "serving others"],
    [CATEGORY_WAIT, "waiting"],
    [CATEGORY_CPCOMP, "working"],
    [CATEGORY_CPWAIT, "held up"],
    [CATEGORY_CPIDLE, "idle"],
];
export const isOfController = category => category.startsWith("CP");
export const wordOf = category => categories.find(([key]) => key === category)?.[1] ?? category;
export const shownWord = category => nameIn(wordOf(category));

// With the name that Pereira98 has for it, which is the key in the JSON, if that is another.
export const withPaperName = (word, key) => (word === key ? word : `${word} (${key})`);
export const categoryName = key =>
    withPaperName(isOfController(key) ? t`controller ${shownWord(key)}` : shownWord(key), key);

// Operations of the protocol in words: the key is that of the JSON.
const operations = {
    [OPERATION_NONE]: t("no operation"),
    [OPERATION_PAGE]: t("fetch of a page"),
    [OPERATION_DIFF]: t("fetch of diffs"),
    [OPERATION_TWIN]: t("twin"),
    [OPERATION_PREFETCH]: t("prefetch"),
    [OPERATION_COLLECT]: t("collection"),
    [OPERATION_RESUME]: t("back to the program"),
};
export const operationName = key => operations[key] ?? key;

// Parts of a wait: key, word, and its intervals.
export const waitParts = [
    ["CPLWait", "controller's queue", [1, 11]],
    ["CPLComp", "controller's work", [2, 12]],
    ["CPCComm", "messages", [3, 10]],
    ["CPRWait", "its controller's queue", [4, 8]],
    ["CPRComp", "its controller's work", [5, 9]],
    ["PPRWait", "its processor's wait", [6]],
    ["PPRComp", "its processor's work", [7]],
    ["PPLWait", "own processor", [13]],
];

// The color of a category, of a state, or of a part of a wait.
export const colourOfKind = kind => theme()[kind] ?? theme().soft;

// Intervals of a wait, from 1 to 13, in the order in which they pass.
export const intervals = [
    [1, "CPLWait", t("the command lies in the queue of the own controller")],
    [2, "CPLComp", t("the own controller sends the request")],
    [3, "CPCComm", t("messages under way there")],
    [4, "CPRWait", t("the request lies in the queue of the controller that is asked")],
    [5, "CPRComp", t("the controller that is asked executes the request")],
    [
        6,
        "PPRWait",
        t("until the processor that is asked takes the interrupt, the lock is let go, or the barrier is complete"),
    ],
    [7, "PPRComp", t("the work of the processor that is asked")],
    [8, "CPRWait", t("its answer lies in the queue of its controller")],
    [9, "CPRComp", t("its controller sends the answer")],
    [10, "CPCComm", t("messages under way back")],
    [11, "CPLWait", t("the answer lies in the queue of the own controller")],
    [12, "CPLComp", t("the answer is taken in")],
    [13, "PPLWait", t("until the own processor goes on")],
];

// Parts that follow each other on a bar: [[value, color, what it is], ...], as parts of `whole`.
export function stackOf(parts, whole) {
    let from = 0;
    return parts
        .filter(([value]) => value > 0)
        .map(([value, colour, title]) => {
            const begin = from;
            from += value / whole;
            return { from: begin, to: from, colour, title };
        });
}

// How bars are drawn: as shares, or not.
export const scales = [
    { name: t("shares"), value: true },
    { name: t("seconds"), value: false },
];

// The key of bar colors, [[color, word], ...]; words that are in the glossary explain themselves.
export const keyOf = pairs =>
    element(
        "p",
        { class: "key" },
        pairs.map(([colour, word]) =>
            element(
                "span",
                {},
                element("i", { style: `background:${colour}` }),
                explain(word) ? term(word) : nameIn(word),
            ),
        ),
    );

const secondsOf = ({ time_s }) => time_s;

// Sums of rows by a key: Map of key to sum.
export function sumBy(rows, keyOfRow, valueOf = secondsOf) {
    const sums = new Map();
    for (const row of rows) sums.set(keyOfRow(row), (sums.get(keyOfRow(row)) ?? 0) + valueOf(row));
    return sums;
}
