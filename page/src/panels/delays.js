// Delays: what the time lost in a place costs the others in waiting, directly and passed on from rank to rank.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { followRun } from "../run_choice.js";
import { keyOf, stackOf } from "../shared_memory.js";
import { colourOf, onTheme } from "../theme.js";
import { t } from "../texts/index.js";

const most = 20;
const hasDelays = run => run.delays?.length > 0;

const partsOf = ({ direct_s, passed_on_s }) => [
    [direct_s, colourOf("processing"), t("direct")],
    [passed_on_s, colourOf("send"), t("passed on")],
];

const nameOf = ({ rank, scope, function: name }) =>
    rank < 0 ? t("no known reason") : t`rank ${rank} in ${scope}${name ? `, ${name}` : ""}`;

const rowsOf = (at, largest) =>
    at.run.delays
        .slice(0, most)
        .map((row, index) => ({
            name: nameOf(row),
            bars: stackOf(partsOf(row), largest),
            numbers: [
                at.figure("s", "delays", index, "direct_s"),
                at.figure("s", "delays", index, "passed_on_s"),
                row.passed_on_s > 0 ? at.figure("count", "delays", index, "farthest") : "",
            ],
        }));

// Notes: rows without room, and which message a wait for several follows.
function notesOn({ delays }) {
    const left = delays.length - most;
    return [
        ...(left > 0 ? [t`${left} more places: Table, or CSV.`] : []),
        t("A wait for several messages at once counts as a wait for the last of them alone."),
    ].join(" ");
}

export const delays = {
    id: "delays",
    title: t("Delays, and what they cost the others"),
    about: t(
        "Time lost in a place, by how long others wait because of it: those that wait for this rank itself, and " +
            "those that wait for ranks that it has held up.",
    ),
    terms: ["scope", "idle"],
    wide: true,
    wants: study => study.runs.some(hasDelays),
    draw(frame, study) {
        const box = element("div"),
            key = element("div"),
            note = element("p", { class: "about" });
        const draw = () => {
            const largest = Math.max(...at.run.delays.map(({ cost_s }) => cost_s), 1e-12);
            key.replaceChildren(keyOf(partsOf({}).map(([, colour, word]) => [colour, word])));
            note.replaceChildren(notesOn(at.run));
            drawBars(box, {
                of: t("place"),
                heads: [t("direct"), t("passed on"), t("ranks far")],
                largest,
                unit: "s",
                rows: rowsOf(at, largest),
            });
        };
        const at = followRun(frame, study, hasDelays, draw);
        frame.body.append(key, box, note);
        onTheme(draw);
        draw();
        frame.csv(() => {
            const columns = Object.keys(at.run.delays[0]);
            return [columns, ...at.run.delays.map(row => columns.map(name => row[name]))];
        });
    },
};
