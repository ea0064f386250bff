// The source of a traced program, or of a simulated application, as the main window of CARNIVAL has it: beside each
// line that calls or computes its time and what it waits in; a line opens to its functions, and to the ranks that it
// waits for.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { say } from "../said.js";
import { keyOf, stackOf, sumBy } from "../shared_memory.js";
import { colourOf, onTheme, series } from "../theme.js";
import { t } from "../texts/index.js";

const hasSites = run => run.sites?.length > 0;
const sumOf = rows => rows.reduce((sum, { time_s }) => sum + time_s, 0);
const usefulOf = rows => rows.reduce((sum, { useful_s = 0 }) => sum + useful_s, 0);

// Colors of wait states: of the series those that are unlike the colors of computing and of the rest.
const colourOfWait = i => {
    const unlike = series().filter((_, k) => k !== 2 && k !== 5);
    return unlike[(i + 1) % unlike.length];
};

// "heat.c:41 in exchange" is line 41 of heat.c.
function placeOf(site) {
    const [, file, line] = /^(.+?):(\d+)(?: in |$)/.exec(site) ?? [];
    return { file, line: Number(line) };
}

const indexed = rows => (rows ?? []).map((row, index) => ({ ...row, ...placeOf(row.site), index }));

// The files that are there or that are called from, those with most time first: { name, lines, sites, waits }.
function filesOf(source, run) {
    const sites = indexed(run.sites),
        waits = indexed(run.site_waits);
    return [...new Set(source.map(({ file }) => file))]
        .map(name => ({
            name,
            lines: source.filter(({ file }) => file === name),
            sites: sites.filter(({ file }) => file === name),
            waits: waits.filter(({ file }) => file === name),
        }))
        .sort((a, b) => sumOf(b.sites) - sumOf(a.sites));
}

const byLine = rows => {
    const found = new Map();
    for (const row of rows) found.set(row.line, [...(found.get(row.line) ?? []), row]);
    return found;
};

// A line's time in parts: each of its wait states, and the rest.
const partsOf = (sites, waits, colours) => [
    ...[...sumBy(waits, ({ wait }) => wait)]
        .sort(([, a], [, b]) => b - a)
        .map(([wait, time_s]) => [time_s, colours.get(wait), `${say(wait)}: ${format(time_s, "s")}`]),
    [usefulOf(sites), colourOf("useful"), t`computing: ${format(usefulOf(sites), "s")}`],
    [sumOf(sites) - usefulOf(sites) - sumOf(waits), colourOf("receive"), t("moving, and other work of the call")],
];

const bar = ({ from, to, colour, title }) =>
    element("span", {
        class: "bar full",
        title,
        style: `left:${100 * from}%;width:${100 * (to - from)}%;background:${colour}`,
    });

const waitText = ({ wait, for_rank }) => (for_rank >= 0 ? t`${say(wait)}, most for rank ${for_rank}` : say(wait));

// The rows that a line opens to.
const innerRows = (at, sites, waits) =>
    [
        ...sites.map(row => [t`${row.function}, ${format(row.calls, "count")} calls`, "sites", row, "idle_s"]),
        ...waits.map(row => [waitText(row), "site_waits", row, row.for_rank >= 0 ? "for_rank_s" : null]),
    ].map(([text, table, { index }, second]) =>
        element(
            "tr",
            { class: "inner" },
            element("td", { colspan: 2 }),
            element("td", { class: "number" }, at.figure("s", table, index, "time_s")),
            element("td", { class: "number" }, second ? at.figure("s", table, index, second) : null),
            element("td", {}, text),
        ),
    );

const lineRow = (number, code, track, numbers) =>
    element(
        "tr",
        {},
        element("th", { scope: "row", class: "number" }, number),
        element("td", { class: "track" }, track),
        numbers.map(value => element("td", { class: "number" }, value)),
        element("td", { class: "code" }, code),
    );

