// Causes of waits, which one can follow: a wait, what others did meanwhile, and the waits that those were in.
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { followRun } from "../run_choice.js";
import { categoryColour, wordOf } from "../shared_memory.js";
import { onTheme, theme } from "../theme.js";

const hasCauses = run => run.causes?.length > 0;
const most = 12; // waits that are offered

// Whether "0-2,5" has the rank.
const includes = (ranks, rank) =>
    ranks.split(",").some(part => {
        const [first, last = first] = part.split("-").map(Number);
        return first <= rank && rank <= last;
    });

// Waits with one explanation: { scope, operation, path, ranks, first, causes: indices }, the longest first.
export function groupsOf({ causes }) {
    const groups = new Map();
    causes.forEach((row, index) => {
        const key = JSON.stringify([row.scope, row.operation, row.path]);
        if (!groups.has(key))
            groups.set(key, {
                scope: row.scope,
                operation: row.operation,
                ranks: row.ranks,
                wait_s: row.wait_s,
                first: index,
                causes: [],
            });
        groups.get(key).causes.push(index);
    });
    return [...groups.values()].sort((a, b) => b.wait_s - a.wait_s);
}

const nameOf = ({ scope, operation, ranks }) =>
    `${scope}: ${operation}, ${/[-,]/.test(ranks) ? "ranks" : "rank"} ${ranks.replaceAll("-", " to ")}`;

// The longest wait in which a cause was: its rank waited in that scope.
const nextOf = (groups, { cause_category: category, cause_scope: scope, cause_rank: rank }) =>
    category === "Wait" ? groups.find(group => group.scope === scope && includes(group.ranks, rank)) : undefined;

const whoOf = ({ cause_rank: rank, cause_scope: scope, cause_category: category }) =>
    rank < 0 ? "the answer itself" : `rank ${rank}${scope ? `, ${scope}` : ""}: ${wordOf(category)}`;

function rowsOf(at, groups, group, follow) {
    const rows = group.causes.map(index => ({ ...at.run.causes[index], index })).sort((a, b) => b.time_s - a.time_s);
    return rows.map(row => {
        const next = nextOf(groups, row),
            who = whoOf(row);
        return {
            name:
                next && next !== group
                    ? element(
                          "button",
                          {
                              type: "button",
                              class: "plain follow",
                              title: `follow: ${nameOf(next)}`,
                              onclick: () => follow(next),
                          },
                          who,
                          " \u2192",
                      )
                    : who,
            bars: [{ to: row.share, colour: row.cause_rank < 0 ? theme().send : categoryColour(row.cause_category) }],
            numbers: [at.figure("s", "causes", row.index, "time_s"), at.figure("share", "causes", row.index, "share")],
        };
    });
}

export const causes = {
    id: "causes",
    title: "Shared memory: causes of waits",
    about: "What others did while a rank waited. An arrow leads to the wait that they were in themselves.",
    terms: ["cause", "path", "wait", "lock", "barrier"],
    wide: true,
    wants: study => study.runs.some(hasCauses),
    draw(frame, study) {
        let groups = [],
            trail = [];
        const box = element("div"),
            way = element("p", { class: "trail", "aria-live": "polite" }),
            choice = element("select", { "aria-label": "wait" });
        const show = next => {
            trail = next;
            drawTrail();
        };
        const drawTrail = () => {
            const group = trail.at(-1);
            way.replaceChildren(
                ...trail.flatMap((one, i) => [
                    i > 0 ? " \u2192 " : "",
                    i < trail.length - 1
                        ? element(
                              "button",
                              { type: "button", class: "plain follow", onclick: () => show(trail.slice(0, i + 1)) },
                              nameOf(one),
                          )
                        : element("strong", {}, nameOf(one)),
                ]),
                ", waited ",
                at.figure("s", "causes", group.first, "wait_s"),
                " altogether. Meanwhile:",
            );
            drawBars(box, {
                of: "who, where, doing what",
                heads: ["time", "share"],
                largest: 1,
                unit: "share",
                rows: rowsOf(at, groups, group, next => show([...trail, next])),
            });
        };
        const draw = () => {
            groups = groupsOf(at.run);
            choice.replaceChildren(...groups.slice(0, most).map(group => element("option", {}, nameOf(group))));
            show([groups[0]]);
        };
        const at = followRun(frame, study, hasCauses, draw);
        choice.addEventListener("change", () => show([groups[choice.selectedIndex]]));
        frame.controls.append(element("label", {}, "wait ", choice));
        frame.body.append(way, box);
        onTheme(drawTrail);
        draw();
        const columns = [
            "scope",
            "operation",
            "path",
            "ranks",
            "count",
            "wait_s",
            "cause_rank",
            "cause_scope",
            "cause_category",
            "time_s",
            "share",
        ];
        frame.csv(() => [columns, ...at.run.causes.map(row => columns.map(name => row[name]))]);
    },
};
