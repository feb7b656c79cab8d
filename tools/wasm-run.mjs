// Runs a program of ours that was built for WebAssembly:  node wasm-run.mjs PROGRAM.wasm [ARGUMENT...]
// It sees the current folder and writes to standard output. Errors of Lua are thrown and caught here.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [file, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [file, ...args], preopens: { ".": process.cwd() }, returnOnExit: true });
let instance;

class Thrown {
    constructor(where) {
        this.where = where;
    }
}

const sistrum = {
    throw(where) {
        throw new Thrown(where);
    },
    try(run, state, data, where, status) {
        const { __indirect_function_table: table, __stack_pointer: stack, memory } = instance.exports;
        const before = stack.value;
        try {
            table.get(run)(state, data);
        } catch (error) {
            if (!(error instanceof Thrown) || error.where !== where) throw error;
            stack.value = before;
            const view = new DataView(memory.buffer);
            if (view.getInt32(status, true) === 0) view.setInt32(status, -1, true);
        }
    },
};

const module = await WebAssembly.compile(await readFile(file));
instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport, sistrum });
process.exitCode = wasi.start(instance);
