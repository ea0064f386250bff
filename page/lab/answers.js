// Answers that have been given, for when exactly the same is asked again: the same arguments, and the same bytes of
// files. Those that nobody has asked for longest make room.
// SPDX-License-Identifier: BSD-3-Clause

const most_bytes = 32 << 20, // of all answers
    most_key = 1 << 20; // characters of a question; one with longer files is not kept

// Each byte is a character of its own.
const decoder = new TextDecoder("windows-1252");

export class Answers {
    constructor() {
        this.forget();
    }

    // The key of a question; null where it is not kept.
    keyOf(args, files) {
        if (files.reduce((sum, [, bytes]) => sum + bytes.length, 0) > most_key) return null;
        return JSON.stringify([args, files.map(([name, bytes]) => [name, decoder.decode(bytes)])]);
    }

    get(key) {
        const answer = this.all.get(key);
        if (!answer) return null;
        this.all.delete(key); // the newest ones stand last
        this.all.set(key, answer);
        return answer;
    }

    // answer: { status, output, ... }. One that was broken off, of which status is below 0, is not kept.
    add(key, answer) {
        if (key === null || answer.status < 0 || answer.output.length > most_bytes) return;
        if (this.all.has(key)) return;
        this.all.set(key, answer);
        this.bytes += answer.output.length + key.length;
        for (const [oldest, { output }] of this.all) {
            if (this.bytes <= most_bytes) break;
            this.all.delete(oldest);
            this.bytes -= output.length + oldest.length;
        }
    }

    forget() {
        this.all = new Map();
        this.bytes = 0;
    }
}
