// What sistrum.wasm asks of whoever runs it: the few calls of WASI that libc makes, files in memory, and Lua's errors,
// which are thrown and caught here. Runs in a Worker, in a worklet (which has no TextDecoder, no performance) and in Node.

const BAD_FILE = 8; // EBADF of WASI
const NO_FILE = 44;
const NOT_SUPPORTED = 58;
const WORK_CLOCK = 2; // of a process, 3: of a thread
const FOLDER = 3; // its descriptor
const PAGE = 4096; // bytes of memory that an image has or has not
const WORDS = PAGE / 4; // of 32 bits
const EMPTY = 4; // pages that are cleared while one is copied

class Thrown {
    constructor(where) {
        this.where = where;
    }
}

/** The module wants to end: abort(), or an assertion. */
export class Exit extends Error {}

// ---------------------------------------------------------------------------- texts

/** UTF-8 of a text; what is no text becomes U+FFFD. */
export function encode(text) {
    if (typeof TextEncoder !== "undefined") return new TextEncoder().encode(text);
    const bytes = [];
    for (const character of text) {
        let code = character.codePointAt(0);
        if (code >= 0xd800 && code < 0xe000) code = 0xfffd;
        if (code < 0x80) bytes.push(code);
        else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
        else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
        else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    }
    return new Uint8Array(bytes);
}

/** The text of valid UTF-8, which is all that the module gives. */
export function decode(bytes) {
    if (typeof TextDecoder !== "undefined") return new TextDecoder().decode(bytes);
    let text = "";
    for (let i = 0; i < bytes.length;) {
        const first = bytes[i++];
        let more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        let code = more === 0 ? first : first & (0x3f >> more);
        for (; more > 0; more--) code = (code << 6) | (bytes[i++] & 63);
        text += String.fromCodePoint(code);
    }
    return text;
}

// ---------------------------------------------------------------------------- files in memory

/** A file that grows: what render() writes. */
class MemoryFile {
    constructor(bytes = new Uint8Array(1 << 16), size = 0) {
        this.bytes = bytes;
        this.size = size;
        this.place = 0;
    }
    reserve(size) {
        if (size <= this.bytes.length) return;
        const wider = new Uint8Array(Math.max(size, 2 * this.bytes.length));
        wider.set(this.bytes.subarray(0, this.size));
        this.bytes = wider;
    }
    write(from) {
        this.reserve(this.place + from.length);
        this.bytes.set(from, this.place);
        this.place += from.length;
        this.size = Math.max(this.size, this.place);
    }
    read(to) {
        const count = Math.max(0, Math.min(to.length, this.size - this.place));
        to.set(this.bytes.subarray(this.place, this.place + count));
        this.place += count;
        return count;
    }
}

// ---------------------------------------------------------------------------- the module

/** An instance of the module with its memory. */
export class Host {
    /** @param {WebAssembly.Module} module  @param {(done: number, all: number) => void} progress */
    constructor(module, progress = () => {}) {
        this.files = new Map(); // by descriptor
        this.disk = new Map(); // by name
        this.said = "";
        const instance = new WebAssembly.Instance(module, {
            wasi_snapshot_preview1: this.wasi(),
            sistrum: { throw: (where) => this.throw(where), try: (...all) => this.try(...all), progress },
        });
        this.exports = instance.exports;
        this.memory = instance.exports.memory;
        this.exports._initialize();
    }

    /** Views of the memory, made anew when it has moved. */
    get view() {
        if (this.seen?.buffer !== this.memory.buffer) this.seen = new DataView(this.memory.buffer);
        return this.seen;
    }
    get floats() {
        if (this.heard?.buffer !== this.memory.buffer) this.heard = new Float32Array(this.memory.buffer);
        return this.heard;
    }

    // ------------------------------------------------------------------------ Lua's errors

    throw(where) {
        throw new Thrown(where);
    }
    try(run, state, data, where, status) {
        const { __indirect_function_table: table, __stack_pointer: stack } = this.exports;
        const before = stack.value;
        try {
            table.get(run)(state, data);
        } catch (error) {
            if (!(error instanceof Thrown) || error.where !== where) {
                // The stack of JavaScript is full: so is Lua's, as far as the scene can tell.
                if (!(error instanceof RangeError)) throw error;
            }
            stack.value = before;
            const view = new DataView(this.memory.buffer);
            if (view.getInt32(status, true) === 0) view.setInt32(status, error instanceof Thrown ? -1 : 4, true);
        }
    }

