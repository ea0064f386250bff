// A reader's work: answers, predictions, and where controls and lines stand. It is kept in the browser, over labs and
// restarts, and can be saved as a file that `simrun marks` reads.
// SPDX-License-Identifier: BSD-3-Clause
import { t } from "../src/texts/index.js";

const place = "simrun-work",
    most_bytes = 4e6; // of a file that is taken; browsers keep about 5 MB
export const version = 1;

const isTable = value => typeof value === "object" && value !== null && !Array.isArray(value);

// A file's text as work. An error says what is wrong.
export function readWork(text) {
    if (text.length > most_bytes) throw new Error(t("The file is too large to be saved work (more than 4 MB)."));
    let work = null;
    try {
        work = JSON.parse(text);
    } catch {
        throw new Error(t("The file is not saved work: it is not JSON, or not whole."));
    }
    if (!isTable(work) || work.simrun_work !== version || !isTable(work.labs))
        throw new Error(t`The file is not saved work: it has no "simrun_work": ${version}.`);
    const labs = Object.entries(work.labs).filter(([, lab]) => isTable(lab));
    return { simrun_work: version, name: String(work.name ?? ""), labs: Object.fromEntries(labs) };
}

export class Work {
    // storage: that of the browser, or null where it is refused.
    constructor(storage) {
        this.storage = storage;
        this.isKept = storage !== null;
        this.all = { simrun_work: version, name: "", labs: {} };
        try {
            this.all = readWork(storage?.getItem(place) ?? "");
        } catch {
            // nothing has been kept yet
        }
    }

    // Returns the work on a part of a lab; null if there is none. kind is "answers", "predictions" or "values", number
    // that of the block, from 1; or "contestants", of the lab.
    get(lab, kind, number) {
        const one = this.all.labs[lab]?.[kind]?.[number];
        return isTable(one) ? one : null;
    }

    // An unchanged answer keeps the time at which it was given.
    set(lab, kind, number, { when: _, ...value }) {
        const parts = (this.all.labs[lab] ??= {});
        if (!isTable(parts[kind])) parts[kind] = {};
        const { when, ...before } = this.get(lab, kind, number) ?? {},
            isSame = when !== undefined && JSON.stringify(before) === JSON.stringify(value);
        parts[kind][number] = { ...value, when: isSame ? when : new Date().toISOString() };
        this.keep();
    }

    // Parts of a kind in place of all that are known, numbered from 1.
    setAll(lab, kind, values) {
        delete this.all.labs[lab]?.[kind];
        for (const [i, value] of values.entries()) this.set(lab, kind, i + 1, value);
        this.keep();
    }

    setName(name) {
        this.all.name = name;
        this.keep();
    }

    keep() {
        try {
            this.storage?.setItem(place, this.text());
        } catch {
            this.isKept = false; // full, or refused meanwhile
        }
    }

    erase() {
        this.all = { simrun_work: version, name: "", labs: {} };
        this.storage?.removeItem(place);
    }

    load(text) {
        this.all = readWork(text);
        this.keep();
    }

    text() {
        return JSON.stringify(this.all, null, 1) + "\n";
    }

    fileName() {
        return `${this.all.name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "") || "work"}.simrun.json`;
    }
}

// The browser's storage; null where the page may not have one, as in a sandboxed frame.
export function findStorage() {
    try {
        window.localStorage.getItem(place);
        return window.localStorage;
    } catch {
        return null;
    }
}
