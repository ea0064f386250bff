// Makes the page: bundles the scripts with the chart library, compresses them, and puts them into one HTML file, in
// which <!--data--> stands where the data go.
//     node build.mjs FOLDER-WITH-NODE_MODULES OUTPUT
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleScript, bundleStyle, folder, german, pack } from "./bundle.mjs";
import { noticeOfPackage, writeNotices } from "./notices.mjs";

const [, , packages, output] = process.argv;
const embedded = new Set(),
    script = pack(await bundleScript(packages, "src/main.js", embedded)),
    notices = writeNotices([...embedded].sort().map(name => noticeOfPackage(packages, name))),
    style = bundleStyle(packages, "src/page.css");
const page = readFileSync(join(folder, "src/shell.html"), "utf8")
    .replace("/*style*/", () => style)
    .replace("/*licenses*/", () => pack(notices))
    .replace("/*german*/", () => pack(german.german))
    .replace("/*script*/", () => script);
writeFileSync(output + ".partial", page);
renameSync(output + ".partial", output);
