// node print.mjs TIMELINE_DATA.JS FILE: what the page's decoder makes of an encoding, as `unit timeline FILE BYTES`
// prints it.
// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { decodeTimeline } = await import(pathToFileURL(process.argv[2]));
const timeline = decodeTimeline(new Uint8Array(readFileSync(process.argv[3])));
const { nRanks, nLocations, end_ps, unit_ps, intervals, messages, segments, bins } = timeline;
const lines = [`timeline ${nRanks} ${nLocations} ${end_ps} ${unit_ps}`];
const names = [
    timeline.stateNames,
    timeline.categoryNames,
    timeline.operationNames,
    timeline.scopeNames,
    timeline.componentNames,
];
names.forEach((some, i) => some.forEach(name => lines.push(`name ${i} ${name}`)));
lines.push(`all ${intervals.all} ${messages.all} ${segments.all}`);
for (let location = 0; location < nLocations; location++)
    for (let i = intervals.first[location]; i < intervals.first[location + 1]; i++) {
        const { state, kind, scope, category, operation } = intervals.classes,
            c = intervals.class[i];
        lines.push(
            `interval ${location} ${intervals.start[i] * unit_ps} ${intervals.length[i] * unit_ps} ` +
                `${state[c]} ${kind[c]} ${scope[c]} ${category[c]} ${operation[c]}`,
        );
    }
for (let i = 0; i < messages.count; i++)
    lines.push(
        `message ${messages.from[i]} ${messages.to[i]} ${messages.sent[i] * unit_ps} ` +
            `${messages.received[i] * unit_ps} ${messages.bytes[i]} ${messages.tag[i]}`,
    );
for (let i = 0; i < segments.count; i++)
    lines.push(
        `segment ${segments.location[i]} ${segments.start[i] * unit_ps} ${segments.length[i] * unit_ps} ` +
            `${segments.component[i]} ${segments.scope[i]}`,
    );
lines.push(`bins ${bins.nRows} ${bins.nBins} ${bins.locationsPerRow} ${bins.bin_ps} ${bins.cell_ps}`);
bins.states.forEach(cells => lines.push(`state ${cells * bins.cell_ps}`));
bins.scopes.forEach(cells => lines.push(`scope ${cells * bins.cell_ps}`));
process.stdout.write(lines.join("\n") + "\n");
