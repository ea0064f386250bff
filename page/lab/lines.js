// Lines of a broadcast that the reader writes (src/sim/user_broadcast). Simulated a moment after the last key.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";

const pause_ms = 250;

// files: their names, the first that of the scenario's; textOf(name); value: null while nothing is changed.
export function makeLines({ files, textOf, value, onchange }) {
    let timer = null;
    const field = element("textarea", {
        rows: 12,
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        "aria-label": "lines of the broadcast",
        oninput: () => {
            clearTimeout(timer);
            timer = setTimeout(() => onchange(field.value), pause_ms);
        },
    });
    field.value = value ?? textOf(files[0]);
    const begin = ({ target }) => {
        field.value = textOf(target.value);
        onchange(field.value);
    };
    return element(
        "div",
        { class: "lines" },
        element(
            "label",
            {},
            "begin with ",
            element(
                "select",
                { onchange: begin },
                files.map(name => element("option", { value: name }, name.replace(/^own\/|\.txt$/g, ""))),
            ),
        ),
        field,
    );
}
