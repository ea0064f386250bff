// Colors and the two themes. A color means the same in every panel: what time is spent on has a fixed one, other
// series take those of `series` in order. They are of Okabe and Ito's set, which color-blind people tell apart.
// SPDX-License-Identifier: BSD-3-Clause
import { onPrint } from "./print.js";
import { nameIn } from "./texts/index.js";

const light = {
    ground: "#ffffff",
    panel: "#fafbfc",
    ink: "#1c2430",
    soft: "#5c6675",
    line: "#d5dae1",
    grid: "#e6e9ee",
    accent: "#0b5cad",
    idle: "#c3c8cf",
    off_processor: "#7f8a98",
    Wait: "#c3c8cf",
    CPIdle: "#dfe3e9",
    CPLWait: "#cdc6e8",
    CPLComp: "#7b6bb5",
    CPRWait: "#a9dad1",
    PPLWait: "#4a5260",
    "operation.none": "#dfe3e9",
    onPhase: "#1c2430",
    map: ["#f4f8fc", "#9ecae1", "#3182bd", "#08306b"],
};
const dark = {
    ground: "#12161c",
    panel: "#191f27",
    ink: "#e4e8ee",
    soft: "#9aa5b4",
    line: "#323b47",
    grid: "#262e38",
    accent: "#6cb2f5",
    idle: "#4b5562",
    off_processor: "#8d98a6",
    Wait: "#4b5562",
    CPIdle: "#343d49",
    CPLWait: "#514a7c",
    CPLComp: "#a99be0",
    CPRWait: "#285f56",
    PPLWait: "#c9d1da",
    "operation.none": "#343d49",
    onPhase: "#e4e8ee",
    map: ["#1b2430", "#1f4e79", "#3f8fd0", "#c6e2ff"],
};

const fixed = {
    useful: "#009e73",
    control: "#cc79a7",
    send: "#e69f00",
    receive: "#56b4e9",
    processing: "#0072b2",
    memory: "#d55e00",
    communication: "#6a4cf0",
    io: "#7d5f92",
    library: "#8c510a",
    anomaly: "#9a8c00",
    Comp: "#009e73",
    Extra: "#cc79a7",
    Prste: "#bc1080",
    CPComp: "#44aa99",
    CPWait: "#ddcc77",
    // what a wait consists of: controllers that are asked, messages, processors that are waited for
    CPRComp: "#44aa99",
    CPCComm: "#6a4cf0",
    PPRWait: "#ddcc77",
    PPRComp: "#8e24aa",
    // operations of the protocol
    "operation.page": "#22e0a5",
    "operation.diff": "#aa9955",
    "operation.twin": "#880077",
    "operation.lock": "#993333",
    "operation.barrier": "#bb77ff",
    "operation.prefetch": "#77dd44",
    "operation.collect": "#99ddff",
    "operation.resume": "#666666",
};

let chosen = null; // what the reader chose; null: what the system says
const listeners = [];

// The system is asked once, and again when it changes: each question makes the browser lay out the page.
let preference = null,
    isPreferred = false;
function isSystemDark() {
    if (preference === null) {
        preference = matchMedia("(prefers-color-scheme: dark)");
        isPreferred = preference.matches;
        preference.addEventListener("change", () => {
            isPreferred = preference.matches;
            if (isStarted) apply();
        });
    }
    return isPreferred;
}

const themes = { light: { ...fixed, ...light }, dark: { ...fixed, ...dark } };
export const isDark = () => (chosen === null ? isSystemDark() : chosen === "dark");
export const theme = () => themes[isDark() ? "dark" : "light"];
export const series = () =>
    isDark()
        ? ["#6cb2f5", "#f0a35e", "#3fc79a", "#e39bc6", "#f2e05c", "#9ad5f7", "#ff8a5c", "#b9a3e3"]
        : ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a6a00", "#2b8cc4", "#a03c00", "#6b4fa0"];

// The color of a state or component: of "communication.broadcast" that of communication; of others by their place.
export function colourOf(name, index = 0) {
    const colours = theme(),
        root = String(name).split(".")[0];
    return colours[name] ?? colours[root] ?? series()[index % series().length];
}

// The states of a rank, in the order in which they are shown: "io" and "library" are in traces only.
export const stateNames = ["useful", "control", "io", "send", "receive", "library", "idle"];

// The name of a state, component or cause, in the glossary and for readers.
const labels = { io: "I/O", off_processor: "off the processor" };
export const termOf = name => labels[name] ?? String(name).replaceAll("_", " ");
export const labelOf = name => nameIn(termOf(name));

// A shade of a color: 0 is the color, 1 would be the ground.
export function shadeOf(colour, part) {
    const mix = at =>
        Math.round(
            parseInt(colour.slice(at, at + 2), 16) * (1 - part * 0.75) +
                parseInt(theme().panel.slice(at, at + 2), 16) * part * 0.75,
        );
    return `rgb(${mix(1)},${mix(3)},${mix(5)})`;
}

// Phases have quiet colors, so that they are not taken for states; text on them is `onPhase`.
const phases = {
    light: ["#e9edf2", "#a9bdd6", "#d8c9a6", "#b7d0bd", "#cdb9d4", "#93a7b8", "#e3b9a5", "#bdbd93"],
    dark: ["#262e38", "#3d5878", "#6b5c36", "#3f6350", "#5f4a6e", "#56697a", "#7a4f3c", "#5e5e38"],
};
export const phaseColour = index =>
    phases[isDark() ? "dark" : "light"][index === 0 ? 0 : 1 + ((index - 1) % (phases.light.length - 1))];

// Before another answer is drawn.
export const forgetTheme = () => (listeners.length = 0);

export function onTheme(listener) {
    listeners.push(listener);
}

function apply() {
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
    for (const listener of listeners) listener();
}

export function chooseTheme(name) {
    chosen = name;
    apply();
}

let isStarted = false,
    before = null; // what was chosen when printing began
export function startTheme() {
    if (isStarted) return apply();
    isStarted = true;
    onPrint(isPrinting => {
        before = isPrinting ? chosen : before;
        chooseTheme(isPrinting ? "light" : before); // paper is white; all is drawn anew in its width
    });
    apply();
}
