// Legend of the timeline: a button for each color, which shows and hides it.
// SPDX-License-Identifier: BSD-3-Clause
import { element, svgElement } from "../dom.js";
import { onTheme, theme } from "../theme.js";
import { coloursOf, shownName } from "./view.js";
import { nameIn, t } from "../texts/index.js";

const square = colour => svgElement("rect", { x: 3, width: 12, height: 12, rx: 2, fill: colour });
const stroke = (colour, width) =>
    svgElement("line", { x1: 0, x2: 18, y1: 6, y2: 6, stroke: colour, "stroke-width": width });
const sample = shape => svgElement("svg", { width: 18, height: 12, "aria-hidden": "true" }, shape);

function button(shape, name, isOn, flip) {
    return element(
        "button",
        { type: "button", class: "series", "aria-pressed": String(isOn), onclick: flip },
        sample(shape),
        name,
    );
}

// The names that occur at all: others would only be in the way.
function used(track) {
    if (!track.isExact) return track.names.map(() => true);
    const is = track.names.map(() => false);
    for (let i = 0; i < track.name.length; i++) is[track.name[i]] = true;
    return is;
}

function group({ title, kind, names, hidden, draw, shape, onchange }) {
    const colours = coloursOf[kind](names),
        nameOf = shownName[kind];
    return element(
        "div",
        { class: "legend", role: "group", "aria-label": title },
        element("span", { class: "name" }, title),
        names
            .map(
                (name, k) =>
                    draw[k] &&
                    button(shape(colours[k]), nameOf(name), !hidden.has(name), () => {
                        if (!hidden.delete(name)) hidden.add(name);
                        onchange();
                    }),
            )
            .filter(Boolean),
    );
}

export function makeLegend(view, redrawn) {
    const box = element("div", { class: "legends" });
    const draw = () => {
        const { model, main, hidden, layers } = view;
        if (model === null) return;
        const change = () => {
            draw();
            redrawn();
        };
        const of = (title, kind, shape = square) =>
            group({
                title,
                kind,
                names: model[kind].names,
                hidden: hidden[kind],
                draw: view.usedNames[kind],
                shape,
                onchange: change,
            });
        const layer = (name, key, shape) =>
            button(shape, name, layers[key], () => {
                view.flipLayer(key);
                change();
            });
        box.replaceChildren(
            of(nameIn(main), main),
            ...(model.phases.names.length > 1 ? [of(t("phases"), "phases")] : []),
            ...(model.path ? [of(t("critical path"), "path", colour => stroke(colour, 4))] : []),
            element(
                "div",
                { class: "legend", role: "group", "aria-label": t("layers") },
                element("span", { class: "name" }, t("show")),
                model.phases.names.length > 1 ? layer(t("phases"), "phases", square(theme().soft)) : null,
                model.messages ? layer(t("messages"), "messages", stroke(theme().ink, 1)) : null,
                model.path ? layer(t("critical path"), "path", stroke(theme().ink, 4)) : null,
            ),
        );
    };
    onTheme(draw);
    return {
        box,
        draw,
        // Finds what occurs in it; draw() shows that.
        open(model) {
            view.usedNames = Object.fromEntries(
                ["states", "phases", "categories", "operations"]
                    .filter(kind => model[kind])
                    .map(kind => [kind, used(model[kind])]),
            );
            if (model.path) view.usedNames.path = model.path.names.map((_, k) => model.path.component.includes(k));
        },
    };
}
