// Counts what a test checks in node or a browser, and ends it with a line that says how many.
// SPDX-License-Identifier: BSD-3-Clause
let passed = 0,
    failed = 0;

export function check(name, good, detail = "") {
    if (good) return void passed++;
    failed++;
    console.log(`FAILED: ${name}${detail ? ": " + detail : ""}`);
}

// A test that has checked nothing has failed.
export function finish() {
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
