// Colors of the page without a browser: text has contrast, and what lies side by side is told apart by everybody.
//     node colours.mjs
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync } from "node:fs";
import { check, finish } from "./checks.mjs";
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.document = { documentElement: { dataset: {} } };
const { chooseTheme, colourOf, series, theme } = await import("../../page/src/theme.js");

const bytes = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16) / 255);
const linear = colour => bytes(colour).map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
const times = (rows, v) => rows.map(row => row.reduce((sum, x, i) => sum + x * v[i], 0));

// WCAG 2: the ratio of luminances.
const luminance = colour => times([[0.2126, 0.7152, 0.0722]], linear(colour))[0];
const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
};

// Colors as seen without one kind of cones (Machado, Oliveira and Fernandes 2009, table 1, severity 1), on linear RGB.
// prettier-ignore
const sights = {
    all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
// prettier-ignore
const toXyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];

// CIE 1976: how far two colors are apart; 2.3 is just seen.
function lab(colour, sight) {
    const seen = times(sights[sight], linear(colour)).map(v => Math.min(Math.max(v, 0), 1));
    const [x, y, z] = times(toXyz, seen).map((v, i) => Math.cbrt(v / [0.9505, 1, 1.089][i]));
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const apart = (a, b, sight) => Math.hypot(...lab(a, sight).map((v, i) => v - lab(b, sight)[i]));

const groups = {
    states: ["useful", "control", "io", "send", "receive", "library", "idle"],
    components: ["processing", "memory", "communication", "library", "io"],
    categories: ["Comp", "Extra", "Prste", "Wait"],
    "categories of controllers": ["CPComp", "CPWait", "CPIdle"],
    operations: ["none", "page", "diff", "twin", "lock", "barrier", "prefetch", "collect"].map(
        one => `operation.${one}`,
    ),
    "parts of a wait": ["CPLWait", "CPLComp", "CPCComm", "CPRWait", "CPRComp", "PPRWait", "PPRComp", "PPLWait"],
};
// Colors that a timeline draws together: the path lies over the rows.
for (const rows of ["states", "categories", "categories of controllers", "operations"])
    groups[`the critical path over ${rows}`] = [...new Set([...groups.components, ...groups[rows]])];
// Names of the same thing; all others of the page have colors of their own.
const same = [
    ["useful", "Comp"],
    ["control", "Extra"],
    ["idle", "Wait"],
    ["communication", "CPCComm"],
    ["CPComp", "CPRComp"],
    ["CPWait", "PPRWait"],
    ["CPIdle", "operation.none"],
];
const least = 10;

function checkApart(what, colours) {
    for (const sight of Object.keys(sights))
        colours.forEach(([a, one], i) =>
            colours.slice(0, i).forEach(([b, other]) => {
                const far = apart(one, other, sight);
                check(`${what}: ${a} and ${b} are ${far.toFixed(1)} apart (${sight}), ${least} demanded`, far >= least);
            }),
        );
}

// Figures have the colors of the page in its light theme.
const labels = { "I/O": "io", measured: "ink" };
const figures = readFileSync(new URL("../../src/figure/colours.def", import.meta.url), "utf8");
const rows = [...figures.matchAll(/^COLOUR\("([^"]*)", "([^"]*)"\)$/gm)];
chooseTheme("light");
for (const [, name, colour] of rows) {
    const drawn = theme()[labels[name] ?? name];
    check(`a figure's ${name} is ${colour}, but ${drawn} on the page`, drawn === colour);
}
check(`figures have ${rows.length} colors`, rows.length >= 15);

for (const name of ["light", "dark"]) {
    chooseTheme(name);
    const { ink, soft, ground, panel, accent } = theme();
    for (const [word, colour] of Object.entries({ ink, soft, accent }))
        for (const back of [ground, panel]) {
            const ratio = contrast(colour, back);
            check(`${name}: ${word} on ${back} has a contrast of ${ratio.toFixed(2)}, 4.5 demanded`, ratio >= 4.5);
        }
    for (const [what, names] of Object.entries(groups))
        checkApart(
            `${name}, ${what}`,
            names.map(one => [one, colourOf(one)]),
        );
    const meanings = [...new Set(Object.values(groups).flat())];
    meanings.forEach((a, i) =>
        meanings
            .slice(0, i)
            .filter(b => colourOf(a) === colourOf(b) && !same.some(pair => pair.includes(a) && pair.includes(b)))
            .forEach(b => check(`${name}: ${a} and ${b} have the same color`, false)),
    );
    checkApart(
        `${name}, the first four lines of a chart`,
        series()
            .slice(0, 4)
            .map((colour, i) => [i + 1, colour]),
    );
}
finish();
