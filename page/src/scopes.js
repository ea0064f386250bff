// The scopes of a run, as a tree, and the time in each by node and by what it is spent on.
// SPDX-License-Identifier: BSD-3-Clause
import { categories, isOfController } from "./shared_memory.js";
import { stateNames as states } from "./theme.js";

export const outside = "end"; // what the JSON document calls the time in no scope: the rank is at its end

// Kinds of time in the order in which they are shown.
export function kindsOf(kinds) {
    const order = [...categories.map(([key]) => key), ...states];
    return [...kinds].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

// Rows of a run: { node, scope, kind, operation, time_s, path }. kind is a category of shared memory, or else a state;
// path leads to the time in the run; node is null where the run has sums of all nodes only.
export function timesOf({ profile, scope_states: byRank, scope_state_s: sums }) {
    const rows = profile ? fromProfile(profile) : byRank ? fromStates(byRank) : fromSums(sums ?? {});
    return rows.filter(({ time_s }) => time_s > 0);
}

const fromProfile = profile =>
    profile
        .map((row, index) => ({ ...row, kind: row.category, path: ["profile", index, "time_s"] }))
        .filter(({ kind }) => !isOfController(kind));

const fromStates = rows =>
    rows.flatMap((row, index) =>
        states.map(kind => ({
            node: row.rank,
            scope: row.scope,
            kind,
            time_s: row[`${kind}_s`] ?? 0,
            path: ["scope_states", index, `${kind}_s`],
        })),
    );

const fromSums = sums =>
    Object.entries(sums).map(([key, time_s]) => {
        const dot = key.lastIndexOf(".");
        return { node: null, scope: key.slice(0, dot), kind: key.slice(dot + 1), time_s, path: ["scope_state_s", key] };
    });
