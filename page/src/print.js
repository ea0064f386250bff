// Printing: everything takes the width of a sheet before it is drawn for paper, so that nothing is cut off.
// SPDX-License-Identifier: BSD-3-Clause

// Tables that cannot break into lines are made smaller until they fit; letters do not shrink evenly.
function fitTables() {
    for (const box of document.querySelectorAll(".scroll"))
        for (let zoom = 1; box.scrollWidth > box.clientWidth && zoom > 0.1;)
            box.style.zoom = zoom *= Math.min(box.clientWidth / box.scrollWidth, 0.99);
}

const freeTables = () => document.querySelectorAll(".scroll").forEach(box => (box.style.zoom = ""));

// A frame, as the laboratory has them, is as high as what it shows.
function fitFrame() {
    if (window.frameElement)
        window.frameElement.style.height = `${Math.ceil(document.querySelector("main").offsetHeight) + 2}px`;
}

// change(isPrinting) draws all of the page.
export function onPrint(change) {
    addEventListener("beforeprint", () => {
        document.documentElement.dataset.print = ""; // the style has the width of a sheet
        change(true);
        fitTables();
        fitFrame();
    });
    addEventListener("afterprint", () => {
        delete document.documentElement.dataset.print;
        freeTables();
        change(false);
        fitFrame();
    });
}
