// Numbers for readers: the unit that fits, and four digits. A number that is shown tells where in the JSON it stands.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "./dom.js";

const scales = {
    s: [
        [365.25 * 86400, "years"],
        [1, "s"],
        [1e-3, "ms"],
        [1e-6, "us"],
        [1e-9, "ns"],
        [1e-12, "ps"],
    ],
    B: [
        [1e9, "GB"],
        [1e6, "MB"],
        [1e3, "kB"],
        [1, "B"],
    ],
    "B/s": [
        [1e9, "GB/s"],
        [1e6, "MB/s"],
        [1e3, "kB/s"],
        [1, "B/s"],
    ],
};

function digits(value, count = 4) {
    if (value === 0) return "0";
    const size = Math.floor(Math.log10(Math.abs(value))) + 1;
    return value.toFixed(Math.min(Math.max(count - size, 0), 6));
}

// The factor and name of the unit in which a number of that size is written.
export function scaleOf(unit, size) {
    const rows = scales[unit];
    if (!rows) return [1, ""];
    return (
        rows.find(([least]) => Math.abs(size) >= least) ??
        (size === 0 ? rows.find(([least]) => least === 1) : rows.at(-1))
    );
}

export function format(value, unit) {
    if (value === null || value === undefined) return "-";
    if (typeof value !== "number") return String(value);
    if (!Number.isFinite(value)) return "-";
    switch (unit) {
        case "share":
            return digits(value * 100, 3) + " %";
        case "difference":
            return (value > 0 ? "+" : "") + digits(value * 100, 2) + " %";
        case "slowdown":
            return value > 0 && value < 0.01 ? "x < 0.01" : "x " + value.toFixed(value < 100 ? 2 : 0);
        case "count":
            return value.toLocaleString("en-US").replaceAll(",", "\u202f");
        case "ratio":
            return digits(value, 4);
        case "number":
            return String(Number(value.toPrecision(6)));
        default: {
            const [factor, name] = scaleOf(unit, value);
            return (
                (factor === 1 && unit === "B" ? String(Math.round(value)) : digits(value / factor)) +
                (name ? " " + name : "")
            );
        }
    }
}

// The unit of a measure, by its name in the JSON.
export function unitOfMeasure(name) {
    if (/^(overhead_ratio|aims_index|pop)\.|(^|_)(efficiency|utilisation|share)$/.test(name))
        return name.endsWith("_s") ? "s" : "share";
    if (/_s(\.|$)/.test(name)) return "s";
    return /(^|_)bytes$/.test(name) ? "B" : /^(messages|operations|ranks|collectives)$/.test(name) ? "count" : "ratio";
}

export const isSize = name => /(^|_)(bytes|segment)$|^align$|^collect_at$/.test(name);

// A parameter's value, as one reads it: sizes in units of which they are whole multiples.
export function settingText(name, value) {
    if (!isSize(name) || typeof value !== "number") return String(value);
    const units = ["B", "KiB", "MiB", "GiB"],
        power = units.findIndex((_, i) => i === units.length - 1 || value === 0 || value % 1024 ** (i + 1) !== 0);
    return `${value / 1024 ** power} ${units[power]}`;
}

// The same where lines are short: a number keeps its unit.
export const unbroken = text => text.replaceAll(/(\d) (?=[KMG]?i?B\b)/g, "$1\u00a0");

// The value that a JSON pointer leads to.
export function lookUp(data, pointer) {
    return pointer
        .split("/")
        .slice(1)
        .reduce((value, key) => value?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], data);
}

export function pointerTo(...keys) {
    return keys.map(key => "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1")).join("");
}

// A number of the JSON document, as it is shown.
export function quantity(data, pointer, unit) {
    return element(
        "span",
        { class: "number", "data-json": pointer, "data-unit": unit },
        format(lookUp(data, pointer), unit),
    );
}

const superscript = number => [...String(number)].map(c => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("");

// A mark of an axis as one reads it; on one of base 2, small and large powers are written as such: 2⁻¹⁰.
export function markOf(value, log = false) {
    const power = Math.log2(value);
    if (log === 2 && Number.isInteger(power) && (power < -3 || power > 13)) return `2${superscript(power)}`;
    return String(Number(value.toPrecision(6)));
}
