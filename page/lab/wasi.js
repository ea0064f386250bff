// What the simulator asks of a system (WASI, preview 1), on files in memory: a Map of names to Uint8Array. Nothing else
// of the computer is reached. A call that is not here is an error of the program, and ends it.

const done = 0,
    badf = 8,
    exist = 20,
    inval = 28,
    noent = 44,
    notdir = 54;
const kindOf = { file: 4, folder: 3, terminal: 2 };
const root = 3; // the one folder that is open from the beginning
const created = 1,
    exclusive = 4,
    truncated = 8;

export class Exit extends Error {
    constructor(status) {
        super(`status ${status}`);
        this.status = status;
    }
}

// A file that grows while it is written: its bytes, and how many of them count.
class Growing {
    constructor(bytes = new Uint8Array(0)) {
        this.bytes = bytes;
        this.length = bytes.length;
    }

    resize(length) {
        if (length > this.bytes.length) {
            const more = new Uint8Array(Math.max(length, 2 * this.bytes.length, 4096));
            more.set(this.bytes.subarray(0, this.length));
            this.bytes = more;
        } else if (length < this.length) {
            this.bytes.fill(0, length, this.length);
        }
        this.length = length;
    }

    write(bytes, at) {
        if (at + bytes.length > this.length) this.resize(at + bytes.length);
        this.bytes.set(bytes, at);
    }

    get content() {
        return this.bytes.subarray(0, this.length);
    }
}

const plainName = path => {
    const parts = [];
    for (const part of path.split("/"))
        if (part === "..") parts.pop();
        else if (part !== "" && part !== ".") parts.push(part);
    return "/" + parts.join("/");
};

// args: the words of the command, the program's name first. files: what it may read. told(text): what it says on
// standard error, as it says it. After run() `files` has what it has written, too, and `output` its standard output.
export class System {
    constructor({ args, files, told = () => {} }) {
        this.args = args;
        this.files = new Map([...files].map(([name, bytes]) => [name, new Growing(bytes)]));
        this.told = told;
        this.out = new Growing();
        this.open = [{}, {}, {}, { folder: "/" }];
        this.encoder = new TextEncoder();
        this.decoder = new TextDecoder();
    }

    get output() {
        return this.out.content;
    }

    read(name) {
        return this.files.get(name)?.content;
    }

