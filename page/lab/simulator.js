// The simulator, in workers: commands wait for each other; one that is not wanted any more is stopped. A command that
// takes long is shared out: each worker simulates a part of its runs, and one of them then reports on all. Answers are
// kept for when the same is asked again.
// SPDX-License-Identifier: BSD-3-Clause
import { Ahead } from "./ahead.js";
import { Answers } from "./answers.js";
import { t } from "../src/texts/index.js";

const most_workers = 4,
    short_ms = 80; // what takes no longer is not shared out

// How far it has come is written over itself.
const lastOf = text => text.split("\x1b[K").pop().trim();

// How many runs a worker says are done, and of how many.
const progressOf = text => /(\d+) of (\d+) runs(?!.*\d+ of \d+ runs)/s.exec(text)?.slice(1).map(Number);

export class Simulator {
    // module: a compiled WebAssembly.Module. files: [name, bytes] of all that commands may read. script: the worker's.
    // patience_ms: after which a command makes way for a newer one. workers: at most.
    constructor({ module, files, script, patience_ms = 300, workers = navigator.hardwareConcurrency ?? 1 }) {
        Object.assign(this, { module, files, patience_ms });
        this.url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
        this.hands = Array.from({ length: Math.min(workers, most_workers) }, () => ({ worker: null, task: null }));
        this.waiting = []; // jobs: commands of somebody
        this.jobs = []; // which have begun
        this.tasks = []; // of these jobs, for the next worker: a command, or a part of it
        this.costs = new WeakMap(); // by owner: { ms, isShared } of the last command
        this.answers = new Answers();
        this.ahead = new Ahead(this);
        this.number = 0;
    }

    // { status, output, ms }, and what went wrong in `said`; null where a newer command of the same owner has taken its
    // place, or it was stopped. A short one that has begun comes to its end, so that there is something to see while
    // a control is dragged. files: [name, bytes] that this command reads beside the others; or
    // prepare(): both, when the command begins.
    run({ owner, args, files = [], prepare = () => ({ args, files }), told = () => {} }) {
        const before = this.jobs.find(job => job.owner === owner);
        if (before && performance.now() - before.start_ms > this.patience_ms) this.stop(owner);
        this.drop(owner);
        return new Promise(resolve => {
            this.waiting.push({ owner, prepare, told, resolve });
            this.next();
        });
    }

    // Whatever the owner has asked for is not wanted any more.
    stop(owner) {
        this.drop(owner);
        const job = this.jobs.find(one => one.owner === owner);
        if (!job) return;
        this.tasks = this.tasks.filter(task => task.job !== job);
        for (const hand of this.hands.filter(({ task }) => task?.job === job)) {
            hand.worker.terminate();
            Object.assign(hand, { worker: null, task: null });
        }
        this.end(job, null);
    }

    drop(owner) {
        for (const job of this.waiting.filter(job => job.owner === owner)) job.resolve(null);
        this.waiting = this.waiting.filter(job => job.owner !== owner);
    }

    // --- jobs ---

    // Commands of one owner are answered one after the other.
    next() {
        for (const hand of this.idle) this.give(hand, this.tasks.shift());
        while (this.idle.length > 0) {
            const job = this.waiting.find(({ owner }) => !this.jobs.some(one => one.owner === owner));
            if (!job) return;
            this.waiting.splice(this.waiting.indexOf(job), 1);
            this.begin(job);
            for (const hand of this.idle) this.give(hand, this.tasks.shift());
        }
    }

    begin(job) {
        Object.assign(job, job.prepare(), { start_ms: performance.now(), said: "" });
        this.jobs.push(job);
        job.key = this.answers.keyOf(job.args, job.files);
        const known = this.answers.get(job.key);
        if (known) return this.end(job, known);
        const { ms = Infinity, isShared = true } = this.costs.get(job.owner) ?? {},
            count = isShared && ms > short_ms ? this.idle.length : 1;
        if (count > 1) this.share(job, count);
        else this.tasks.push(this.taskOf(job));
    }

    // A whole command.
    taskOf(job, { env = [], files = [], ms = 0 } = {}) {
        return {
            job,
            order: { args: job.args, files: [...job.files, ...files], env },
            told: text => {
                job.said += text;
                job.told(text);
            },
            done: answer => {
                const said = lastOf(job.said + (answer.fault ?? ""));
                if (files.length === 0) this.costs.set(job.owner, { ...this.costs.get(job.owner), ms: answer.ms });
                const whole = { ...answer, ms: ms + answer.ms, said };
                this.answers.add(job.key, whole);
                this.end(job, whole);
            },
        };
    }

    // Parts of its runs for so many workers. When all are done, one of them reports.
    share(job, count) {
        const outputs = [],
            times = [],
            runs = [];
        const report = () => {
            const files = outputs.map((bytes, i) => [`/part-${i + 1}`, bytes]),
                isShared = outputs.filter(({ length }) => length > 0).length > 1;
            this.costs.set(job.owner, { ms: times.reduce((sum, ms) => sum + ms, 0), isShared });
            this.tasks.unshift(this.taskOf(job, { env: [`SIMRUN_PARTS=${count}`], files, ms: Math.max(...times) }));
        };
        for (let i = 0; i < count; i++)
            this.tasks.push({
                job,
                order: { args: job.args, files: job.files, env: [`SIMRUN_PART=${i + 1}/${count}`] },
                told: text => {
                    const [done, total] = progressOf(text) ?? [];
                    if (!total) return;
                    runs[i] = done;
                    job.told(t`${runs.reduce((sum, n) => sum + n, 0)} of ${total} runs are done.`);
                },
                done: ({ status, output, ms }) => {
                    outputs[i] = status === 0 ? output : new Uint8Array(0);
                    times[i] = ms;
                    if (times.filter(one => one !== undefined).length === count) report();
                },
            });
    }

    end(job, answer) {
        this.jobs.splice(this.jobs.indexOf(job), 1);
        job.resolve(answer);
        this.next();
    }

    // --- workers ---

    get idle() {
        return this.hands.filter(({ task }) => task === null);
    }

    start() {
        const worker = new Worker(this.url);
        worker.postMessage({ module: this.module, files: this.files });
        worker.onmessage = ({ data }) => this.hear(worker, data);
        return worker;
    }

    give(hand, task) {
        if (!task) return;
        hand.worker ??= this.start();
        hand.task = Object.assign(task, { id: ++this.number });
        hand.worker.postMessage({ id: task.id, ...task.order });
    }

    hear(worker, { id, told, ...answer }) {
        const hand = this.hands.find(one => one.worker === worker);
        if (hand?.task?.id !== id) return;
        const { task } = hand;
        if (told !== undefined) return task.told(told);
        hand.task = null;
        task.done(answer);
        this.next();
    }
}
