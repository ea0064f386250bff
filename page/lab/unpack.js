// Unpacks what a block of a page has: compressed bytes, in base64.
// SPDX-License-Identifier: BSD-3-Clause

export async function unpack(packed) {
    const text = atob(packed),
        bytes = new Uint8Array(text.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i); // much faster than Uint8Array.from()
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}
