// The timeline under the hands: wheel, drag, keys, and fingers. A drag selects the window to zoom to; with Shift or
// the middle button it moves what is shown. One finger moves, two zoom.
// SPDX-License-Identifier: BSD-3-Clause
import { timeAt } from "./geometry.js";

const clampTo = ({ x, width }, at) => Math.min(Math.max(at, x), x + width);

function onWheel(view, event) {
    const rows = view.endRow - view.firstRow,
        turns = event.deltaY * (event.deltaMode === 1 ? 30 : 1);
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) view.pan((event.deltaX || turns) / 600);
    else if (event.altKey) {
        const grow = Math.round((rows * turns) / 800) || Math.sign(turns);
        view.showRows(view.firstRow - grow, view.endRow + grow);
    } else if (turns > 0 && view.isWhole)
        return; // nothing to zoom out of: the page scrolls
    else view.zoom(1.0018 ** Math.max(-400, Math.min(turns, 400)), timeAt(view.layout, view, event.offsetX));
    event.preventDefault();
}

const keys = {
    ArrowLeft: view => view.pan(-0.2),
    ArrowRight: view => view.pan(0.2),
    ArrowUp: view => view.showRows(view.firstRow - 1, view.endRow - 1),
    ArrowDown: view => view.showRows(view.firstRow + 1, view.endRow + 1),
    "+": view => view.zoom(1 / 1.5),
    "=": view => view.zoom(1 / 1.5),
    "-": view => view.zoom(1.5),
    PageUp: view =>
        view.showRows(
            view.firstRow + Math.ceil((view.endRow - view.firstRow) / 4),
            view.endRow - Math.ceil((view.endRow - view.firstRow) / 4),
        ),
    PageDown: view =>
        view.showRows(
            (view.firstRow - (view.endRow - view.firstRow) / 2) | 0,
            (view.endRow + (view.endRow - view.firstRow) / 2) | 0,
        ),
    Home: view => view.whole(),
    Escape: view => view.whole(),
};

function onKey(view, event) {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!act) return;
    act(view);
    event.preventDefault();
}

// The pointers that are down, and what the first of them began.
function followPointers(view, pointed) {
    const { canvas } = view,
        down = new Map();
    let drag = null;
    const begin = event => {
        down.set(event.pointerId, event.offsetX);
        canvas.setPointerCapture(event.pointerId);
        const moves = event.pointerType === "touch" || event.shiftKey || event.button === 1;
        drag = { moves, at: event.offsetX, from: view.from, to: view.to, xs: [...down.values()] };
        if (event.button === 1) event.preventDefault();
    };
    const move = event => {
        pointed(event);
        if (!down.has(event.pointerId)) return;
        down.set(event.pointerId, event.offsetX);
        const perPixel = (drag.to - drag.from) / view.layout.plot.width;
        if (down.size >= 2) pinch(view, drag, [...down.values()]);
        else if (drag.moves)
            view.show(drag.from - (event.offsetX - drag.at) * perPixel, drag.to - (event.offsetX - drag.at) * perPixel);
        else {
            const ends = [drag.at, event.offsetX].map(x => clampTo(view.layout.plot, x)).sort((a, b) => a - b);
            view.selection = ends[1] - ends[0] > 3 ? ends : null;
            view.want();
        }
    };
    const end = event => {
        down.delete(event.pointerId);
        const { selection } = view;
        view.selection = null;
        if (selection && event.type === "pointerup") view.show(...selection.map(x => timeAt(view.layout, view, x)));
        else view.want();
        if (down.size === 1) drag = { moves: true, at: [...down.values()][0], from: view.from, to: view.to };
    };
    for (const [name, handler] of [
        ["pointerdown", begin],
        ["pointermove", move],
        ["pointerup", end],
        ["pointercancel", end],
    ])
        canvas.addEventListener(name, handler);
}

// Zoom by two fingers: the times under them stay under them.
function pinch(view, drag, xs) {
    const { x: left, width } = view.layout.plot,
        [a, b] = drag.xs.map(x => drag.from + ((x - left) / width) * (drag.to - drag.from));
    const apart = xs[1] - xs[0];
    if (Math.abs(apart) < 10 || drag.xs.length < 2) return;
    const perPixel = Math.abs((b - a) / apart),
        from = a - (xs[0] - left) * perPixel;
    view.show(from, from + width * perPixel);
}

// pointed(event): the pointer is there; left(): it is gone.
export function listen(view, pointed, left) {
    const { canvas } = view;
    const ready = handler => event => {
        if (view.model !== null && view.layout) handler(event);
    };
    canvas.addEventListener(
        "wheel",
        ready(event => onWheel(view, event)),
        { passive: false },
    );
    canvas.addEventListener(
        "keydown",
        ready(event => onKey(view, event)),
    );
    canvas.addEventListener(
        "dblclick",
        ready(() => view.whole()),
    );
    canvas.addEventListener("pointerleave", left);
    followPointers(view, ready(pointed));
}
