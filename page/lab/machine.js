// Machines with other costs: a platform's XML with some of its numbers multiplied.
// SPDX-License-Identifier: BSD-3-Clause
import { t } from "../src/texts/index.js";

// The numbers that a factor multiplies: attributes of links and clusters, and in props of which the id matches the
// numbers of some keys. A speed divides times.
const parts = {
    latency: {
        name: t("latency"),
        about: t("the time of an empty message"),
        attributes: ["latency", "lat"],
        props: [[/^(send|receive)_overhead$/, /^start$/]],
    },
    bandwidth: {
        name: t("bandwidth"),
        about: t("bytes of a message per second"),
        attributes: ["bandwidth", "bw"],
        props: [[/^(send|receive)_overhead$/, /^byte$/, "speed"]],
    },
    cpu: { name: t("integer speed"), about: t("speed of the integer unit"), props: [[/^kernel\./, /^cpu$/, "speed"]] },
    fpu: {
        name: t("floating-point speed"),
        about: t("speed of the floating-point unit"),
        props: [[/^kernel\./, /^fpu$/, "speed"]],
    },
    memory: {
        name: t("memory speed"),
        about: t("speed of the memory"),
        props: [[/^kernel\./, /^(external|internal|fetch)$/, "speed"]],
    },
    io: {
        name: t("I/O speed"),
        about: t("speed of input and output"),
        props: [[/^(input|output)$/, /^(start|byte)$/, "speed"]],
    },
};

// A factor in the reader's words: its name, and what is multiplied.
export const nameOfFactor = name => parts[name].name;
export const aboutFactor = name => t`${parts[name].about}, times what the machine has`;

// "51.1us" is [51.1, "us"]; words are as they are.
const amountOf = text => {
    const found = /^(-?[0-9.]+(?:e-?[0-9]+)?)(.*)$/.exec(text);
    return found ? [Number(found[1]), found[2]] : null;
};
const textOf = ([number, unit]) => `${Number(number.toPrecision(12))}${unit}`;
const scaled = (text, factor) => {
    const amount = amountOf(text);
    return amount ? textOf([amount[0] * factor, amount[1]]) : text;
};

const readWords = value => value.split(/\s+/).map(word => (word.includes("=") ? word.split("=") : [null, word]));
const writeWords = words => words.map(([key, text]) => (key === null ? text : `${key}=${text}`)).join(" ");

const propsOf = (document, id) =>
    [...document.querySelectorAll("prop")].filter(prop => id.test(prop.getAttribute("id")));

function scaleProp(prop, keys, factor) {
    const words = readWords(prop.getAttribute("value"));
    prop.setAttribute(
        "value",
        writeWords(words.map(([key, text]) => [key, key !== null && keys.test(key) ? scaled(text, factor) : text])),
    );
}

const micro = { ns: 1e-3, us: 1, ms: 1e3, s: 1e6 };
const micros = text => {
    const [number, unit] = amountOf(text ?? "0us");
    return number * (micro[unit] ?? 1);
};

// The time of a message by length and hops is given in pieces. An empty one, which the first piece gives, takes
// `latency` times as long; what the length adds to that, in any piece, is divided by `bandwidth`.
function scaleMessages(document, { latency = 1, bandwidth = 1 }) {
    const pieces = propsOf(document, /^message(\.|$)/);
    if (pieces.length === 0 || (latency === 1 && bandwidth === 1)) return;
    const ofPiece = prop => new Map(readWords(prop.getAttribute("value")));
    const first = ofPiece(pieces[0]),
        empty = { start: micros(first.get("start")), hop: micros(first.get("hop")) };
    for (const prop of pieces) {
        const words = ofPiece(prop);
        for (const key of ["start", "hop"])
            if (words.has(key) || empty[key] > 0)
                words.set(
                    key,
                    textOf([latency * empty[key] + (micros(words.get(key)) - empty[key]) / bandwidth, "us"]),
                );
        for (const key of ["byte", "byte_hop"])
            if (words.has(key)) words.set(key, textOf([micros(words.get(key)) / bandwidth, "us"]));
        prop.setAttribute("value", writeWords([...words]));
    }
}

// text: the platform's XML. factors: { latency: 2, ... }; one that is not there is 1.
export function withFactors(text, factors) {
    const document = new DOMParser().parseFromString(text, "application/xml");
    scaleMessages(document, factors);
    for (const [name, factor] of Object.entries(factors)) {
        const { attributes = [], props } = parts[name];
        for (const attribute of attributes)
            for (const node of document.querySelectorAll(`link[${attribute}], cluster[${attribute}]`))
                node.setAttribute(attribute, scaled(node.getAttribute(attribute), factor));
        for (const [id, keys, kind] of props)
            for (const prop of propsOf(document, id)) scaleProp(prop, keys, kind === "speed" ? 1 / factor : factor);
    }
    return new XMLSerializer().serializeToString(document) + "\n";
}
