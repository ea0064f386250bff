// Causes of waits, which one can follow: a wait, what others did meanwhile, what that consisted of, and the waits that
// those were in themselves.
// SPDX-License-Identifier: BSD-3-Clause
import { CATEGORY_WAIT, OPERATION_NONE } from "words";
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { outside } from "../scopes.js";
import { categories, colourOfKind, isOfController, keyOf, scales, shownWord } from "../shared_memory.js";
import { onTheme } from "../theme.js";
import { canFind, showLongest } from "../timeline/find.js";
import { Tree } from "../tree.js";
import { partRows } from "../wait_parts.js";
import { t } from "../texts/index.js";

const hasCauses = run => run.causes?.length > 0;
const offered = 12; // waits that are shown from the start

// The numbers in "0-2,5"; what is too long ends in dots, which are passed over.
const ranksIn = text =>
    text
        .split(",")
        .filter(part => /^\d/.test(part))
        .flatMap(part => {
            const [first, last = first] = part.split("-").map(Number);
            return Array.from({ length: last - first + 1 }, (_, k) => first + k);
        });

// Waits with one explanation: { key, scope, operation, ranks, wait_s, first, causes: indices }, the longest first.
export function groupsOf({ causes }) {
    const groups = new Map();
    causes.forEach(({ scope, operation, path, ranks, wait_s }, first) => {
        const key = JSON.stringify([scope, operation, path]);
        if (!groups.has(key)) groups.set(key, { key, scope, operation, ranks, wait_s, first, causes: [] });
        groups.get(key).causes.push(first);
    });
    return [...groups.values()].sort((a, b) => b.wait_s - a.wait_s);
}

const nameOfRanks = text =>
    `${/[-,]/.test(text) ? t("ranks") : t("rank")} ${text.replaceAll("-", t(" to ")).replaceAll(",", ", ")}`;
const nameOfGroup = ({ scope, operation, ranks }) => t`${nameOfRanks(ranks)}: ${operation} in ${scope}`;
const nameOfCause = ({ cause_rank: rank, cause_scope: scope, cause_category: category }) =>
    rank < 0 ? t("the answer itself") : t`rank ${rank}: ${shownWord(category)} in ${scope}`;

const times = count => element("span", {}, count, " x");

// A bar from 0 on, in seconds; what is less than 0 is pale.
const barOf = (time_s, kind) => ({
    to: Math.abs(time_s),
    colour: colourOfKind(kind),
    kind: time_s < 0 ? "pale" : "full",
});

// The rows of one run, made as they are opened. above: the keys of the waits that one came by.
class Rows {
    constructor(at) {
        this.at = at;
        this.groups = groupsOf(at.run);
    }

    // Leads to the timeline.
    link(ranks, scope, category, operation = null) {
        const { index } = this.at.run;
        if (!canFind(index)) return "";
        const button = element(
            "button",
            {
                type: "button",
                title: t("the longest time of that kind, in the timeline"),
                onclick: async () => {
                    const its = { scope: scope === outside ? null : scope, category, operation };
                    button.disabled = !(await showLongest(index, ranks, its));
                },
            },
            t("show"),
        );
        return button;
    }

    // Time waited for other ranks: all but the answer.
    lateOf({ causes, wait_s }) {
        const rows = causes.map(index => this.at.run.causes[index]);
        return rows.reduce((late, { cause_rank: rank, time_s }) => (rank < 0 ? late - time_s : late), wait_s);
    }

    // A wait; in front of its bar stands what was waited for others.
    group(group, above) {
        const { at } = this,
            key = [...above, group.key].join(" ");
        return {
            key,
            name: nameOfGroup(group),
            whole: group.wait_s,
            bars: [barOf(group.wait_s, "answer"), barOf(this.lateOf(group), CATEGORY_WAIT)],
            numbers: [
                at.figure("s", "causes", group.first, "wait_s"),
                times(at.figure("count", "causes", group.first, "count")),
                this.link(ranksIn(group.ranks), group.scope, CATEGORY_WAIT, group.operation),
            ],
            below: () => this.causesOf(group, [...above, group.key]),
        };
    }