    // ------------------------------------------------------------------------ WASI

    wasi() {
        const view = () => this.view;
        const known = {
            // Nobody tells how long a thread has really worked: a part of the time on the wall is taken for it, so that
            // scenes are not stopped because a machine is busy. What they do is counted all the same (script/budget.c).
            clock_time_get: (clock, _precision, to) => {
                const wall = typeof performance !== "undefined" ? performance.now() : Date.now();
                const now = Math.round(1e6 * (clock >= WORK_CLOCK ? wall / 8 : wall)), to64 = view();
                to64.setUint32(to, now % 4294967296, true); // no BigInt: it is asked many times a block
                to64.setUint32(to + 4, Math.floor(now / 4294967296), true);
                return 0;
            },
            environ_sizes_get: (count, size) => {
                view().setUint32(count, 0, true);
                view().setUint32(size, 0, true);
                return 0;
            },
            environ_get: () => 0,
            proc_exit: (code) => {
                throw new Exit(`the engine ended with ${code} ${this.said}`);
            },
            // One folder, "/", in which all files are.
            fd_prestat_get: (fd, to) => {
                if (fd !== FOLDER) return BAD_FILE;
                view().setUint8(to, 0);
                view().setUint32(to + 4, 1, true);
                return 0;
            },
            fd_prestat_dir_name: (_fd, to) => {
                view().setUint8(to, 47);
                return 0;
            },
            fd_close: (fd) => (this.files.delete(fd) || fd < 3 ? 0 : BAD_FILE),
            fd_fdstat_get: (fd, to) => {
                if (fd !== FOLDER && !this.files.has(fd)) return BAD_FILE;
                new Uint8Array(this.memory.buffer, to, 24).fill(0);
                view().setUint8(to, fd === FOLDER ? 3 : 4);
                view().setBigUint64(to + 8, 0x1fffffffn, true);
                view().setBigUint64(to + 16, 0x1fffffffn, true);
                return 0;
            },
            fd_filestat_get: (fd, to) => {
                if (!this.files.has(fd)) return BAD_FILE;
                new Uint8Array(this.memory.buffer, to, 64).fill(0);
                view().setUint8(to + 16, 4);
                view().setBigUint64(to + 32, BigInt(this.files.get(fd).size), true);
                return 0;
            },
            path_open: (_folder, _follow, path, size, how, _base, _all, _flags, to) => {
                const name = decode(new Uint8Array(this.memory.buffer, path, size).slice());
                if (!this.disk.has(name) && !(how & 1)) return NO_FILE;
                if (!this.disk.has(name) || how & 8) this.disk.set(name, new MemoryFile());
                let fd = FOLDER + 1;
                while (this.files.has(fd)) fd++;
                this.files.set(fd, this.disk.get(name));
                this.files.get(fd).place = 0;
                view().setUint32(to, fd, true);
                return 0;
            },
            fd_write: (fd, list, count, done) => this.write(fd, list, count, done),
            fd_read: (fd, list, count, done) => this.read(fd, list, count, done),
            fd_seek: (fd, offset, whence, to) => this.seek(fd, Number(offset), whence, to),
        };
        return new Proxy(known, { get: (all, name) => all[name] ?? (() => NOT_SUPPORTED) });
    }

    /** The pieces of memory that a call of writev or readv names. */
    *pieces(list, count) {
        const view = new DataView(this.memory.buffer);
        for (let i = 0; i < count; i++) {
            const start = view.getUint32(list + 8 * i, true), size = view.getUint32(list + 8 * i + 4, true);
            yield new Uint8Array(this.memory.buffer, start, size);
        }
    }
    write(fd, list, count, done) {
        let all = 0;
        const file = this.files.get(fd);
        if (!file && fd !== 1 && fd !== 2) return BAD_FILE;
        for (const piece of this.pieces(list, count)) {
            if (file) file.write(piece);
            else this.said = decode(piece).slice(0, 200);
            all += piece.length;
        }
        new DataView(this.memory.buffer).setUint32(done, all, true);
        return 0;
    }
    read(fd, list, count, done) {
        let all = 0;
        const file = this.files.get(fd);
        if (!file) return BAD_FILE;
        for (const piece of this.pieces(list, count)) all += file.read(piece);
        new DataView(this.memory.buffer).setUint32(done, all, true);
        return 0;
    }
    seek(fd, offset, whence, to) {
        const file = this.files.get(fd);
        if (!file) return BAD_FILE;
        file.place = offset + (whence === 0 ? 0 : whence === 1 ? file.place : file.size);
        new DataView(this.memory.buffer).setBigUint64(to, BigInt(file.place), true);
        return 0;
    }

