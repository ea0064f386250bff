// The simulator, in a worker: commands wait for each other; one that is not wanted any more is stopped.
// SPDX-License-Identifier: BSD-3-Clause

// How far it has come is written over itself.
const lastOf = text => text.split("\x1b[K").pop().trim();

export class Simulator {
    // module: a compiled WebAssembly.Module. files: [name, bytes] of all that commands may read. script: the worker's.
    // patience_ms: after which a command makes way for a newer one.
    constructor({ module, files, script, patience_ms = 300 }) {
        this.module = module;
        this.patience_ms = patience_ms;
        this.files = files;
        this.url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
        this.waiting = [];
        this.number = 0;
        this.start();
    }

    start() {
        this.worker = new Worker(this.url);
        this.worker.postMessage({ module: this.module, files: this.files });
        this.worker.onmessage = ({ data }) => this.hear(data);
        this.job = null;
    }

    hear({ id, told, ...answer }) {
        if (this.job?.id !== id) return;
        if (told !== undefined) return this.job.told(told);
        const { resolve } = this.job;
        this.job = null;
        resolve(answer);
        this.next();
    }

    next() {
        if (this.job || this.waiting.length === 0) return;
        this.job = this.waiting.shift();
        this.job.start = performance.now();
        this.worker.postMessage({ id: this.job.id, ...this.job.prepare() });
    }

    // { status, output, ms }, and what went wrong in `said`; null where a newer command of the same owner has taken its
    // place, or it was stopped. A short one that has begun comes to its end, so that there is something to see while
    // a control is dragged. files: [name, bytes] that this command reads beside the others; or
    // prepare(): both, when the command begins.
    run({ owner, args, files = [], prepare = () => ({ args, files }), told = () => {} }) {
        if (this.job?.owner === owner && performance.now() - this.job.start > this.patience_ms) this.stop(owner);
        this.drop(owner);
        let said = "";
        return new Promise(resolve => {
            this.waiting.push({
                id: ++this.number,
                owner,
                prepare,
                told: text => {
                    said += text;
                    told(text);
                },
                resolve: answer => resolve(answer && { ...answer, said: lastOf(said + (answer.fault ?? "")) }),
            });
            this.next();
        });
    }

    drop(owner) {
        for (const job of this.waiting.filter(job => job.owner === owner)) job.resolve(null);
        this.waiting = this.waiting.filter(job => job.owner !== owner);
    }

    // Whatever the owner has asked for.
    stop(owner) {
        this.drop(owner);
        if (this.job?.owner !== owner) return;
        const { resolve } = this.job;
        this.worker.terminate();
        this.start();
        resolve(null);
        this.next();
    }
}