    // The status that the program ends with.
    async run(module) {
        const calls = new Proxy(this.calls(), {
            get: (calls, name) =>
                calls[name] ??
                (() => {
                    throw new Error(`the simulator called ${String(name)}, which is not there`);
                }),
        });
        const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: calls });
        this.memory = instance.exports.memory;
        try {
            instance.exports._start();
            return 0;
        } catch (error) {
            if (error instanceof Exit) return error.status;
            throw error;
        }
    }

    // --- its memory ---

    get view() {
        if (this.seen?.buffer !== this.memory.buffer) this.seen = new DataView(this.memory.buffer);
        return this.seen;
    }

    bytes(at, length) {
        return new Uint8Array(this.memory.buffer, at, length);
    }

    text(at, length) {
        return this.decoder.decode(this.bytes(at, length));
    }

    set32(at, value) {
        this.view.setUint32(at, value, true);
    }

    set64(at, value) {
        this.view.setBigUint64(at, BigInt(value), true);
    }

    // Texts one after the other, and where each begins.
    putTexts(texts, pointers, buffer) {
        for (const text of texts) {
            const bytes = this.encoder.encode(text + "\0");
            this.set32(pointers, buffer);
            this.bytes(buffer, bytes.length).set(bytes);
            pointers += 4;
            buffer += bytes.length;
        }
        return done;
    }

    sizeTexts(texts, count, size) {
        this.set32(count, texts.length);
        this.set32(
            size,
            texts.reduce((sum, text) => sum + this.encoder.encode(text).length + 1, 0),
        );
        return done;
    }

    // The pieces of a read or a write.
    *pieces(at, count) {
        for (let i = 0; i < count; i++)
            yield [this.view.getUint32(at + 8 * i, true), this.view.getUint32(at + 8 * i + 4, true)];
    }

    // --- files ---

    isFolder(name) {
        const inside = name === "/" ? "/" : name + "/";
        return name === "/" || name === "/tmp" || [...this.files.keys()].some(file => file.startsWith(inside));
    }

    putStat(at, kind, size) {
        this.bytes(at, 64).fill(0);
        this.view.setUint8(at + 16, kind);
        this.set64(at + 24, 1);
        this.set64(at + 32, size);
        return done;
    }

    statOf(name, at) {
        const file = this.files.get(name);
        if (file) return this.putStat(at, kindOf.file, file.length);
        return this.isFolder(name) ? this.putStat(at, kindOf.folder, 0) : noent;
    }

    openFile(folder, path, flags, opened) {
        const name = plainName(this.open[folder].folder + "/" + path);
        let file = this.files.get(name);
        if (!file && this.isFolder(name)) {
            this.set32(opened, this.open.push({ folder: name }) - 1);
            return done;
        }
        if (file && flags & created && flags & exclusive) return exist;
        if (!file && !(flags & created)) return noent;
        if (!file) this.files.set(name, (file = new Growing()));
        if (flags & truncated) file.resize(0);
        this.set32(opened, this.open.push({ name, file, at: 0 }) - 1);
        return done;
    }

    writeOut(descriptor, bytes) {
        if (descriptor === 1) this.out.write(bytes, this.out.length);
        else this.told(this.decoder.decode(bytes, { stream: true }));
    }

    calls() {
        const fileOf = descriptor => this.open[descriptor]?.file;
        const write = (descriptor, at, count, total, from) => {
            const file = fileOf(descriptor);
            if (!file && descriptor !== 1 && descriptor !== 2) return badf;
            let sum = 0;
            for (const [start, length] of this.pieces(at, count)) {
                if (file) file.write(this.bytes(start, length), from + sum);
                else this.writeOut(descriptor, this.bytes(start, length).slice());
                sum += length;
            }
            this.set32(total, sum);
            return sum;
        };
        const read = (descriptor, at, count, total, from) => {
            const content = fileOf(descriptor).content;
            let sum = 0;
            for (const [start, length] of this.pieces(at, count)) {
                const part = content.subarray(from + sum, from + sum + length);
                this.bytes(start, part.length).set(part);
                sum += part.length;
                if (part.length < length) break;
            }
            this.set32(total, sum);
            return sum;
        };
        return {
            args_sizes_get: (count, size) => this.sizeTexts(this.args, count, size),
            args_get: (pointers, buffer) => this.putTexts(this.args, pointers, buffer),
            environ_sizes_get: (count, size) => this.sizeTexts([], count, size),
            environ_get: () => done,
            clock_res_get: (clock, at) => this.set64(at, 1000) ?? done,
            clock_time_get: (clock, precision, at) =>
                this.set64(at, Math.round(1e6 * (clock === 0 ? Date.now() : performance.now()))) ?? done,
            random_get: (at, length) => {
                this.bytes(at, length).fill(7);
                return done;
            },
            sched_yield: () => done,
            proc_exit: status => {
                throw new Exit(status);
            },
            fd_prestat_get: (descriptor, at) => {
                if (descriptor !== root) return badf;
                this.set32(at, 0);
                this.set32(at + 4, 1);
                return done;
            },
            fd_prestat_dir_name: (descriptor, at) => {
                this.bytes(at, 1)[0] = "/".charCodeAt(0);
                return done;
            },
            fd_fdstat_get: (descriptor, at) => {
                const open = this.open[descriptor];
                if (!open) return badf;
                this.bytes(at, 24).fill(0);
                this.view.setUint8(at, open.file ? kindOf.file : open.folder ? kindOf.folder : kindOf.terminal);
                // A terminal is what cannot seek or tell.
                const all = descriptor < root ? (1n << 6n) | (1n << 1n) : (1n << 30n) - 1n;
                this.set64(at + 8, all);
                this.set64(at + 16, all);
                return done;
            },
            fd_fdstat_set_flags: () => done,
            fd_filestat_get: (descriptor, at) => {
                const open = this.open[descriptor];
                if (!open) return badf;
                return open.file
                    ? this.putStat(at, kindOf.file, open.file.length)
                    : this.putStat(at, open.folder ? kindOf.folder : kindOf.terminal, 0);
            },
            fd_filestat_set_size: (descriptor, size) => {
                fileOf(descriptor).resize(Number(size));
                return done;
            },
            path_filestat_get: (folder, flags, at, length, stat) =>
                this.statOf(plainName(this.open[folder].folder + "/" + this.text(at, length)), stat),
            path_open: (folder, lookup, at, length, flags, rights, inherited, more, opened) =>
                this.openFile(folder, this.text(at, length), flags, opened),
            path_unlink_file: (folder, at, length) =>
                this.files.delete(plainName(this.open[folder].folder + "/" + this.text(at, length))) ? done : noent,
            path_readlink: () => inval,
            path_create_directory: () => done,
            path_remove_directory: () => done,
            path_rename: (folder, at, length, other, to, toLength) => {
                const from = plainName(this.open[folder].folder + "/" + this.text(at, length)),
                    file = this.files.get(from);
                if (!file) return noent;
                this.files.delete(from);
                this.files.set(plainName(this.open[other].folder + "/" + this.text(to, toLength)), file);
                return done;
            },
            fd_close: descriptor => {
                if (!this.open[descriptor]) return badf;
                delete this.open[descriptor];
                return done;
            },
            fd_sync: () => done,
            fd_datasync: () => done,
            fd_seek: (descriptor, offset, whence, at) => {
                const open = this.open[descriptor];
                if (!open?.file) return badf;
                const base = [0, open.at, open.file.length][whence];
                open.at = base + Number(offset);
                this.set64(at, open.at);
                return done;
            },
            fd_write: (descriptor, at, count, total) => {
                const open = this.open[descriptor],
                    sum = write(descriptor, at, count, total, open?.at ?? 0);
                if (open?.file) open.at += sum;
                return !open ? badf : done;
            },
            fd_read: (descriptor, at, count, total) => {
                const open = this.open[descriptor];
                if (descriptor === 0) {
                    this.set32(total, 0);
                    return done;
                }
                if (!open?.file) return open?.folder ? notdir : badf;
                open.at += read(descriptor, at, count, total, open.at);
                return done;
            },
            fd_pwrite: (descriptor, at, count, offset, total) => {
                write(descriptor, at, count, total, Number(offset));
                return done;
            },
            fd_pread: (descriptor, at, count, offset, total) => {
                read(descriptor, at, count, total, Number(offset));
                return done;
            },
            fd_readdir: (descriptor, buffer, length, cookie, used) => {
                const inside = this.open[descriptor].folder.replace(/\/?$/, "/");
                const names = [
                    ...new Set(
                        [...this.files.keys()]
                            .filter(name => name.startsWith(inside))
                            .map(name => name.slice(inside.length).split("/")[0]),
                    ),
                ].sort();
                let at = 0;
                for (let i = Number(cookie); i < names.length && at < length; i++) {
                    const name = this.encoder.encode(names[i]),
                        entry = new Uint8Array(24 + name.length),
                        view = new DataView(entry.buffer);
                    view.setBigUint64(0, BigInt(i + 1), true);
                    view.setBigUint64(8, BigInt(i + 1), true);
                    view.setUint32(16, name.length, true);
                    view.setUint8(20, this.files.has(inside + names[i]) ? kindOf.file : kindOf.folder);
                    entry.set(name, 24);
                    const part = entry.subarray(0, length - at);
                    this.bytes(buffer + at, part.length).set(part);
                    at += part.length;
                }
                this.set32(used, at);
                return done;
            },
        };
    }
}
