// The machine drawn: its hosts, switches and links, colored by what they have to do, over time; and its busiest links.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../dom.js";
import { heatColour } from "../heat.js";
import { format } from "../numbers.js";
import { followRun, partOf, runsWith } from "../run_choice.js";
import { onTheme } from "../theme.js";
import { Loads, measures } from "../topology/loads.js";
import { isMedium, Picture } from "../topology/picture.js";
import { onWindow } from "../window.js";
import { nameIn, t } from "../texts/index.js";

const isUsed = run => run.nodes?.length > 1 && run.links?.some(link => link.messages > 0);
const between = nameIn("switch"); // the other end of a link that has one node
const endsOf = ({ links }, k) =>
    isMedium(links) ? [links[k].link, t("all hosts")] : [links[k].from || between, links[k].to || between];
const facts = ["hosts", "switches", "wires", "diameter", "bisection", "degree", "host_degree"];
const columns = [
    ["busy_s", t("busy"), "s"],
    ["waited_s", t("waited for"), "s"],
    ["messages", t("messages"), "count"],
    ["bytes", t("bytes"), "B"],
];

function factsOf(at) {
    const { topology } = at.run;
    if (!topology) return [];
    const note =
        topology.links_per_host > 0 && topology.host_degree > topology.links_per_host
            ? [t` A host has more links here than the hardware, which has ${topology.links_per_host}.`]
            : [];
    return [
        element("strong", {}, topology.name),
        ": ",
        ...facts
            .filter(name => typeof topology[name] === "number")
            .flatMap((name, i) => [
                i > 0 ? ", " : "",
                `${nameIn(name.replace("_", " "))} `,
                at.figure("count", "topology", name),
            ]),
        ".",
        ...note,
    ];
}

function busiest(at, measure) {
    const { run } = at;
    const order = run.links
        .map((_, k) => k)
        .sort((a, b) => run.links[b][measure] - run.links[a][measure])
        .slice(0, 10)
        .filter(k => run.links[k].messages > 0);
    return element(
        "div",
        { class: "scroll", tabindex: 0 },
        element(
            "table",
            {},
            element("caption", {}, t`Busiest links of the whole run, by ${measures[measure].name}`),
            element(
                "thead",
                {},
                element(
                    "tr",
                    {},
                    element("th", { scope: "col" }, t("from")),
                    element("th", { scope: "col" }, t("to")),
                    columns.map(([, name]) => element("th", { scope: "col", class: "number" }, name)),
                ),
            ),
            element(
                "tbody",
                {},
                order.map(k =>
                    element(
                        "tr",
                        {},
                        endsOf(run, k).map(end => element("td", {}, end)),
                        columns.map(([key, , unit]) =>
                            element("td", { class: "number" }, at.figure(unit, "links", k, key)),
                        ),
                    ),
                ),
            ),
        ),
    );
}

const rampColours = () => Array.from({ length: 8 }, (_, k) => heatColour(0.2 + (0.8 * k) / 7));
const keyOf = (name, largest, unit) =>
    element(
        "p",
        { class: "heatkey" },
        element("span", {}, `${name}: ${format(0, unit)}`),
        element("span", { class: "ramp", style: `background:linear-gradient(90deg,${rampColours().join(",")})` }),
        element("span", {}, format(largest, unit)),
    );

// Describes the link or node under the pointer.
function foundText(run, found, values, measure) {
    if (found?.link !== undefined) {
        const { name, unit } = measures[measure];
        return `${endsOf(run, found.link).join(t(" to "))}: ${name} ${format(values[found.link], unit)}`;
    }
    if (found?.node === undefined) return "";
    const { node, kind } = found.node;
    if (node === "") return isMedium(run.links) ? run.links[0].link : between;
    const ranks = (run.placement ?? []).filter(({ host }) => host === node).map(({ rank }) => rank);
    return (
        `${nameIn(kind)} ${node}` +
        (ranks.length > 0 ? t`: rank ${ranks.slice(0, 12).join(", ")}${ranks.length > 12 ? " ..." : ""}` : "")
    );
}

function makeSlider(onslide) {
    const slider = element("input", {
        type: "range",
        min: 0,
        max: 0,
        value: 0,
        "aria-label": t("time"),
        oninput: () => onslide(Number(slider.value)),
    });
    return slider;
}

export const topology = {
    id: "topology",
    title: t("Machine and links"),
    about: t(
        "Each line is a link in one direction, in the color of its load. Squares are hosts, larger ones switches.",
    ),
    terms: ["bisection", "diameter", "host", "link"],
    wide: true,
    wants: study => runsWith(study, isUsed).length > 0,
    draw(frame, study) {
        let measure = "busy_s",
            bin = null,
            part = null,
            loads = null,
            values = [];
        const said = element("p", { class: "about figures" }),
            time = element("span"),
            key = element("div");
        const line = element("p", { class: "about figures", "aria-live": "polite" }),
            table = element("div");
        const picture = new Picture(found => {
            line.textContent = foundText(at.run, found, values, measure) || "\u00a0";
        });
        const slider = makeSlider(value => {
            [bin, part] = [value === 0 ? null : value - 1, null];
            draw();
        });
        const sliding = element("label", { class: "sliding" }, t("time "), slider, " ", time);
        const drawing = element("div", { class: "drawing" }, sliding, picture.canvas, line);
        frame.body.append(said, element("div", { class: "machines" }, drawing, element("div", {}, key, table)));
        const draw = () => {
            const { binned, name, unit } = measures[measure];
            const shown = binned ? (part ?? loads.partOf(bin)) : loads.partOf(null);
            values = loads.values(measure, shown);
            slider.disabled = !binned;
            slider.value = part !== null || bin === null ? 0 : bin + 1;
            const isWhole = !binned || (part === null && bin === null);
            const largest = (part && binned ? Math.max(...values) : loads.largest(measure, !isWhole)) || 1;
            time.textContent = isWhole
                ? t("the whole run")
                : t`${format(shown.from_s, "s")} to ${format(shown.to_s, "s")}`;
            slider.setAttribute("aria-valuetext", time.textContent);
            picture.show(at.run, values, largest, t`${name} of each link, ${time.textContent}`);
            key.replaceChildren(keyOf(name, largest, unit));
        };
        const open = () => {
            loads = new Loads(at.run);
            [bin, part] = [null, partOf(at.run)];
            Object.assign(slider, { max: loads.nBins, value: 0 });
            sliding.hidden = loads.nBins < 2;
            table.replaceChildren(busiest(at, measure));
            draw();
            said.replaceChildren(
                ...factsOf(at),
                picture.undrawn > 0 ? t` ${picture.undrawn} links are not drawn: their positions are unknown.` : "",
                picture.idle > 0 ? t` ${picture.idle} hosts have nothing to do, and are not drawn.` : "",
            );
        };
        const at = followRun(frame, study, isUsed, open);
        frame.choose(
            t("color"),
            Object.entries(measures).map(([value, { name }]) => ({ name, value })),
            measure,
            value => {
                measure = value;
                table.replaceChildren(busiest(at, measure));
                draw();
            },
        );
        onWindow(() => {
            const now = partOf(at.run);
            if (now === null && part === null) return;
            [bin, part] = [null, now];
            draw();
        }, 60);
        onTheme(() => draw());
        new ResizeObserver(() => picture.draw()).observe(frame.body);
        frame.csv(() => [
            ["link", "from", "to", ...columns.map(([name]) => name)],
            ...at.run.links.map(link => [link.link, link.from, link.to, ...columns.map(([name]) => link[name])]),
        ]);
        frame.picture(() => picture.svg());
        open();
    },
};
