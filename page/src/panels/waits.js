// CPWait Map: each source of waiting, and what its waits consist of: eight categories, or all 13 intervals.
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { intervals, keyOf, partColour, stackOf, waitParts, wordOf } from "../shared_memory.js";
import { onTheme } from "../theme.js";

const hasWaits = run => run.waits?.length > 0;
const isSame = (a, b) => a.scope === b.scope && a.category === b.category && a.operation === b.operation;

// The parts of one source: [[seconds, colour, what it is], ...].
const byCategory = wait =>
    waitParts.map(([key, word]) => [wait[`${key}_s`], partColour(key), `${word}: ${format(wait[`${key}_s`], "s")}`]);

function byInterval(wait, { wait_intervals: all }) {
    const its = all.filter(row => isSame(row, wait));
    return intervals.map(([number, key, what]) => {
        const time_s = its.find(({ interval }) => interval === number)?.time_s ?? 0;
        return [time_s, partColour(key), `interval ${number}, ${what}: ${format(time_s, "s")}`];
    });
}

function rowsOf(at, view, most) {
    const order = at.run.waits.map((wait, index) => ({ wait, index })).sort((a, b) => b.wait.total_s - a.wait.total_s);
    return order.map(({ wait, index }) => ({
        name:
            wait.category === "Wait"
                ? `${wait.scope}: ${wait.operation}`
                : `controller ${wordOf(wait.category)}: ${wait.operation}`,
        bars: stackOf(view(wait, at.run), most),
        numbers: [
            at.figure("s", "waits", index, "total_s"),
            at.figure("count", "waits", index, "count"),
            at.figure("s", "waits", index, "mean_s"),
        ],
    }));
}

// The 13 intervals in the order in which they pass, with their numbers.
const listOfIntervals = () =>
    element(
        "ol",
        { class: "intervals" },
        intervals.map(([number, key, what]) =>
            element("li", { value: number }, element("i", { style: `background:${partColour(key)}` }), what),
        ),
    );

export const waits = {
    id: "waits",
    title: "Shared memory: what waits consist of",
    about: "Each source of waiting, by scope and operation; all processors together.",
    terms: ["wait", "operation", "count", "total", "mean"],
    wide: true,
    wants: study => study.runs.some(hasWaits),
    draw(frame, study) {
        let view = byCategory;
        const box = element("div"),
            key = element("div");
        const draw = () => {
            const most = Math.max(...at.run.waits.map(({ total_s }) => total_s)),
                canInterval = at.run.wait_intervals?.length > 0;
            const shown = canInterval ? view : byCategory;
            list.disabled = !canInterval;
            key.replaceChildren(
                shown === byCategory
                    ? keyOf(waitParts.map(([name, word]) => [partColour(name), word]))
                    : listOfIntervals(),
            );
            drawBars(box, {
                of: "scope: operation",
                heads: ["total", "count", "mean"],
                largest: most,
                unit: "s",
                rows: rowsOf(at, shown, most),
            });
        };
        const at = followRun(frame, study, hasWaits, draw);
        frame.choose(
            "by",
            [
                { name: "eight categories", value: byCategory },
                { name: "13 intervals", value: byInterval },
            ],
            view,
            chosen => {
                view = chosen;
                draw();
            },
        );
        const list = frame.controls.lastElementChild.querySelector("select");
        frame.body.append(key, box);
        onTheme(draw);
        draw();
        frame.csv(() => [
            ["scope", "category", "operation", "count", "total_s", ...waitParts.map(([name]) => `${name}_s`)],
            ...at.run.waits.map(wait => [
                wait.scope,
                wait.category,
                wait.operation,
                wait.count,
                wait.total_s,
                ...waitParts.map(([name]) => wait[`${name}_s`]),
            ]),
        ]);
    },
};
