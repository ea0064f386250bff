// The part that all panels show: one run, and the window of its time that the timeline shows. Panels change either by
// calling this module, which tells all others.
// SPDX-License-Identifier: BSD-3-Clause

const listeners = [];
let shown = { run: null, from_s: 0, to_s: Infinity, whole: true };

const tell = () => {
    for (const listener of listeners) listener(shown);
};

// The run that is looked at, an index into runs, and the part of its time; `whole` is true where that is all of it.
export const shownWindow = () => shown;

// Where `whole` is said, the window is all of the run, whatever its ends.
export function setWindow(run, from_s, to_s, whole = false) {
    shown = { run, from_s, to_s, whole };
    tell();
}

// Look at another run, all of it. Nothing happens where it is looked at already.
export function chooseRun(run) {
    if (run !== shown.run) setWindow(run, 0, Infinity, true);
}

// Before another answer is drawn.
export function forgetWindow() {
    listeners.length = 0;
    shown = { run: null, from_s: 0, to_s: Infinity, whole: true };
}

// Calls back on every change; at most once in so many milliseconds, and in any case with the last one.
export function onWindow(listener, every_ms = 0) {
    let timer = null;
    listeners.push(
        every_ms === 0
            ? listener
            : () => {
                  timer ??= setTimeout(() => {
                      timer = null;
                      listener(shown);
                  }, every_ms);
              },
    );
}