    // Each cause; those that matter little in one row, which opens to them.
    causesOf(group, above) {
        const all = group.causes.map(index => ({ ...this.at.run.causes[index], index }));
        const order = all.sort((a, b) => b.time_s - a.time_s),
            lesser = order.filter(({ pruned }) => pruned),
            key = `${above.join(" ")} lesser`;
        const time_s = lesser.reduce((sum, one) => sum + one.time_s, 0);
        const rest = {
            key,
            name: t`${lesser.length} lesser`,
            whole: group.wait_s,
            bars: [barOf(time_s, "lesser")],
            numbers: [format(time_s, "s"), format(time_s / group.wait_s, "share"), ""],
            below: () => lesser.map(row => this.cause(row, above)),
        };
        return [
            ...order.filter(({ pruned }) => !pruned).map(row => this.cause(row, above)),
            ...(lesser.length > 0 ? [rest] : []),
        ];
    }

    cause(row, above) {
        const { at } = this,
            key = `${above.join(" ")} ${row.index}`,
            isAnswer = row.cause_rank < 0;
        const make = () => (isAnswer ? this.waitsLike(row, above) : this.operationsOf(row, above));
        return {
            key,
            name: nameOfCause(row),
            whole: row.wait_s,
            bars: [barOf(row.time_s, row.cause_category)],
            numbers: [
                at.figure("s", "causes", row.index, "time_s"),
                at.figure("share", "causes", row.index, "share"),
                isAnswer ? "" : this.link([row.cause_rank], row.cause_scope, row.cause_category),
            ],
            below: make().length > 0 ? make : undefined,
        };
    }

    // All waits in that scope for that operation, of all ranks, which opens to what they consist of.
    waitsLike({ scope, operation }, above) {
        const { at } = this,
            index = at.run.waits.findIndex(one => one.scope === scope && one.operation === operation),
            key = `${above.join(" ")} waits ${index}`;
        if (index < 0) return [];
        const below = () =>
            partRows(at, at.run.waits[index], index, 1).map(row => ({
                ...row,
                key: `${key} ${row.key}`,
                whole: at.run.waits[index].total_s,
                numbers: [row.numbers[0], "", ""],
            }));
        return [
            {
                key,
                name: t`all ranks: ${operation} in ${scope}`,
                whole: at.run.waits[index].total_s,
                bars: [barOf(at.run.waits[index].total_s, CATEGORY_WAIT)],
                numbers: [
                    at.figure("s", "waits", index, "total_s"),
                    times(at.figure("count", "waits", index, "count")),
                    "",
                ],
                below,
            },
        ];
    }

    // The processor's whole time in that scope and category, by operation of the protocol.
    operationsOf({ cause_rank: node, cause_scope: scope, cause_category: category }, above) {
        const rows = this.at.run.profile.map((row, index) => ({ ...row, index }));
        const its = rows.filter(row => row.node === node && row.scope === scope && row.category === category);
        const whole = its.reduce((sum, { time_s }) => sum + time_s, 0);
        return its
            .filter(({ operation }) => operation !== OPERATION_NONE)
            .sort((a, b) => b.time_s - a.time_s)
            .map(row => ({
                key: `${above.join(" ")} profile ${row.index}`,
                name: t`rank ${node}, in all: ${row.operation} in ${scope}`,
                whole,
                bars: [barOf(row.time_s, category)],
                numbers: [this.at.figure("s", "profile", row.index, "time_s"), "", ""],
                below: category === CATEGORY_WAIT ? () => this.waitsOf(row, above) : undefined,
            }));
    }

