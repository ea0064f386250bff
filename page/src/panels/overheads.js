// Lost time of the processors over the parameter that was swept: states, overhead ratios, AIMS indices.
// SPDX-License-Identifier: BSD-3-Clause
import { tip } from "../charts.js";
import { element } from "../dom.js";
import { axisName, barAxes, barHeight, followSweep } from "../sweep.js";
import { colourOf, labelOf, stateNames as states, termOf } from "../theme.js";
import { t } from "../texts/index.js";

const isUsual = name => name !== "library" && name !== "io";
const classes = ["control", "communication", "library", "io", "idle", "anomaly"];
const sumOf = run => states.reduce((sum, state) => sum + (run.state_s[state] ?? 0), 0);

// Name, unit of the axis, what is stacked, its value of a run, and what is said of it.
const ofStates = t("All processors together; every moment of every processor is in one state.");
const views = {
    share: [
        t("share of the processors' time"),
        "share",
        states,
        (run, name) => (run.state_s[name] ?? 0) / sumOf(run),
        ofStates,
    ],
    time: [t("time of all processors"), "s", states, (run, name) => run.state_s[name] ?? 0, ofStates],
    ratio: [
        t("overhead ratio"),
        "share",
        classes,
        (run, name) => run.overhead_ratio && (run.overhead_ratio[name] ?? (name === "anomaly" ? undefined : 0)),
        t("Time lost in a class, of all processors, over T_seq. Speedup is ranks / (1 + their sum)."),
    ],
    aims: [
        t("AIMS index"),
        "share",
        classes,
        (run, name) => run.aims_index && (run.aims_index[name] ?? (name === "anomaly" ? undefined : 0)),
        t("Time lost in a class, of all processors, over the time of all of them."),
    ],
};
const isThere = (run, [, , names, valueOf]) => names.some(name => Math.abs(valueOf(run, name)) > 0);

// The states and classes that some run has.
const termsOf = runs => {
    const isSome = (valueOf, name) => runs.some(run => Math.abs(valueOf(run, name)) > 0);
    const names = Object.values(views).flatMap(([, , all, valueOf]) => all.filter(name => isSome(valueOf, name)));
    return [...new Set(names)].map(termOf);
};

export const overheads = {
    id: "overheads",
    title: t("Where the processors' time went"),
    terms: study => [...termsOf(study.runs.filter(run => run.state_s)), "overhead ratio"],
    wants: study => study.runs.some(run => run.state_s),
    draw(frame, study) {
        let view = "share";
        const said = element("p", { class: "about" }, views[view][4]);
        frame.body.append(said);
        const draw = () => {
            chart.draw(barHeight(at));
            said.textContent = views[view][4];
        };
        const at = followSweep(
            frame,
            study,
            run => run.state_s,
            () => draw(),
        );
        const shown = () => {
            const [, , names, valueOf] = views[view];
            return names.filter(name => at.runs.some(run => Math.abs(valueOf(run, name)) > 0));
        };
        const chart = frame.chart(
            () => {
                const [name, unit, , valueOf] = views[view];
                return {
                    series: shown().map(one => ({
                        type: "bar",
                        stack: "all",
                        name: labelOf(one),
                        barCategoryGap: "18%",
                        itemStyle: { color: colourOf(one) },
                        data: at.runs.map(run => valueOf(run, one) ?? null),
                    })),
                    ...barAxes(at, {
                        name,
                        unit,
                        max: view === "share" ? 1 : undefined,
                        largest: Math.max(...at.runs.map(sumOf)),
                    }),
                    tooltip: {
                        formatter: ({ name: place, seriesName, value }) =>
                            tip(`${at.axis ? axisName(at) : ""} ${place}`, [[seriesName, value, unit]]),
                    },
                };
            },
            { height: barHeight(at) },
        );
        const offered = Object.keys(views).filter(key =>
            study.runs.some(run => run.state_s && isThere(run, views[key])),
        );
        frame.choose(
            t("show"),
            offered.map(key => ({ name: views[key][0], value: key })),
            view,
            chosen => {
                view = chosen;
                draw();
            },
        );
        frame.csv(() => {
            const isSome = (key, name) => at.runs.some(run => Math.abs(views[key][3](run, name)) > 0);
            const columns = offered
                .filter(key => key !== "share")
                .flatMap(key =>
                    views[key][2]
                        .filter(name => isUsual(name) || isSome(key, name))
                        .map(name => [`${key} ${name}`, run => views[key][3](run, name)]),
                );
            return [
                ["run", ...columns.map(([name]) => name)],
                ...at.runs.map(run => [study.label(run), ...columns.map(([, of]) => of(run) ?? "")]),
            ];
        });
    },
};
