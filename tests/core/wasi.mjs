// Runs a WebAssembly program for WASI with the standard streams of this process, and its files: node wasi.mjs PROGRAM.wasm ARGUMENT...
// SPDX-License-Identifier: BSD-3-Clause
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: process.argv.slice(2), preopens: { "/": "/" }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
