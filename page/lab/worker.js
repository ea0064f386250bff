// Runs the simulator, one command after the other, apart from the page, which stays alive.
import { System } from "./wasi.js";

let module = null,
    shared = null; // files that every command may read

async function run({ id, args, files }) {
    const system = new System({
        args: ["simrun", ...args],
        files: [...shared, ...files],
        told: text => postMessage({ id, told: text }),
    });
    const start = performance.now();
    const status = await system.run(module);
    const output = system.output.slice();
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
