// The German of what simrun writes: [pattern, German]. See translate.js for what a pattern is.
// SPDX-License-Identifier: BSD-3-Clause
import { answer } from "./answer.js";
import { causes } from "./causes.js";
import { compare } from "./compare.js";
import { growth } from "./growth.js";
import { notes } from "./notes.js";
import { refusals } from "./refusals.js";
import { report } from "./report.js";
import { words } from "./words.js";

export const rows = [...refusals, ...report, ...causes, ...growth, ...compare, ...notes, ...answer, ...words];
