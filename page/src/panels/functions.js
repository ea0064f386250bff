// A traced program's calls: what each function of the message library takes, of it the waiting, and for whom; by
// function, by call site, or by rank. And what goes on within ranks: teams of threads, kernels of accelerators.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { followRun } from "../run_choice.js";
import { say } from "../said.js";
import { keyOf, stackOf } from "../shared_memory.js";
import { colourOf, labelOf, onTheme, stateNames as states } from "../theme.js";
import { nameIn, t } from "../texts/index.js";

const most = 12;

const hasCalls = run => ["functions", "teams", "kernels"].some(name => run[name]?.length > 0);
const byTime = rows => rows.map((row, index) => ({ row, index })).sort((a, b) => b.row.time_s - a.row.time_s);
const partsOf = row =>
    states.filter(state => row[`${state}_s`] > 0).map(state => [row[`${state}_s`], colourOf(state), labelOf(state)]);
// Time that is not waiting is one part if the table has no more.
const waitingOf = row => [
    [row.idle_s, colourOf("idle"), t("waiting")],
    [row.time_s - row.idle_s, colourOf("receive"), t("moving, and other work of the call")],
];

const numbersOf = (at, table, index) =>
    ["time_s", "idle_s", "calls"].map(key => at.figure(key === "calls" ? "count" : "s", table, index, key));
const nameOf = ({ wait, for_rank }) => (for_rank >= 0 ? t`${say(wait)}, most for rank ${for_rank}` : say(wait));

function functionRows(at, whole) {
    const waitRow = ({ row, index }) => ({
        depth: 1,
        name: nameOf(row),
        bars: stackOf([[row.time_s, colourOf("idle"), row.wait]], whole),
        numbers: [
            at.figure("s", "function_waits", index, "time_s"),
            "",
            at.figure("count", "function_waits", index, "waits"),
        ],
    });
    const waitsIn = name => byTime(at.run.function_waits ?? []).filter(({ row }) => row.function === name);
    return byTime(at.run.functions)
        .slice(0, most)
        .flatMap(({ row, index }) => [
            { name: row.function, bars: stackOf(partsOf(row), whole), numbers: numbersOf(at, "functions", index) },
            ...waitsIn(row.function).map(waitRow),
        ]);
}

const siteRows = (at, whole) =>
    byTime(at.run.sites)
        .slice(0, most)
        .map(({ row, index }) => ({
            name: `${row.site}, ${row.function}`,
            bars: stackOf(waitingOf(row), whole),
            numbers: numbersOf(at, "sites", index),
        }));

// Time that others wait for a rank is drawn beside the rank's own waits.
const rankRows = (at, whole) =>
    at.run.rank_waits
        .map((row, index) => ({ row, index }))
        .sort((a, b) => b.row.awaited_s - a.row.awaited_s)
        .slice(0, 2 * most)
        .map(({ row, index }) => ({
            name: t`rank ${row.rank}`,
            bars: stackOf(
                [
                    [row.awaited_s, colourOf("send"), t("others wait for it")],
                    [row.waiting_s, colourOf("idle"), t("it waits")],
                ],
                whole,
            ),
            numbers: [
                at.figure("s", "rank_waits", index, "awaited_s"),
                at.figure("s", "rank_waits", index, "waiting_s"),
                at.figure("s", "rank_waits", index, "useful_s"),
            ],
        }));

// The time of a rank's threads: at work, and what they wait for.
const ofThreads = [
    ["busy_s", "useful", t("busy")],
    ["serial_wait_s", "library", t("serial part")],
    ["team_wait_s", "idle", t("waiting for the team")],
    ["lock_wait_s", "receive", t("waiting for locks")],
    ["other_wait_s", "send", t("other waiting")],
];
const teamRows = (at, whole) =>
    at.run.teams
        .map((row, index) => ({ row, index }))
        .sort((a, b) => a.row.busy_s - b.row.busy_s)
        .slice(0, 2 * most)
        .map(({ row, index }) => ({
            name: t`rank ${row.rank}, ${row.threads} threads`,
            bars: stackOf(
                ofThreads.map(([key, state, word]) => [row[key], colourOf(state), word]),
                whole,
            ),
            numbers: ["busy_s", "serial_wait_s", "team_wait_s"].map(key => at.figure("s", "teams", index, key)),
        }));

