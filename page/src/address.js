// The view in the address: #timeline&run=6&from_s=1.5&to_s=2 opens at that panel, with that run, counted from 0, and
// that window of its time. It follows what the reader does, so that a copy of it leads where the reader is.
// SPDX-License-Identifier: BSD-3-Clause
import { onWindow, setWindow, shownWindow } from "./window.js";

// { panel, run, from_s, to_s }; null for what it does not say.
export function parseAddress(hash) {
    const [panel, ...pairs] = decodeURIComponent(hash.replace(/^#/, "")).split("&"),
        said = new Map(pairs.map(pair => pair.split("="))),
        number = name => (/^[\d.e+-]+$/.test(said.get(name) ?? "") ? Number(said.get(name)) : null);
    return { panel: panel || null, run: number("run"), from_s: number("from_s"), to_s: number("to_s") };
}

export function formatAddress({ panel, run, from_s, to_s, whole }) {
    const parts = [panel ?? ""];
    if (run !== null) parts.push(`run=${run}`);
    if (!whole) parts.push(`from_s=${from_s}`, `to_s=${to_s}`);
    return `#${parts.join("&")}`;
}

let panel = null;

// The run that is shown without being asked for is not written.
function write(usual) {
    const shown = shownWindow(),
        isUsual = shown.whole && (shown.run === usual || shown.run === null);
    const hash = isUsual ? (panel ? `#${panel}` : "") : formatAddress({ panel, ...shown });
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname + location.search);
}

function follow({ runs }) {
    const said = parseAddress(location.hash);
    panel = said.panel && document.getElementById(said.panel) ? said.panel : null;
    if (runs.some(({ index }) => index === said.run)) {
        const isPart = said.from_s !== null && said.to_s > said.from_s;
        setWindow(said.run, isPart ? said.from_s : 0, isPart ? said.to_s : Infinity, !isPart);
    }
    if (panel) document.getElementById(panel).scrollIntoView();
}

// Once all panels are drawn.
export function followAddress(study) {
    const usual = shownWindow().run;
    follow(study);
    onWindow(() => write(usual), 300);
    addEventListener("hashchange", () => {
        follow(study);
        write(usual);
    });
}
