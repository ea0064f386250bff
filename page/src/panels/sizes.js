// Messages by their size: how many, how many bytes, and for simulations and traces the bandwidth; of the window that
// is shown.
// SPDX-License-Identifier: BSD-3-Clause
import { axis, tip } from "../charts.js";
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { followRun, partOf, runsWith } from "../run_choice.js";
import { series } from "../theme.js";
import { hasTimeline, timelineOf } from "../timeline/store.js";
import { onWindow } from "../window.js";
import { t } from "../texts/index.js";

const hasSizes = run => run.message_sizes?.length > 0;
const kinds = {
    messages: [t("messages"), "count"],
    bytes: [t("bytes"), "B"],
    bandwidth_Bps: [t("bandwidth"), "B/s"],
    mean_s: [t("mean time"), "s"],
};

// Sizes are powers of two, and are written so.
function sizeName(bytes) {
    const power = bytes > 0 ? Math.min(Math.floor(Math.log2(bytes) / 10), 5) : 0;
    return `${bytes / 1024 ** power} ${["B", "KiB", "MiB", "GiB", "TiB", "PiB"][power]}`;
}

// As the JSON document has it: classes by powers of two.
async function classesInPart(run, part) {
    const { messages, unit_s } = await timelineOf(run.index),
        classes = new Map();
    if (messages === null) return null;
    const [first, end] = messages.sentIn(part.from_s / unit_s, part.to_s / unit_s);
    for (let k = first; k < end; k++) {
        const bytes = messages.bytes[messages.order[k]],
            from = bytes < 1 ? 0 : 2 ** Math.floor(Math.log2(bytes));
        const its = classes.get(from) ?? {
            from_bytes: from,
            to_bytes: from === 0 ? 0 : 2 * from - 1,
            messages: 0,
            bytes: 0,
        };
        its.messages++;
        its.bytes += bytes;
        classes.set(from, its);
    }
    return [...classes.values()].sort((a, b) => a.from_bytes - b.from_bytes);
}

export const sizes = {
    id: "sizes",
    title: t("Message sizes"),
    terms: ["bandwidth"],
    wants: study => runsWith(study, hasSizes).length > 0,
    draw(frame, study) {
        let kind = "messages",
            shown = [],
            turn = 0;
        const said = element("p", { class: "about", "aria-live": "polite" });
        frame.body.append(said);
        const update = async () => {
            const run = at.run,
                part = kind === "messages" || kind === "bytes" ? partOf(run) : null,
                mine = ++turn;
            const inPart = part && hasTimeline(run.index) ? await classesInPart(run, part) : null;
            if (mine !== turn) return;
            shown = inPart ?? run.message_sizes;
            said.textContent = inPart
                ? t`Sent from ${format(part.from_s, "s")} to ${format(part.to_s, "s")}.`
                : t("Of the whole run.");
            chart.draw();
        };
        const at = followRun(frame, study, hasSizes, update);
        shown = at.run.message_sizes;
        const chart = frame.chart(
            () => {
                const [name, unit] = kinds[kind];
                return {
                    series: [
                        {
                            type: "bar",
                            name,
                            itemStyle: { color: series()[0] },
                            data: shown.map(one => one[kind]),
                            barCategoryGap: "12%",
                        },
                    ],
                    xAxis: axis({
                        name: t("size of a message, from"),
                        categories: shown.map(one => sizeName(one.from_bytes)),
                    }),
                    yAxis: axis({
                        name,
                        unit,
                        turned: true,
                        largest: shown.reduce((most, one) => Math.max(most, one[kind] ?? 0), 0),
                    }),
                    tooltip: {
                        renderMode: "richText",
                        confine: true,
                        formatter: ({ dataIndex }) =>
                            tip(
                                t`${shown[dataIndex].from_bytes} to ${shown[dataIndex].to_bytes} B`,
                                Object.entries(kinds)
                                    .filter(([key]) => shown[dataIndex][key] !== undefined)
                                    .map(([key, [word, itsUnit]]) => [word, shown[dataIndex][key], itsUnit]),
                            ),
                    },
                };
            },
            { height: 300 },
        );
        frame.choose(
            t("show"),
            Object.entries(kinds).map(([value, [name]]) => ({ name, value })),
            kind,
            value => {
                kind = value;
                update();
            },
        );
        onWindow(update, 120);
        frame.csv(() => [
            ["from_bytes", "to_bytes", ...Object.keys(kinds)],
            ...shown.map(one => [one.from_bytes, one.to_bytes, ...Object.keys(kinds).map(key => one[key])]),
        ]);
        update();
    },
};