const kernelRows = (at, whole) =>
    byTime(at.run.kernels)
        .slice(0, 2 * most)
        .map(({ row, index }) => ({
            name: row.kernel,
            bars: stackOf([[row.time_s, colourOf("useful"), t("kernels")]], whole),
            numbers: [
                at.figure("s", "kernels", index, "time_s"),
                at.figure("s", "kernels", index, "longest_s"),
                at.figure("count", "kernels", index, "calls"),
            ],
        }));

const times = rows => rows.map(({ time_s }) => time_s);
const calls = [t("time"), t("waiting"), t("calls or waits")];
const views = {
    functions: {
        name: t("functions"),
        of: t("function, and what it waits for"),
        rows: functionRows,
        heads: calls,
        lengths: times,
    },
    sites: { name: t("call sites"), of: t("call site"), rows: siteRows, heads: calls, lengths: times },
    rank_waits: {
        name: t("ranks"),
        of: t("rank"),
        rows: rankRows,
        heads: [t("others wait for it"), t("it waits"), nameIn("useful")],
        lengths: rows => rows.map(({ awaited_s, waiting_s }) => awaited_s + waiting_s),
    },
    teams: {
        name: t("teams of threads"),
        of: t("rank"),
        rows: teamRows,
        heads: [t("busy"), t("serial part"), t("for the team")],
        lengths: times,
    },
    kernels: {
        name: t("kernels"),
        of: t("kernel"),
        rows: kernelRows,
        heads: [t("time"), t("longest"), t("calls")],
        lengths: times,
    },
};
const keys = {
    functions: rows =>
        states.filter(state => rows.some(row => row[`${state}_s`] > 0)).map(state => [colourOf(state), labelOf(state)]),
    sites: () => waitingOf({ idle_s: 0, time_s: 0 }).map(([, colour, word]) => [colour, word]),
    rank_waits: () => [
        [colourOf("send"), t("others wait for it")],
        [colourOf("idle"), t("it waits")],
    ],
    teams: rows =>
        ofThreads.filter(([key]) => rows.some(row => row[key] > 0)).map(([, state, word]) => [colourOf(state), word]),
    kernels: () => [[colourOf("useful"), t("kernels")]],
};

export const functions = {
    id: "functions",
    title: t("Calls, and who waits for whom"),
    about: t(
        "Times of all ranks together. Gray is waiting; below each function are its waits, with the rank that most " +
            "of each is for.",
    ),
    terms: ["wait state", "late sender", "idle"],
    wide: true,
    wants: study => study.runs.some(hasCalls),
    draw(frame, study) {
        const box = element("div"),
            key = element("div");
        let view = "functions";
        const offered = () => Object.keys(views).filter(name => at.run[name]?.length > 0);
        const draw = () => {
            if (!offered().includes(view)) view = offered()[0];
            const { of, rows, heads, lengths } = views[view],
                largest = Math.max(...lengths(at.run[view]), 1e-12);
            key.replaceChildren(keyOf(keys[view](at.run[view])));
            drawBars(box, { of, heads, largest, unit: "s", rows: rows(at, largest) });
        };
        const at = followRun(frame, study, hasCalls, draw);
        view = offered()[0];
        frame.choose(
            t("by"),
            offered().map(name => ({ name: views[name].name, value: name })),
            view,
            chosen => {
                view = chosen;
                draw();
            },
        );
        frame.body.append(key, box);
        onTheme(draw);
        draw();
        frame.csv(() => {
            const rows = at.run[view],
                columns = [...new Set(rows.flatMap(Object.keys))];
            return [columns, ...rows.map(row => columns.map(name => row[name]))];
        });
    },
};
