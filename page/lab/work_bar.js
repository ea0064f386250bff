// The reader's own bar: a name, and the work as a file that is saved and loaded.
// SPDX-License-Identifier: BSD-3-Clause
import { element, save } from "../src/dom.js";
import { t } from "../src/texts/index.js";

const kept = t("Your answers, guesses and lines are kept in this browser."),
    lost = t("This browser keeps nothing for this page: save your work before you close it.");

// "The work of Ada has been loaded: 3 labs."
function sayLoaded({ name, labs }, file) {
    const who = name || file,
        count = Object.keys(labs).length;
    return count === 1
        ? t`The work of ${who} has been loaded: 1 lab.`
        : t`The work of ${who} has been loaded: ${count} labs.`;
}

// work: of work.js; onload(words) when it is another one, which a new bar says; words: what this one says at first.
export function makeWorkBar({ work, onload, words }) {
    const said = element("p", { class: "status", "aria-live": "polite" }, words ?? (work.isKept ? kept : lost)),
        name = element("input", {
            type: "text",
            autocomplete: "name",
            maxlength: 200,
            value: work.all.name,
            oninput: () => work.setName(name.value.trim()),
        }),
        file = element("input", { type: "file", accept: ".json", onchange: () => load() });
    const load = async () => {
        const [chosen] = file.files;
        if (!chosen) return;
        try {
            work.load(await chosen.text());
            onload(sayLoaded(work.all, chosen.name));
        } catch (error) {
            said.textContent = error.message;
        }
        file.value = "";
    };
    const saveWork = () => {
        if (work.all.name === "") {
            name.focus();
            return void (said.textContent = t("Write your name first, so that the file has it."));
        }
        save(work.fileName(), "application/json", work.text());
        said.textContent = t`${work.fileName()} has your work of all labs.`;
    };
    const erase = () => {
        if (!isSure.checked)
            return void (said.textContent = t("Tick the box before Erase: nothing brings your work back."));
        work.erase();
        onload(t("Your work has been erased."));
    };
    const isSure = element("input", { type: "checkbox" });
    return element(
        "section",
        { class: "work", "aria-label": t("Your work") },
        element("label", {}, t("Your name "), name),
        element("button", { type: "button", onclick: saveWork }, t("Save my work")),
        element("label", {}, t("Load saved work "), file),
        element("label", {}, isSure, t(" I am sure")),
        element("button", { type: "button", onclick: erase }, t("Erase my work")),
        said,
    );
}
