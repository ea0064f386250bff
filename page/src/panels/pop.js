// The tree of parallel efficiencies (POP): each is the product of those that stand below it.
// SPDX-License-Identifier: BSD-3-Clause
import { drawBars } from "../bars.js";
import { element } from "../dom.js";
import { term } from "../glossary.js";
import { pointerTo, quantity } from "../numbers.js";
import { followRun } from "../run_choice.js";
import { onTheme, theme } from "../theme.js";
import { nameIn, t } from "../texts/index.js";

// Key in the JSON, word of the glossary, name, depth.
const tree = [
    ["parallel_efficiency", "parallel", "parallel efficiency", 0],
    ["load_balance", "load balance", "load balance", 1],
    ["communication_efficiency", "communication efficiency", "communication efficiency", 1],
    ["serialisation", "serialization", "serialization", 2],
    ["transfer", "transfer", "transfer", 2],
    ["processor_efficiency", "processor availability", "processor availability", 1],
];

const hasTree = run => typeof run.pop?.parallel_efficiency === "number";

export const pop = {
    id: "pop",
    title: t("Parallel efficiencies"),
    about: t("Each is the product of those that are indented below it; 100 % is the best."),
    terms: ["parallel", "load balance", "serialization", "transfer", "ideal time"],
    wants: study => study.runs.some(hasTree),
    draw(frame, study) {
        const box = element("div"),
            ideal = element("p", { class: "about" });
        const draw = () => {
            const { index, pop: values } = at.run,
                number = key => quantity(study.data, pointerTo("runs", index, "pop", key), "share");
            const known = tree.filter(([key]) => typeof values[key] === "number");
            drawBars(box, {
                of: t("efficiency"),
                heads: [t("share")],
                largest: 1,
                unit: "share",
                rows: known.map(([key, word, name, depth]) => ({
                    depth,
                    name: term(word, nameIn(name)),
                    numbers: [number(key)],
                    bars: [{ to: values[key], colour: theme().useful }],
                })),
            });
            if (typeof values.ideal_time_s === "number")
                ideal.replaceChildren(
                    t("On a network that takes no time: "),
                    quantity(study.data, pointerTo("runs", index, "pop", "ideal_time_s"), "s"),
                    t(", instead of "),
                    quantity(study.data, pointerTo("runs", index, "time_s"), "s"),
                    ".",
                );
            else ideal.replaceChildren(t("Serialization and transfer need a replay: --platform FILE --what-if."));
        };
        const at = followRun(frame, study, hasTree, draw);
        frame.body.append(box, ideal);
        onTheme(draw);
        draw();
        frame.csv(() => [
            ["run", ...tree.map(([key]) => key), "ideal_time_s", "time_s"],
            ...study.runs
                .filter(hasTree)
                .map(run => [
                    study.label(run),
                    ...[...tree.map(([key]) => key), "ideal_time_s"].map(key => run.pop[key] ?? ""),
                    run.time_s,
                ]),
        ]);
    },
};
