// Shared memory: what processors and controllers did, by category; of all nodes, of each node, of each run.
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { format } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { categories, categoryColour, isOfController, keyOf, stackOf, sumBy, wordOf } from "../shared_memory.js";
import { onTheme } from "../theme.js";

const hasCategories = run => run.category_s && run.profile;
const present = (run, controller) =>
    categories.map(([key]) => key).filter(key => key in run.category_s && isOfController(key) === controller);
const hasControllers = run => present(run, true).length > 0;
const partsOf = (run, keys) => keys.map(key => [run.category_s[key] ?? 0, key]);
const barOf = (parts, whole) =>
    stackOf(
        parts.map(([value, key]) => [value, categoryColour(key), `${wordOf(key)}: ${format(value, "s")}`]),
        whole,
    );
const total = parts => parts.reduce((sum, [value]) => sum + value, 0);

// A bar for each category of all nodes together.
function byCategory(at) {
    const keys = [...present(at.run, false), ...present(at.run, true)],
        most = Math.max(...keys.map(key => at.run.category_s[key]));
    const rows = keys.map(key => ({
        name: element("span", {}, isOfController(key) ? "controller: " : "", term(wordOf(key))),
        bars: [{ to: at.run.category_s[key] / most, colour: categoryColour(key) }],
        numbers: [at.figure("s", "category_s", key)],
    }));
    return { of: "category, all nodes", heads: ["time"], rows, largest: most, unit: "s" };
}

// Two bars for each node: of its processor, and of its controller.
function byNode(at) {
    const sums = sumBy(
        at.run.profile,
        ({ node, category }) => `${node} ${category}`,
        ({ time_s }) => time_s,
    );
    const nodes = [...new Set(at.run.profile.map(({ node }) => node))].sort((a, b) => a - b),
        whole = at.run.time_s;
    const row = (node, controller) => ({
        depth: controller ? 1 : 0,
        name: controller ? "controller" : `node ${node}`,
        numbers: [],
        bars: barOf(
            present(at.run, controller).map(key => [sums.get(`${node} ${key}`) ?? 0, key]),
            whole,
        ),
    });
    return {
        of: "node",
        heads: [],
        largest: whole,
        unit: "s",
        rows: nodes.flatMap(node =>
            hasControllers(at.run) ? [row(node, false), row(node, true)] : [row(node, false)],
        ),
    };
}

// A bar for each run, for each of its nodes in the mean.
function byRun(at, study) {
    const runs = study.runs.filter(hasCategories),
        most = Math.max(...runs.map(run => run.time_s));
    const row = (run, controller) => ({
        depth: controller ? 1 : 0,
        name: controller ? "controllers" : study.label(run),
        numbers: [],
        bars: barOf(
            partsOf(run, present(run, controller)),
            (most * total(partsOf(run, present(run, false)))) / run.time_s,
        ),
    });
    return {
        of: "run, a node in the mean",
        heads: [],
        largest: most,
        unit: "s",
        rows: runs.flatMap(run => (hasControllers(run) ? [row(run, false), row(run, true)] : [row(run, false)])),
    };
}

const views = [
    ["categories", byCategory],
    ["nodes", byNode],
    ["runs", byRun],
];

export const carnival = {
    id: "carnival",
    title: "Shared memory: what the nodes did",
    about: "Every moment of every processor is in one category; so is every moment of a protocol controller.",
    terms: ["program", "coherence", "serving others", "waiting", "controller", "working", "held up"],
    wants: study => study.runs.some(hasCategories),
    draw(frame, study) {
        let view = views[0][1];
        const box = element("div"),
            key = element("div");
        const draw = () => {
            const keys = [...present(at.run, false), ...present(at.run, true)];
            key.replaceChildren(keyOf(keys.map(one => [categoryColour(one), wordOf(one)])));
            key.hidden = view === byCategory;
            drawBars(box, view(at, study));
        };
        const at = followRun(frame, study, hasCategories, draw);
        const offered = views.filter(([name]) => name !== "runs" || study.runs.filter(hasCategories).length > 1);
        frame.choose(
            "by",
            offered.map(([name, value]) => ({ name, value })),
            view,
            chosen => {
                view = chosen;
                draw();
            },
        );
        frame.body.append(key, box);
        onTheme(draw);
        draw();
        frame.csv(() => [
            ["node", "category", "time_s"],
            ...[
                ...sumBy(
                    at.run.profile,
                    ({ node, category }) => `${node},${category}`,
                    ({ time_s }) => time_s,
                ),
            ].map(([name, value]) => [...name.split(","), value]),
        ]);
    },
};
