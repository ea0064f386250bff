// Motion: a moment that moves over the timeline, and the machine's links below it as they are loaded at that moment. It
// takes what is shown of the run from left to right in ten seconds, or bin by bin, as links are recorded.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../dom.js";
import { format } from "../numbers.js";
import { Loads } from "../topology/loads.js";
import { Picture } from "../topology/picture.js";
import { xOf } from "./geometry.js";
import { t } from "../texts/index.js";

const whole_ms = 10000; // what is shown takes
const steps = 100; // of what is shown, where no links are recorded

export const hasLinks = run => run.nodes?.length > 1 && run.link_bins?.rows?.length > 0;

export class Player {
    // view: the timeline's. runOf(): the run that it shows.
    constructor(view, runOf) {
        Object.assign(this, { view, runOf, at: null, timer: null });
        this.mark = element("div", { class: "moment", hidden: true });
        this.flip = element("button", { type: "button", onclick: () => this.flipPlay() }, t("Play"));
        this.said = element("output", { class: "figures" });
        this.picture = new Picture(() => {});
        this.machine = element("div", { class: "played", hidden: true }, this.picture.canvas);
        this.buttons = element(
            "div",
            { class: "controls player" },
            this.flip,
            element("button", { type: "button", onclick: () => this.step() }, t("Step")),
            this.said,
        );
    }

    // Another run, or another answer: nothing moves.
    open() {
        this.pause();
        this.at = null;
        this.loads = hasLinks(this.runOf()) ? new Loads(this.runOf()) : null;
        this.machine.hidden = this.mark.hidden = true;
        this.said.textContent = "";
    }

    flipPlay() {
        if (this.timer !== null) return this.pause();
        const { view } = this;
        if (this.at === null || this.at < view.from || this.at >= view.to) this.at = view.from;
        this.flip.textContent = t("Pause");
        let before = performance.now();
        const move = now => {
            const { from, to } = view;
            this.at = Math.min(this.at + ((to - from) * (now - before)) / whole_ms, to);
            before = now;
            this.show();
            if (this.at >= to || !this.mark.isConnected) this.pause();
            else this.timer = requestAnimationFrame(move);
        };
        this.timer = requestAnimationFrame(move);
    }

    pause() {
        if (this.timer !== null) cancelAnimationFrame(this.timer);
        this.timer = null;
        this.flip.textContent = t("Play");
    }

    // On to the middle of the next bin; to the first one behind the last.
    step() {
        this.pause();
        const { view, loads } = this,
            length = loads ? loads.bin_s / view.model.unit_s : (view.to - view.from) / steps,
            next = this.at === null ? view.from : (Math.floor(this.at / length) + 1.5) * length;
        this.at = next < view.from || next >= view.to ? view.from : next;
        this.show();
    }

    // The moment, where the window has it.
    place() {
        const { view, at, mark } = this;
        mark.hidden = at === null || at < view.from || at > view.to || !view.layout;
        if (mark.hidden) return;
        const { plot } = view.layout;
        mark.style.transform = `translateX(${xOf(view.layout, view, at)}px)`;
        mark.style.top = `${plot.y}px`;
        mark.style.height = `${plot.height}px`;
    }

    show() {
        const time_s = this.at * this.view.model.unit_s;
        this.place();
        this.said.textContent = format(time_s, "s");
        if (this.loads) this.showLinks(Math.min(Math.floor(time_s / this.loads.bin_s), this.loads.nBins - 1));
    }

    // The busy share of links in a bin; a color means the same in all of them.
    showLinks(bin) {
        const { loads, machine, picture } = this;
        if (!machine.hidden && bin === this.bin) return;
        machine.hidden = false;
        this.bin = bin;
        const part = loads.partOf(bin),
            words = t`busy share of each link, ${format(part.from_s, "s")} to ${format(part.to_s, "s")}`;
        picture.show(this.runOf(), loads.values("busy_s", part), loads.largest("busy_s", true) || 1, words);
    }
}
