// Compiles scenes beside the page, so that neither the page nor the sound waits: the memory of a fresh instance, with
// both instruments in it, goes to the worklet as it is. Also renders files and hashes samples.
import { Host, encode } from "./host.js";
import { FRAME, HEAD, readLayout } from "./frame.js";

const NOTES_MEMORY = 8e6; // bytes of compiled notes that an image has
const PREPARE_MS = 150; // that compiling keys may take before a scene is heard, and
const EDIT_MS = 15; // before an edit of it is

let module = null;
let tuning = null;

function open(rate) {
    const host = new Host(module);
    if (!host.exports.page_open(rate, NOTES_MEMORY)) throw new Error(JSON.parse(host.text()).text);
    return host;
}

function sized(text) {
    return text === null ? -1 : encode(text).length;
}

function tune(host, { scale, keys, a4 }) {
    return host.lend([scale ?? "", keys ?? ""], (s, k) => host.exports.page_tune(s, sized(scale), k, sized(keys), a4));
}

/** Settings that the scene knows, held to its ranges: an edit may have taken a knob away. A scene that does not load says
 * so itself. */
function known(host, { text, name, settings }) {
    const bytes = encode(text), wanted = Object.entries(settings);
    if (!wanted.length) return {};
    if (!host.lend([bytes, name], (t, n) => host.exports.page_settable(t, bytes.length, n))) return {};
    const ranges = JSON.parse(host.text());
    const held = (value, [min, max]) => Math.min(Math.max(value, min ?? -Infinity), max ?? Infinity);
    return Object.fromEntries(wanted.filter(([one, value]) => ranges[one] && Number.isFinite(value))
        .map(([one, value]) => [one, held(value, ranges[one])]));
}

/** Settings as the module takes them: names one after the other, and values. */
function listed(settings) {
    const names = Object.keys(settings);
    return [names.join("\0"), Float64Array.from(names, (name) => settings[name]), names.length];
}

function takeScene(host, { text, name, settings }) {
    const bytes = encode(text), [names, values, count] = listed(settings);
    return host.lend([bytes, name, names, values], (t, n, ns, vs) =>
        host.exports.page_load(t, bytes.length, n, ns, vs, count));
}

function describe(host, { text, name, settings, rate }) {
    const e = host.exports;
    const [names, values, count] = listed(settings);
    host.lend([names, values], (ns, vs) => e.page_describe(rate, ns, vs, count));
    const { bodyNames, linkNames, linkEnds, layout: size, ...scene } = JSON.parse(host.text());
    const numbers = new Float64Array(host.memory.buffer, e.page_layout_numbers(), size);
    const layout = readLayout(numbers, { bodyNames, linkNames, linkEnds });
    Object.assign(scene, { name, text, rate, names: { bodyNames, linkNames, linkEnds }, ...layout });
    restAt(host, scene);
    return scene;
}

/** Where bodies rest: what the hand finds. */
function restAt(host, scene) {
    const e = host.exports;
    e.page_rest();
    const head = new Float64Array(host.memory.buffer, e.page_look(1), HEAD);
    const floats = new Float32Array(host.memory.buffer, e.page_shapes(), head[FRAME.floats]);
    let at = 0;
    if (head[FRAME.system] === 0) return;
    for (const body of scene.bodies) {
        if (at + body.points <= floats.length) body.rest.set(floats.subarray(at, at + body.points));
        at += body.points;
    }
}

/** Compiles keys for as long as nobody minds; the rest is compiled when it is played. */
function prepare(host, most) {
    const start = performance.now();
    host.exports.page_prepare(100);
    while (host.exports.page_work() && performance.now() - start < most);
    host.exports.page_settle();
}

const OPTIONS = { wav: "-o", npy: "--data", csv: "--energy", json: "--json" };

/** The words that a user of the program would type after `sistrum render`. */
export function wordsOf({ name, files, settings = {}, duration, rate, oversample, note, velocity, bits, normalise, gain, preset }) {
    const words = [name];
    const add = (option, value) => {
        if (value !== undefined && value !== null && value === value) words.push(option, String(value));
    };
    for (const kind of files) {
        if (!OPTIONS[kind]) throw new Error(`there is no file '${kind}': wav, npy, csv and json`);
        words.push(OPTIONS[kind], `out.${kind}`);
    }
    for (const [one, value] of Object.entries(settings)) words.push("--set", `${one}=${value}`);
    add("--duration", duration);
    add("--rate", rate);
    add("--oversample", oversample);
    add("--note", note);
    add("--velocity", velocity);
    add("--bits", bits);
    add("--normalise", normalise);
    add("--gain", gain);
    add("--preset", preset);
    return words;
}

const tasks = {
    open({ module: given }) {
        module = given;
        return { ok: true };
    },
    load(request) {
        const started = performance.now();
        const host = open(request.rate);
        request.settings = known(host, request);
        if (tuning) tune(host, tuning);
        if (request.peak > 0) host.exports.page_set_peak(request.peak);
        if (!takeScene(host, request)) return { ok: false, error: JSON.parse(host.text()) };
        const scene = describe(host, request);
        scene.peak = host.exports.page_peak();
        prepare(host, request.edit ? EDIT_MS : PREPARE_MS);
        scene.compileMs = performance.now() - started;
        const image = host.image();
        return [{ ok: true, scene, image }, [image.bytes]];
    },
    /** How loud it is: what takes longest of a load. */
    measure(request) {
        const host = open(request.rate);
        request.settings = known(host, request);
        return takeScene(host, request) ? { ok: true, peak: host.exports.page_peak() } : { ok: false };
    },
    render(request, tell) {
        const host = new Host(module, (done, all) => tell(done / all));
        request.settings = known(host, request);
        const words = wordsOf(request);
        host.store(request.name, encode(request.text));
        const code = host.lend([words.join("\0")], (at) => host.exports.page_render(at, words.length));
        if (code) return { ok: false, error: JSON.parse(host.text()) };
        const files = Object.fromEntries(request.files.map((kind) => [kind, host.fetch(`out.${kind}`)]));
        return [{ ok: true, files }, Object.values(files).map((bytes) => bytes.buffer)];
    },
    hash({ text, name }) {
        const host = new Host(module), bytes = encode(text);
        const fine = host.lend([bytes, name], (t, n) => host.exports.page_hash(t, bytes.length, n));
        return fine ? { ok: true, hash: host.text() } : { ok: false, error: JSON.parse(host.text()) };
    },
    tune({ scale, keys, a4 }) {
        const host = open(48000), wanted = { scale, keys, a4 };
        if (!tune(host, wanted)) return { ok: false, error: JSON.parse(host.text()) };
        tuning = wanted;
        return { ok: true };
    },
};

onmessage = ({ data: { id, task, ...request } }) => {
    let answer;
    try {
        answer = tasks[task](request, (done) => postMessage({ id, done }));
    } catch (error) {
        // Memory that is full and a stack that is full end here: the next task has a fresh instance.
        answer = { ok: false, error: { text: sentence(error), line: 0 } };
    }
    const [message, transfer] = Array.isArray(answer) ? answer : [answer, []];
    postMessage({ id, ...message }, transfer);
};

function sentence(error) {
    if (error instanceof RangeError) return "the scene needs more memory than a page can have";
    return `the engine stopped: ${error.message}`;
}
