// Runs the simulator, one command after the other, apart from the page, which stays alive. Its files are in memory; it
// reaches nothing else of the computer.
// SPDX-License-Identifier: BSD-3-Clause
import { ConsoleStdout, Directory, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";

let module = null,
    shared = null; // files that every command may read

// A folder in which all is allowed; the C library asks for that before it says that a file can be read.
class Root extends PreopenDirectory {
    fd_fdstat_get() {
        const answer = super.fd_fdstat_get();
        answer.fdstat.fs_rights_base = answer.fdstat.fs_rights_inherited = (1n << 30n) - 1n;
        return answer;
    }
}

// The root folder with these files, [name, bytes], whose names begin with "/".
function folderOf(files) {
    const root = new Map([["tmp", new Directory([])]]);
    for (const [name, bytes] of files) {
        const parts = name.split("/").slice(1),
            last = parts.pop();
        let folder = root;
        for (const part of parts) {
            if (!folder.has(part)) folder.set(part, new Directory([]));
            folder = folder.get(part).contents;
        }
        folder.set(last, new File(bytes));
    }
    return new Root("/", root);
}

async function run({ id, args, files, env }) {
    const written = [],
        decoder = new TextDecoder();
    const wasi = new WASI(
        ["simrun", ...args],
        env,
        [
            new OpenFile(new File([])),
            new ConsoleStdout(bytes => written.push(bytes)),
            new ConsoleStdout(bytes => postMessage({ id, told: decoder.decode(bytes, { stream: true }) })),
            folderOf([...shared, ...files]),
        ],
        { debug: false },
    );
    const start = performance.now();
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
    const status = wasi.start(instance);
    const output = new Uint8Array(await new Blob(written).arrayBuffer());
    postMessage({ id, status, output, ms: performance.now() - start }, [output.buffer]);
}

onmessage = async ({ data }) => {
    if (data.module) [module, shared] = [data.module, data.files];
    else
        try {
            await run(data);
        } catch (error) {
            postMessage({ id: data.id, status: -1, output: new Uint8Array(0), fault: String(error), ms: 0 });
        }
};
