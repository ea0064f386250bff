// The German of what simrun writes: [pattern, German]. See translate.js for what a pattern is.
// SPDX-License-Identifier: BSD-3-Clause
import { answer } from "./answer.js";
import { causes } from "./causes.js";
import { compare } from "./compare.js";
import { growth } from "./growth.js";
import { notes } from "./notes.js";
import { report } from "./report.js";
import { words } from "./words.js";

export { refusals } from "./refusals.js"; // of what simulates, in the page itself
export const rows = [...report, ...causes, ...growth, ...compare, ...notes, ...answer, ...words];