    // The waits of one processor in one scope for one operation: for others, or for answers.
    waitsOf(row, above) {
        const { node, scope, operation } = row;
        const its = this.groups.filter(
            one => one.scope === scope && one.operation === operation && ranksIn(one.ranks).includes(node),
        );
        return its.length > 0
            ? its.filter(({ key }) => !above.includes(key)).map(one => this.group(one, above))
            : this.waitsLike(row, above);
    }

    all() {
        const rowOf = group => this.group(group, []);
        const rest = this.groups.slice(offered),
            sumOf = valueOf => rest.reduce((sum, group) => sum + valueOf(group), 0);
        const all_s = sumOf(({ wait_s }) => wait_s),
            late_s = sumOf(group => this.lateOf(group));
        const more = {
            key: "more",
            name: t`${rest.length} more waits`,
            whole: all_s,
            bars: [barOf(all_s, "answer"), barOf(late_s, CATEGORY_WAIT)],
            numbers: [format(all_s, "s"), "", ""],
            below: () => rest.map(rowOf),
        };
        return [...this.groups.slice(0, offered).map(rowOf), ...(rest.length > 0 ? [more] : [])];
    }
}

// Bars in seconds as parts of the longest one that is shown; or as shares of the wait, or of what else they are in.
function scaled(rows, heads, inShares) {
    const sizeOf = ({ whole }) => (inShares ? whole || 1 : 1);
    const most = Math.max(...rows.flatMap(row => row.bars.map(({ to }) => to / sizeOf(row))));
    const part = row => bar => ({
        ...bar,
        from: (bar.from ?? 0) / sizeOf(row) / most,
        to: bar.to / sizeOf(row) / most,
    });
    return {
        of: t("who, what, where"),
        heads,
        largest: most,
        unit: inShares ? "share" : "s",
        rows: rows.map(row => ({ ...row, bars: row.bars.map(part(row)), numbers: row.numbers.slice(0, heads.length) })),
    };
}

const columns = [
    ...["scope", "operation", "path", "ranks", "count", "wait_s"],
    ...["cause_rank", "cause_scope", "cause_category", "time_s", "share"],
];

export const causes = {
    id: "causes",
    title: t("Shared memory: causes of waits"),
    about: t(
        "Waits for locks and at barriers. Open a wait to see its causes: what the late ranks did, and those who " +
            "waited did not. Pale bars are less than 0: those who waited did more of it. Such causes offset others, " +
            "which may then be more than 100 % of the wait. Open a cause to see all that the rank spent on it in " +
            "that scope. A wait in there leads on: to its own causes, or to what it consists of.",
    ),
    terms: ["path", "wait", "operation"],
    wide: true,
    wants: study => study.runs.some(hasCauses),
    draw(frame, study) {
        let inShares = true;
        const draw = () => {
            key.replaceChildren(
                keyOf([
                    ...categories
                        .filter(([one]) => !isOfController(one))
                        .map(([one, word]) => [colourOfKind(one), word]),
                    [colourOfKind("answer"), t("the answer itself, or lesser causes")],
                ]),
            );
            const heads = [t("time"), element("span", {}, t("share, "), term("count"))];
            tree.draw(new Rows(at).all(), rows =>
                scaled(rows, canFind(at.run.index) ? [...heads, t("timeline")] : heads, inShares),
            );
        };
        const openFirst = () => {
            const first = groupsOf(at.run).find(({ causes: its }) => its.length > 1);
            tree.opened = new Set(first ? [first.key] : []);
            draw();
        };
        const at = followRun(frame, study, hasCauses, openFirst),
            tree = new Tree(draw),
            key = element("div");
        frame.choose(t("in"), scales, inShares, chosen => {
            inShares = chosen;
            draw();
        });
        frame.body.append(key, tree.box);
        onTheme(draw);
        openFirst();
        frame.csv(() => [columns, ...at.run.causes.map(row => columns.map(name => row[name]))]);
    },
};
