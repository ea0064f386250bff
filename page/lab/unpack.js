// Unpacks what a block of a page has: compressed bytes, in base64.
// SPDX-License-Identifier: BSD-3-Clause

export async function unpack(packed) {
    const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}
