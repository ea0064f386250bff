// The call tree of a traced program as an icicle: each path below the one around it, as wide as its time.
// SPDX-License-Identifier: BSD-3-Clause
import { measures, readPaths } from "../call_paths.js";
import { heatColour } from "../heat.js";
import { Icicle, colourKey } from "../icicle.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { t } from "../texts/index.js";

const hasPaths = run => run.call_paths?.length > 0;
const shareOf = (part, whole) => (whole > 0 ? part / whole : 0);

const colourings = {
    idle: { name: t("share of waiting"), of: (tree, path) => shareOf(tree.sums.idle[path], tree.sums.time[path]) },
    library: {
        name: t("share of the message library"),
        of: (tree, path) => shareOf(tree.library_s[path], tree.sums.time[path]),
    },
};

// A path in words, with its numbers as the JSON document has them.
function tell(at, tree, path) {
    const figure = (unit, name) => at.figure(unit, "call_paths", path - 1, name);
    if (path === 0) return [t`the whole program: ${format(tree.sums.time[0], "s")}, all ranks together`];
    const wait = (at.run.call_path_waits ?? [])
        .filter(({ id }) => id === tree.rows[path - 1].id)
        .sort((a, b) => b.time_s - a.time_s)[0];
    return [
        `${tree.rows[path - 1].path}: `,
        figure("s", "time_s"),
        t`, ${format(shareOf(tree.sums.time[path], tree.sums.time[0]), "share")} of all; waiting `,
        figure("s", "idle_s"),
        t("; calls "),
        figure("count", "calls"),
        wait ? t`; mostly ${wait.wait}${wait.for_rank >= 0 ? t`, for rank ${wait.for_rank}` : ""}` : "",
    ];
}

// The meaning of the colors: from none to all.
const keyOfShares = () => colourKey("0 %", [0, 0.25, 0.5, 0.75, 1].map(heatColour), "100 %");

export const callTree = {
    id: "call-tree",
    title: t("Call tree"),
    about: t(
        "Functions below those that call them, as wide as their time over all ranks, with that of inner functions.",
    ),
    terms: ["call path", "idle", "late sender"],
    wide: true,
    wants: study => study.runs.some(hasPaths),
    draw(frame, study) {
        let colouring = "idle";
        const at = followRun(frame, study, hasPaths, () => icicle.open(readPaths(at.run)));
        const choicesIn = table => Object.entries(table).map(([value, { name }]) => ({ name, value }));
        frame.choose(t("width"), choicesIn(measures), "time", value => icicle.show(value));
        frame.choose(t("color"), choicesIn(colourings), colouring, value => {
            colouring = value;
            icicle.redraw();
        });
        const looks = {
            key: keyOfShares,
            colourOf: (tree, path) => heatColour(colourings[colouring].of(tree, path)),
            tell: (tree, path) => tell(at, tree, path),
            summary: ({ n }) => t`Call tree: ${n - 1} paths by ${measures[icicle.measure].name}`,
        };
        const icicle = new Icicle(frame, looks, "time");
        icicle.open(readPaths(at.run));
        frame.csv(() => {
            const columns = ["path", "calls", "time_s", "idle_s", "own_s", "own_idle_s"];
            return [columns, ...at.run.call_paths.map(path => columns.map(name => path[name]))];
        });
    },
};
