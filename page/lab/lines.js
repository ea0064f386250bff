// Lines of a broadcast that the reader writes (src/sim/user_broadcast). Simulated a moment after the last key.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";
import { t } from "../src/texts/index.js";

const pause_ms = 250;

// files: their names, the first that of the scenario's; textOf(name); value: null while nothing is changed.
// The box has take(text): the lines that stand in another experiment.
export function makeLines({ files, textOf, value, onchange }) {
    let timer = null;
    const field = element("textarea", {
        rows: 12,
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        "aria-label": t("lines of the broadcast"),
        oninput: () => {
            name();
            clearTimeout(timer);
            timer = setTimeout(() => onchange(field.value), pause_ms);
        },
    });
    const own = element("option", { value: "" }, t("lines of your own")),
        menu = element(
            "select",
            { onchange: () => begin() },
            own,
            files.map(name => element("option", { value: name }, name.replace(/^own\/|\.txt$/g, ""))),
        );
    // The menu says whose lines they are, so that what has been changed can be chosen again.
    const name = () => {
        menu.value = files.find(file => textOf(file) === field.value) ?? "";
        own.hidden = menu.value !== "";
    };
    const begin = () => {
        clearTimeout(timer);
        field.value = textOf(menu.value);
        name();
        onchange(field.value);
    };
    const box = element("div", { class: "lines" }, element("label", {}, t("begin with "), menu), field);
    box.take = text => {
        field.value = text;
        name();
    };
    box.take(value ?? textOf(files[0]));
    return box;
}
