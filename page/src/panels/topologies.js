// Facts of topologies, such as diameter and bisection, beside the time of the fastest run on each.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { pointerTo, quantity } from "../numbers.js";
import { onTheme, theme } from "../theme.js";
import { t } from "../texts/index.js";

const facts = ["diameter", "bisection", "wires", "degree"];
const isBeyond = ({ host_degree, links_per_host }) => links_per_host > 0 && host_degree > links_per_host;

// With the time of its run, and what tells that from the others.
function rowsOf(study) {
    return study.data.topologies.map((its, index) => {
        const run = study.runs.find(one => one.index === its.run);
        return { ...its, index, time_s: run.time_s, others: study.label(run, ["topology", "dimensions"]) };
    });
}

const factOf = (study, row, key) => quantity(study.data, pointerTo("topologies", row.index, key), "count");

function drawRows(box, study, rows) {
    const largest = Math.max(...rows.map(row => row.time_s)),
        others = rows.some(row => row.others !== rows[0].others);
    drawBars(box, {
        of: t("topology"),
        heads: [t("time"), ...facts.map(word => term(word)), ...(others ? [t("the fastest with")] : [])],
        largest,
        unit: "s",
        rows: rows.map(row => ({
            name: row.name + (isBeyond(row) ? " *" : ""),
            bars: [{ to: row.time_s / largest, colour: theme().accent, kind: isBeyond(row) ? "pale" : "full" }],
            numbers: [
                quantity(study.data, pointerTo("runs", row.run, "time_s"), "s"),
                ...facts.map(key => factOf(study, row, key)),
                ...(others ? [row.others] : []),
            ],
        })),
    });
}

// "* More links than the 4 of a host's hardware: hypercube 128 (7), complete 128 (127)."
function noteOf(study, rows) {
    const beyond = rows.filter(isBeyond);
    if (beyond.length === 0) return null;
    return element(
        "p",
        { class: "about" },
        "* More links than the ",
        factOf(study, beyond[0], "links_per_host"),
        t(" of a host's hardware: "),
        beyond.flatMap((row, i) => [`${i ? ", " : ""}${row.name} (`, factOf(study, row, "host_degree"), ")"]),
        ".",
    );
}

export const topologies = {
    id: "topologies",
    title: t("Topologies"),
    about: t("The fastest run on each, and what it is made of."),
    wide: true,
    wants: study => study.data.topologies?.length > 1,
    draw(frame, study) {
        const rows = rowsOf(study),
            box = element("div", { class: "many" });
        let by = "time_s";
        const draw = () =>
            drawRows(
                box,
                study,
                [...rows].sort((a, b) => a[by] - b[by] || a.time_s - b.time_s),
            );
        frame.choose(
            t("order by"),
            ["time_s", ...facts].map(value => ({ name: value === "time_s" ? "time" : value, value })),
            by,
            chosen => {
                by = chosen;
                draw();
            },
        );
        frame.body.append(...[box, noteOf(study, rows)].filter(Boolean));
        onTheme(draw);
        draw();
        const keys = ["name", "time_s", "hosts", ...facts, "host_degree", "links_per_host"];
        frame.csv(() => [keys, ...rows.map(row => keys.map(key => row[key]))]);
    },
};