    /** A file for the module to read. */
    store(name, bytes) {
        this.disk.set(name, new MemoryFile(bytes, bytes.length));
    }
    /** What it has written there; null: nothing. */
    fetch(name) {
        const file = this.disk.get(name);
        return file ? file.bytes.slice(0, file.size) : null;
    }

    // ------------------------------------------------------------------------ texts and numbers

    /** Copies bytes into the module's memory; the caller frees them. */
    put(bytes) {
        const at = this.exports.page_room(bytes.byteLength + 1);
        if (!at) throw new Exit("out of memory");
        const to = new Uint8Array(this.memory.buffer, at, bytes.byteLength + 1);
        to.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
        to[bytes.byteLength] = 0;
        return at;
    }
    /** Calls f with the addresses of texts and arrays, and frees them. */
    lend(list, f) {
        const places = list.map((one) => this.put(typeof one === "string" ? encode(one) : one));
        const result = f(...places);
        for (const place of places) this.exports.page_free(place);
        return result;
    }
    /** What the last call said. */
    text() {
        const at = this.exports.page_text(), size = this.exports.page_text_size();
        return decode(new Uint8Array(this.memory.buffer, at, size).slice());
    }

    // ------------------------------------------------------------------------ memory

    /** A copy of all memory that is in use: its pages that hold anything, one after the other, and their numbers. */
    image() {
        const count = Math.ceil(this.exports.page_used() / PAGE), words = new Int32Array(this.memory.buffer, 0, count * WORDS);
        const full = [];
        for (let page = 0; page < count; page++) if (!isEmpty(words, page * WORDS)) full.push(page);
        const bytes = new Uint8Array(full.length * PAGE), all = new Uint8Array(this.memory.buffer);
        full.forEach((page, i) => bytes.set(all.subarray(page * PAGE, (page + 1) * PAGE), i * PAGE));
        return { bytes: bytes.buffer, full: Uint32Array.from(full), count, stack: this.exports.__stack_pointer.value };
    }
    /** Goes on where an image was made: as many pages of it as `most` lets, from where the last call ended; EMPTY pages that
     * are cleared count as one. Returns whether all of it is there. */
    restore(image, most = Infinity) {
        const lack = image.count * PAGE - this.memory.buffer.byteLength;
        if (lack > 0) this.memory.grow(Math.ceil(lack / 65536));
        const to = new Uint8Array(this.memory.buffer), from = new Uint8Array(image.bytes), { full, count } = image;
        let { page = 0, next = 0 } = image;
        while (page < count && most > 0) {
            const first = page, source = next;
            if (full[next] === page) {
                while (full[next] === page && page - first < most) page++, next++;
                to.set(from.subarray(source * PAGE, next * PAGE), first * PAGE);
                most -= page - first;
            } else {
                page = Math.min(full[next] ?? count, first + Math.ceil(EMPTY * most));
                to.fill(0, first * PAGE, page * PAGE);
                most -= (page - first) / EMPTY;
            }
        }
        const whole = page === count;
        Object.assign(image, whole ? { page: 0, next: 0 } : { page, next });
        if (!whole) return false;
        this.exports.__stack_pointer.value = image.stack;
        return true;
    }
}

/** Whether a page holds nothing but zeros. */
function isEmpty(words, first) {
    for (let i = first; i < first + WORDS; i += 4) if (words[i] | words[i + 1] | words[i + 2] | words[i + 3]) return false;
    return true;
}

/** Whether this machine can run the module with SIMD: a function that makes a vector of zeros. */
export function hasSimd() {
    return WebAssembly.validate(new Uint8Array([
        0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
    ]));
}
