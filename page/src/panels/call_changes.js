// The call trees of two versions as one, as an icicle: where a path takes longer than in the first version, where less,
// and where only one of them comes.
// SPDX-License-Identifier: BSD-3-Clause
import { changeMeasures, readChanges } from "../call_paths.js";
import { blend } from "../heat.js";
import { Icicle, colourKey, pathName } from "../icicle.js";
import { format, pointerTo, quantity } from "../numbers.js";
import { isComparison } from "../study.js";
import { t } from "../texts/index.js";
import { theme } from "../theme.js";

const isAlone = ({ first_s, second_s }) => first_s === undefined || second_s === undefined;

// From -1, only in the first version, to 1, only in the second one.
const directionOf = ({ sums }, path) => {
    const first = sums.first[path],
        second = sums.second[path],
        larger = Math.max(first, second);
    return larger > 0 ? (second - first) / larger : 0;
};

const colourOfChange = part => {
    const { grid, useful, memory } = theme();
    return blend(grid, part > 0 ? memory : useful, Math.abs(part));
};

const signed = seconds => (seconds > 0 ? "+" : "") + format(seconds, "s");

// How much longer a path itself takes, without those within it.
const ownChange = ({ own }, path) => signed(own[path]);

function tell(data, [first, second], tree, path) {
    const { sums, rows, indexOf } = tree;
    if (path === 0)
        return [
            t("the whole program, of a mean rank: "),
            `${first} ${format(sums.first[0], "s")}, ${second} ${format(sums.second[0], "s")}`,
        ];
    const row = rows[path - 1],
        figure = (unit, name) => quantity(data, pointerTo("call_tree", indexOf[path - 1], name), unit);
    const side = (name, key) => [
        figure("s", `${key}_s`),
        t` in ${name} (waiting `,
        figure("s", `${key}_idle_s`),
        t(", calls "),
        figure("count", `${key}_calls`),
        ")",
    ];
    if (isAlone(row)) {
        const [name, key] = row.first_s === undefined ? [second, "second"] : [first, "first"];
        return [t`${pathName(tree, path)}: only in ${name}; `, ...side(name, key)];
    }
    return [
        `${pathName(tree, path)}: `,
        ...side(first, "first"),
        ", ",
        ...side(second, "second"),
        t`: ${signed(row.change_s)}, ${ownChange(tree, path)} of it in the function itself`,
    ];
}

// In words, for those who do not see it.
function summarize([first, second], tree) {
    const { rows, own } = tree,
        onlyIn = key => rows.filter(row => row[key] !== undefined && isAlone(row)).length;
    let largest = 0;
    for (let path = 1; path < tree.n; path++) if (Math.abs(own[path]) > Math.abs(own[largest])) largest = path;
    const [inFirst, inSecond] = [onlyIn("first_s"), onlyIn("second_s")],
        counts = t`${rows.length} paths, ${inFirst} of them only in ${first} and ${inSecond} only in ${second}. `,
        change =
            largest > 0
                ? t`Largest change: ${pathName(tree, largest)}, ${ownChange(tree, largest)}`
                : t("No time changed");
    return t`Call trees of ${first} and ${second}: ` + counts + change;
}

const columns = ["first_s", "second_s", "change_s", "first_idle_s", "second_idle_s", "first_calls", "second_calls"];

export const callChanges = {
    id: "call-changes",
    title: t("Call trees"),
    about: t(
        "The call trees of the versions as one, in times of a mean rank. A path of the color at one end is in that " +
            "version only.",
    ),
    terms: ["call path", "idle"],
    wide: true,
    wants: study => isComparison(study) && study.data.call_tree?.length > 0,
    draw(frame, { data }) {
        const [{ version: first }] = data.versions,
            others = [...new Set(data.call_tree.map(({ version }) => version))],
            treeOf = version => readChanges(data.call_tree, version);
        let second = others[0];
        const names = () => [first, second];
        frame.choose(
            t("version"),
            others.map(value => ({ name: value, value })),
            second,
            value => {
                second = value;
                icicle.open(treeOf(second));
            },
        );
        frame.choose(
            t("width"),
            Object.entries(changeMeasures).map(([value, { name }]) => ({ name, value })),
            "both",
            value => icicle.show(value),
        );
        const looks = {
            key: () => colourKey(t`only in ${first}`, [-1, -0.5, 0, 0.5, 1].map(colourOfChange), t`only in ${second}`),
            colourOf: (tree, path) => colourOfChange(directionOf(tree, path)),
            tell: (tree, path) => tell(data, names(), tree, path),
            summary: tree => summarize(names(), tree),
        };
        const icicle = new Icicle(frame, looks, "both");
        icicle.open(treeOf(second));
        frame.csv(() => [
            ["path", ...columns, "own_change_s"],
            ...icicle.tree.rows.map((row, i) => [
                pathName(icicle.tree, i + 1),
                ...columns.map(name => row[name] ?? ""),
                icicle.tree.own[i + 1],
            ]),
        ]);
    },
};
