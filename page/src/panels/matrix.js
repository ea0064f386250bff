// The communication matrix: who sends how much to whom, and who waits for whom; of the window that the timeline shows.
// SPDX-License-Identifier: BSD-3-Clause
import { PLACE_HOST } from "words";
import { element } from "../dom.js";
import { HeatMap, heatKey, logScale } from "../heat.js";
import { format } from "../numbers.js";
import { followRun, partOf, runsWith } from "../run_choice.js";
import { onTheme } from "../theme.js";
import { hasTimeline, timelineOf } from "../timeline/store.js";
import { onWindow } from "../window.js";
import { nameIn, t } from "../texts/index.js";

const hasMatrix = run => run.communication_matrix?.length > 0;
const kinds = { bytes: [t("bytes"), "B"], messages: [t("messages"), "count"], wait_s: [t("waiting"), "s"] };

// The rows and columns of the matrix: ranks or hosts, one or several neighbors each.
function placesOf(run) {
    const { of = "rank", each = 1 } = [run.communication_matrix_of ?? {}].flat()[0] ?? {};
    const pairs = run.communication_matrix,
        hosts = new Map((run.nodes ?? []).map(({ node }, k) => [node, k]));
    const host = (run.placement ?? []).map(({ host: name }) => hosts.get(name) ?? 0);
    const last = pairs.reduce((most, { from, to }) => Math.max(most, from, to), 0);
    const count = of === PLACE_HOST ? Math.max(last + 1, hosts.size) : Math.max(last + 1, run.ranks);
    return {
        of,
        each,
        n: Math.ceil(count / each),
        placeOf: rank => Math.floor((of === PLACE_HOST ? (host[rank] ?? 0) : rank) / each),
    };
}

// The pairs of the messages that are sent in the window.
async function pairsInPart(run, part, { placeOf, n }) {
    const model = await timelineOf(run.index),
        { messages, unit_s } = model,
        found = new Map();
    if (messages === null) return null;
    const [first, end] = messages.sentIn(part.from_s / unit_s, part.to_s / unit_s);
    for (let k = first; k < end; k++) {
        const i = messages.order[k],
            from = placeOf(messages.from[i] % model.nRanks),
            to = placeOf(messages.to[i] % model.nRanks);
        const key = from * n + to,
            pair = found.get(key) ?? { from, to, messages: 0, bytes: 0 };
        pair.messages++;
        pair.bytes += messages.bytes[i];
        found.set(key, pair);
    }
    return [...found.values()];
}

// Figures of a pair; from the JSON document where the whole run is shown.
function pairLine(at, pair, { of, each }) {
    const name = place =>
        each > 1 ? `${nameIn(`${of}s`)} ${place * each}-${(place + 1) * each - 1}` : `${nameIn(of)} ${place}`;
    const figure = (key, unit) =>
        pair.index === undefined ? format(pair[key], unit) : at.figure(unit, "communication_matrix", pair.index, key);
    const waits = pair.wait_s === undefined ? [] : [t("; waiting "), figure("wait_s", "s")];
    return [
        t`${name(pair.from)} to ${name(pair.to)}: `,
        figure("messages", "count"),
        t(" messages, "),
        figure("bytes", "B"),
        ...waits,
    ];
}

export const matrix = {
    id: "matrix",
    title: t("Communication matrix"),
    about: t("Senders from top to bottom, receivers from left to right; the scale is logarithmic."),
    terms: ["rank", "host"],
    wants: study => runsWith(study, hasMatrix).length > 0,
    draw(frame, study) {
        let kind = "bytes",
            shown = [],
            places = null,
            turn = 0;
        const said = element("p", { class: "about", "aria-live": "polite" }),
            key = element("div"),
            line = element("p", { class: "about figures" });
        const map = new HeatMap(place => tell(place));
        frame.body.append(said, map.canvas, key, line);
        const largest = () => shown.reduce((a, b) => ((b[kind] ?? 0) > (a?.[kind] ?? 0) ? b : a), null);
        function tell(place) {
            const pair = place ? shown.find(({ from, to }) => from === place[1] && to === place[0]) : largest();
            line.replaceChildren(
                ...(pair ? [place ? "" : t("Most: "), ...pairLine(at, pair, places)] : [t("No messages.")]),
            );
        }
        const draw = async () => {
            const run = at.run,
                part = partOf(run),
                mine = ++turn;
            places = placesOf(run);
            const inPart =
                part && kind !== "wait_s" && hasTimeline(run.index) ? await pairsInPart(run, part, places) : null;
            if (mine !== turn) return; // something else is shown by now
            const { each, n } = places;
            shown =
                inPart ??
                run.communication_matrix.map((pair, index) => ({
                    ...pair,
                    index,
                    from: pair.from / each,
                    to: pair.to / each,
                }));
            said.textContent =
                (inPart
                    ? t`Sent from ${format(part.from_s, "s")} to ${format(part.to_s, "s")}.`
                    : t("Of the whole run.")) +
                (each > 1 || places.of === PLACE_HOST ? t` By ${nameIn(places.of)}` : "") +
                (each > 1 ? t`, ${each} neighbors together.` : "");
            const scale = logScale(shown.map(pair => pair[kind]));
            map.draw({
                cells: shown.map(pair => ({ x: pair.to, y: pair.from, value: pair[kind] })),
                n,
                scale,
                nameOf: place => String(place * each),
                label: t`${kinds[kind][0]} by sender and receiver`,
            });
            key.replaceChildren(...[heatKey(scale, kinds[kind][1])].filter(Boolean));
            tell(null);
        };
        const at = followRun(frame, study, hasMatrix, draw);
        frame.choose(
            t("show"),
            Object.entries(kinds).map(([value, [name]]) => ({ name, value })),
            kind,
            value => {
                kind = value;
                draw();
            },
        );
        onWindow(draw, 120);
        onTheme(() => draw());
        new ResizeObserver(() => draw()).observe(frame.body);
        frame.csv(() => [
            ["from", "to", "messages", "bytes", "wait_s"],
            ...shown.map(({ from, to, messages, bytes, wait_s }) => [
                from * places.each,
                to * places.each,
                messages,
                bytes,
                wait_s,
            ]),
        ]);
        frame.picture(() => map.svg());
    },
};