// A line without calls is its text alone.
function rowsOf(at, { line, text }, { sites, waits, colours, largest, opened, flip }) {
    const its = sites.get(line),
        waitsOf = waits.get(line) ?? [];
    if (!its) return [lineRow(String(line), text, null, ["", ""])];
    const isOpen = opened.has(line);
    const button = element(
        "button",
        {
            type: "button",
            class: "plain",
            "aria-expanded": String(isOpen),
            "data-line": line,
            onclick: () => flip(line),
        },
        String(line),
    );
    const rail = element("span", { class: "rail" }, stackOf(partsOf(its, waitsOf, colours), largest).map(bar));
    return [
        lineRow(button, text, rail, [format(sumOf(its), "s"), format(sumOf(waitsOf), "s")]),
        ...(isOpen ? innerRows(at, its, waitsOf) : []),
    ];
}

// The gap between two lines.
function gapRow(from, to) {
    const text = to - from === 1 ? t`line ${from} is left out` : t`lines ${from} to ${to - 1} are left out`;
    return element("tr", { class: "inner" }, element("td", { colspan: 2 }), element("td", { colspan: 3 }, text));
}

function tableOf(at, file, choice) {
    const heads = [t("line"), "", t("time"), t("waiting"), t("source")],
        rows = [];
    let next = 1;
    for (const line of file.lines) {
        if (line.line > next) rows.push(gapRow(next, line.line));
        rows.push(...rowsOf(at, line, choice));
        next = line.line + 1;
    }
    const headOf = name =>
        name ? element("th", { scope: "col", class: name === heads.at(-1) ? null : "number" }, name) : element("td");
    return element(
        "table",
        { class: "source" },
        element("thead", {}, element("tr", {}, heads.map(headOf))),
        element("tbody", {}, rows),
    );
}

// The line with most time comes into sight, in the box alone.
function showLargest(box, sites) {
    const [[line] = []] = [...byLine(sites)].sort(([, a], [, b]) => sumOf(b) - sumOf(a)),
        row = box.querySelector(`[data-line="${line}"]`)?.closest("tr");
    if (row) box.scrollTop = row.offsetTop - box.clientHeight / 2;
}

export const source = {
    id: "source",
    title: t("Source"),
    about: t(
        "Lines that call the message library, and of simulated applications those that compute, with the time of all " +
            "ranks. Click the number of a line to see what it waits in, and for whom.",
    ),
    terms: ["wait state", "late sender", "idle"],
    wide: true,
    wants: study => study.source.length > 0 && study.runs.some(hasSites),
    draw(frame, study) {
        const key = element("div"),
            box = element("div", {
                class: "scroll tall",
                tabindex: 0,
                role: "region",
                "aria-label": t("Source, by line"),
            });
        let opened = new Set(),
            chosen = 0;
        const draw = () => {
            const files = filesOf(study.source, at.run),
                file = files[chosen];
            const names = [...sumBy(file.waits, ({ wait }) => wait)]
                    .sort(([, a], [, b]) => b - a)
                    .map(([name]) => name),
                colours = new Map(names.map((name, i) => [name, colourOfWait(i)])),
                sites = byLine(file.sites);
            const flip = line => {
                if (!opened.delete(line)) opened.add(line);
                draw();
                box.querySelector(`[data-line="${line}"]`)?.focus({ preventScroll: true });
            };
            const largest = Math.max(...[...sites.values()].map(sumOf), 1e-12);
            key.replaceChildren(
                keyOf([
                    ...names.map(name => [colours.get(name), name]),
                    ...(usefulOf(file.sites) > 0 ? [[colourOf("useful"), t("computing")]] : []),
                    [colourOf("receive"), t("the rest of the call")],
                ]),
            );
            const top = box.scrollTop;
            box.replaceChildren(
                tableOf(at, file, { sites, waits: byLine(file.waits), colours, largest, opened, flip }),
            );
            box.scrollTop = top;
        };
        const at = followRun(frame, study, hasSites, draw);
        frame.choose(
            t("file"),
            filesOf(study.source, at.run).map(({ name }, value) => ({ name, value })),
            chosen,
            value => {
                chosen = Number(value);
                opened = new Set();
                draw();
            },
        );
        frame.body.append(key, box);
        onTheme(draw);
        draw();
        requestAnimationFrame(() => showLargest(box, filesOf(study.source, at.run)[chosen].sites));
        frame.csv(() => [
            ["file", "line", "function", "calls", "time_s", "idle_s"],
            ...indexed(at.run.sites)
                .filter(({ file }) => file)
                .map(row => [row.file, row.line, row.function, row.calls, row.time_s, row.idle_s]),
        ]);
    },
};
