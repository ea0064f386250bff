// Puts blocks of data into the page that the build makes: JSON documents, and timelines as bytes.
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

// blocks: { id: bytes or text }. What said lacks is filled in.
export function writePage(template, output, blocks) {
    const all = { drawn: "{}", said: JSON.stringify({ title: "made up", name: "made-up", items: [] }), ...blocks };
    const text = Object.entries(all)
        .map(
            ([id, bytes]) =>
                `<script type="application/octet-stream" id="${id}">` +
                `${deflateSync(bytes).toString("base64")}</script>\n`,
        )
        .join("");
    writeFileSync(
        output,
        readFileSync(template, "utf8").replace("<!--data-->", () => text),
    );
}
