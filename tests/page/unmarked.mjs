// Texts of a page or of the laboratory that come neither from the tables of texts nor from the answer. In a window that
// marks texts (page/src/texts/index.js), all of a text between marks is known; so are numbers, units, and what the
// answer says.
// SPDX-License-Identifier: BSD-3-Clause

// These are the same in all languages: units, names of formats, programs and methods.
const same = [
    ...["s", "ms", "us", "ns", "ps", "years", "B", "kB", "MB", "GB", "KiB", "MiB", "GiB", "TiB", "x"],
    ...["SVG", "CSV", "JSON", "CSV", "English", "Deutsch", "simrun", "T_seq", "TI"],
    ...["p", "q", "k", "M", "G", "T"], // axes of a grid of processes; powers of ten
];

// Everything that the answer says, and the names of its parameters.
export function textsOf(value, found = new Set()) {
    if (typeof value === "string")
        found.add(value).add(value.replace(/_s(\.|$)/, "$1")); // a measure and its name
    else if (value !== null && typeof value === "object")
        for (const [key, one] of Object.entries(value)) {
            if (["parameters", "category_s"].includes(key)) Object.keys(one).forEach(name => found.add(name));
            textsOf(one, found);
        }
    return found;
}

// To be called before a page is opened: marks texts, and notes those that are drawn on a canvas.
export function markTexts(context) {
    return context.addInitScript(() => {
        window.simrunMarkTexts = true;
        window.drawnTexts = new Set();
        window.seenTexts = new Set();
        for (const name of ["fillText", "strokeText"]) {
            const draw = CanvasRenderingContext2D.prototype[name];
            CanvasRenderingContext2D.prototype[name] = function (text, ...place) {
                window.drawnTexts.add(text);
                return draw.call(this, text, ...place);
            };
        }
    });
}

// All visible texts that have not been looked at yet, with the place of each. Code, and texts of lecturers and reports,
// are left out.
const collect = (root, except) => {
    const found = new Map();
    const note = (node, text) => {
        if (/\p{L}/u.test(text) && !node.closest(except)) found.set(text.trim(), node.closest("[id]")?.id ?? "");
    };
    const walker = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) note(walker.currentNode.parentElement, walker.currentNode.data);
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"])
        for (const node of document.querySelectorAll(`${root} [${name}]`)) note(node, node.getAttribute(name));
    for (const text of window.drawnTexts) found.set(text, "canvas");
    const isNew = ([text]) => !window.seenTexts.has(text) && window.seenTexts.add(text);
    return [...found].filter(isNew);
};

// Returns the part of a text that is not known; "" if all of it is.
function restOf(text, known, sentences) {
    let rest = text.replaceAll(/\u2060[^\u2061]*(?:\u2061|$)/g, " ");
    for (const one of sentences) if (rest.includes(one)) rest = rest.replaceAll(one, " ");
    return rest
        .split(/[\s,;:()[\]=/|+·×]+/)
        .filter(
            word =>
                /\p{L}/u.test(word) &&
                !known.has(word) &&
                !known.has(`${word}_s`) &&
                !known.has(word.replace(/[.-]+$/, "")),
        )
        .filter(word => !/^c?[-+\d.e]+(?:x\d+|[a-zµ]{0,2})$/.test(word))
        .join(" ");
}

// answer: the texts that it has, as answerOf() gives them. allowed: further words.
export async function unmarkedIn(
    page,
    { root = "body", except = "code, pre, script, style, noscript, td.code, .meaning", answer, allowed = [] },
) {
    const known = new Set([...same, ...allowed, ...answer]),
        sentences = [...answer].filter(text => /\s|[,;:()=/|+]/.test(text)).sort((a, b) => b.length - a.length);
    return (await page.evaluate(`(${collect})(${JSON.stringify(root)}, ${JSON.stringify(except)})`))
        .map(([text, place]) => [restOf(text, known, sentences), text.replaceAll(/[\u2060\u2061]/g, ""), place])
        .filter(([rest]) => rest !== "")
        .map(([rest, text, place]) => `#${place}: '${rest}' in '${text.slice(0, 100)}'`);
}

export const answerOf = page =>
    page
        .evaluate(() => [
            window.simrunData,
            window.simrunDrawn,
            window.simrunSaid,
            window.simrunExperiments?.map(({ spec }) => spec), // of a page that simulates
        ])
        .then(all => textsOf(all));
