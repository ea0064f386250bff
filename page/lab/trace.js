// A trace that the reader drops on the page: it stays in the page.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../src/dom.js";
import { t } from "../src/texts/index.js";

const most_bytes = 512 * 1024 * 1024; // what a browser can hold beside the simulation

// A list of the files of a trace has names, no lines of ranks.
const isList = bytes => {
    const head = new TextDecoder().decode(bytes.subarray(0, 4096));
    const line = head.split("\n").find(one => one.trim() !== "" && !one.startsWith("#"));
    return line !== undefined && !/^\s*\d+\s+[a-zA-Z_]/.test(line);
};

const endingHelp = name =>
    /\.(otf2|def|evt)$/.test(name)
        ? t("Only the command reads OTF2. It makes TI from it: simrun --trace app.ti, with a scenario that replays it.")
        : t("A trace has the extension .ti; smpirun -trace-ti writes files with the extension .txt.");

// One trace of files: of a list and the files of ranks, these.
async function readFiles(files) {
    const wrong = files.find(({ name }) => !/\.(ti|txt|trace)$/.test(name));
    if (wrong) throw new Error(`${wrong.name}: ${endingHelp(wrong.name)}`);
    const size = files.reduce((sum, file) => sum + file.size, 0);
    if (size > most_bytes)
        throw new Error(t`The trace has ${Math.round(size / 1e6)} MB; this page accepts up to 500 MB.`);
    const parts = [];
    for (const file of files) {
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (files.length > 1 && isList(bytes)) continue;
        parts.push(bytes, new TextEncoder().encode("\n"));
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// file: what is replayed at first; onchange({ name, bytes }), or onchange(null) for that again.
export function makeTrace({ file, onchange }) {
    const said = element("p", { class: "status", "aria-live": "polite" }, t`${file} is replayed.`);
    const back = element(
        "button",
        {
            type: "button",
            hidden: true,
            onclick: () => {
                back.hidden = true;
                said.textContent = t`${file} is replayed.`;
                onchange(null);
            },
        },
        t("Back to the lab's trace"),
    );
    const take = async files => {
        if (files.length === 0) return;
        try {
            const bytes = await readFiles([...files]);
            const more = files.length > 1 ? t`, with ${files.length - 1} more files,` : "";
            said.textContent = t`${files[0].name}${more} is replayed.`;
            back.hidden = false;
            onchange({ name: files[0].name, bytes });
        } catch (error) {
            said.textContent = error.message;
        }
    };
    const box = element(
        "div",
        {
            class: "drop",
            ondragover: event => event.preventDefault(),
            ondrop: event => {
                event.preventDefault();
                take(event.dataTransfer.files);
            },
        },
        element(
            "label",
            {},
            t("Drop a trace (.ti) here, or choose its files: "),
            element("input", { type: "file", multiple: true, onchange: ({ target }) => take(target.files) }),
        ),
        back,
        said,
    );
    return box;
}
