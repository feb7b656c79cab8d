// The engine as the page sees it. A Worker compiles (worker.js), a worklet plays (worklet.js); both run sistrum.wasm.
import { readFrame, readLayout, restFrame, FRAME } from "./frame.js";
import { hasSimd } from "./host.js";

const RATE = 48000; // everywhere: the same samples on every machine
const MEASURE_MS = 500; // after an edit
const PATIENCE_MS = 60000; // without a sign of life of the Worker: phones are slow, and busy

/** null, or why this browser cannot. */
export function unsupported() {
    if (typeof WebAssembly !== "object") return "This browser has no WebAssembly, which the engine is made of.";
    if (typeof Worker !== "function") return "This browser has no workers, in which scenes are compiled.";
    if (globalThis.isSecureContext === false)
        return "Browsers play such sound on secure pages only: open this page by https, or from this machine.";
    if (typeof AudioContext !== "function" || typeof AudioWorkletNode !== "function")
        return "This browser has no AudioWorklet, in which the engine plays.";
    return null;
}

/** What a Worker may say, as promises; one that says nothing for too long is replaced. */
class Compiler {
    constructor(url, module) {
        this.url = url;
        this.module = module;
        this.open = new Map();
        this.count = 0;
        this.begin();
    }
    begin() {
        this.broken = false;
        this.worker = new Worker(this.url);
        this.worker.onmessage = ({ data }) => this.take(data);
        this.worker.onerror = (event) => this.fail(event.message ?? "it could not be loaded");
        this.worker.postMessage({ id: 0, task: "open", module: this.module });
        if (this.tuning) this.worker.postMessage({ id: 0, task: "tune", ...this.tuning });
    }
    ask(task, request, progress = null) {
        if (this.broken) this.begin(); // one that died while nobody waited
        if (task === "tune") this.tuning = request;
        return new Promise((resolve) => {
            const id = ++this.count;
            this.open.set(id, { resolve, progress });
            this.worker.postMessage({ id, task, ...request });
            this.wait();
        });
    }
    wait() {
        clearTimeout(this.timer);
        if (this.open.size) this.timer = setTimeout(() => this.fail("it took longer than a minute"), PATIENCE_MS);
    }
    take({ id, done, ...answer }) {
        const asked = this.open.get(id);
        if (asked && done !== undefined) asked.progress?.(done);
        else if (asked) {
            this.open.delete(id);
            asked.resolve(answer);
        }
        this.wait();
    }
    /** A new Worker; whoever waits for the old one is told. */
    fail(why) {
        this.worker.terminate();
        const all = [...this.open.values()];
        this.open.clear();
        clearTimeout(this.timer);
        for (const { resolve } of all) resolve({ ok: false, error: { text: `the scene was given up: ${why}`, line: 0 } });
        this.broken = true; // the next one that asks begins anew: one that cannot be loaded is not tried for ever
    }
}

export class Engine extends EventTarget {
    #base;
    #preparing = null;
    #starting = null;
    #module = null;
    #compiler = null;
    #renderer = null;
    #context = null;
    #node = null;
    #image = null; // for a worklet that is to come
    #request = null; // of the scene that was loaded last, for one that comes after it
    #number = 0; // of loads, and
    #loaded = 0; // of the last one that was fine
    #scene = null; // that was loaded last
    #playing = new Map(); // scenes by number, of images that may be in the worklet
    #layouts = new Map();
    #gain = 1;
    #measuring = 0; // timer
    #mode = { speed: 1, paused: false };

    constructor({ base = "./" } = {}) {
        super();
        this.#base = new URL(base, globalThis.location?.href);
        this.state = "off";
        this.rate = RATE;
    }

    #set(state) {
        if (this.state === state) return;
        this.state = state;
        this.dispatchEvent(new CustomEvent("state", { detail: { state } }));
    }
    #trouble(text) {
        this.dispatchEvent(new CustomEvent("trouble", { detail: { text } }));
    }
    #fail(text) {
        this.#set("failed");
        this.#trouble(text);
    }

    // ------------------------------------------------------------------------ opening

    /** Starts the Worker and compiles the module; needs no gesture. */
    prepare() {
        this.#preparing ??= this.#prepare().catch((error) => {
            this.#preparing = null; // it may be tried again
            this.#fail(`The engine could not be loaded: ${error.message}`);
            throw error;
        });
        return this.#preparing;
    }
    async #prepare() {
        const why = unsupported();
        if (why) throw new Error(why);
        this.#module = await this.#fetchModule(hasSimd() ? "sistrum.wasm" : "sistrum-plain.wasm");
        globalThis.performance?.mark?.("sistrum-module");
        this.#compiler = new Compiler(new URL("worker.js", this.#base), this.#module);
    }
    async #fetchModule(name) {
        const answer = await fetch(new URL(name, this.#base));
        if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
        const wasm = (answer.headers.get("content-type") ?? "").startsWith("application/wasm");
        return wasm ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
    }

    /** Sound, in a gesture of the user; again at the next one, where that did not count: of a tap only its end does. */
    start() {
        if (this.#starting) this.#context?.resume().catch(() => {});
        else if (this.#context) return this.#resume();
        this.#starting ??= this.#start().finally(() => (this.#starting = null));
        return this.#starting;
    }
    async #start() {
        const why = unsupported();
        if (why) return this.#fail(why);
        this.#set("starting");
        try {
            // Made at once, while the gesture counts.
            const context = new AudioContext({ sampleRate: RATE, latencyHint: "interactive" });
            this.#context = context;
            context.onstatechange = () => this.#contextState();
            const resumed = context.resume();
            await this.prepare();
            if (this.#scene && !this.#image) await this.#again();
            await context.audioWorklet.addModule(new URL("worklet.js", this.#base));
            await this.#makeNode(context);
            await Promise.race([resumed, new Promise((later) => setTimeout(later, 500))]);
            this.#contextState();
        } catch (error) {
            this.#context?.close?.();
            this.#context = null;
            if (this.state !== "failed") this.#fail(`The sound could not be started: ${error.message}`);
        }
    }
    async #makeNode(context) {
        const node = new AudioWorkletNode(context, "sistrum", {
            numberOfInputs: 0,
            outputChannelCount: [2],
            processorOptions: { module: this.#module },
        });
        const ready = new Promise((resolve, reject) => {
            node.onprocessorerror = () => {
                reject(new Error("the audio thread refused the engine (does the page's Content-Security-Policy allow 'wasm-unsafe-eval'?)"));
                if (this.#node === node) this.#stopped();
            };
            node.port.onmessage = ({ data }) => (data.ready ? resolve() : this.#take(data));
            setTimeout(() => reject(new Error("the audio thread did not answer")), 10000);
        });
        node.connect(context.destination);
        await ready;
        this.#node = node;
        globalThis.performance?.mark?.("sistrum-sound");
        this.#post({ do: "gain", value: this.#gain });
        if (this.#mode.speed !== 1) this.#post({ do: "speed", value: this.#mode.speed });
        if (this.#mode.paused) this.#post({ do: "pause", value: true });
        this.#sendImage();
    }
    /** The audio thread has died: the next start() makes another one. */
    #stopped() {
        this.#context.onstatechange = null;
        this.#context.close().catch(() => {});
        this.#context = this.#node = null;
        this.#fail("The audio thread stopped. Start the sound again: the scene begins anew.");
    }
    /** The image of the scene that was loaded last went with the audio thread. */
    async #again() {
        const scene = this.#scene, number = ++this.#number;
        const settings = Object.fromEntries(scene.knobs.filter((knob) => !knob.trigger).map((knob) => [knob.name, knob.value]));
        const answer = await this.#compiler.ask("load", { ...this.#request, settings, peak: scene.peak, edit: false });
        if (!answer.ok || number !== this.#number) return;
        this.#loaded = number;
        this.#playing.set(number, scene);
        this.#image = { do: "image", number, ...answer.image };
    }
    async #resume() {
        await Promise.race([this.#context.resume(), new Promise((later) => setTimeout(later, 500))]);
        this.#contextState();
    }
    #contextState() {
        if (this.state === "failed" || !this.#context) return;
        if (this.#context.state === "running") return this.#set(this.#node ? "running" : "starting");
        if (this.#node && this.state !== "suspended") {
            this.#set("suspended");
            this.#trouble("The browser holds the sound back: tap to hear it.");
        }
    }
    /** The context, for tests and meters; null before start(). */
    get context() {
        return this.#context;
    }
    get node() {
        return this.#node;
    }

    // ------------------------------------------------------------------------ scenes

    /** Compiles a scene; what sounded fades into it. `peak`: about how loud it is, where that is known, or `exact`ly.
     * `compiled`: called when it is, and awaited before it is heard; false: it is not wanted any more. */
    async load(text, name, settings = {}, { peak: known = 0, exact = false, compiled = null } = {}) {
        await this.prepare();
        const number = ++this.#number;
        // An edit begins as loud as the scene was before it, so that it is heard soon.
        const edit = this.#scene?.name === name, peak = exact || !edit ? known : this.#scene.peak;
        const request = { text, name, settings: plain(settings), rate: this.rate, peak, edit };
        const answer = await this.#compiler.ask("load", request);
        if (!answer.ok) return { ok: false, error: answer.error };
        const { scene, image } = answer;
        globalThis.performance?.mark?.("sistrum-scene");
        scene.layout = { bodies: scene.bodies, links: scene.links };
        const wanted = !compiled || (await compiled()) !== false;
        if (!wanted || number !== this.#number) return { ok: true, scene }; // a later one is on its way
        this.#scene = scene;
        this.#request = request;
        this.#loaded = number;
        this.#playing.set(number, scene);
        this.#image = { do: "image", number, ...image };
        this.#sendImage();
        clearTimeout(this.#measuring);
        if (peak && !exact) this.#measuring = setTimeout(() => this.#measure(number, request), MEASURE_MS);
        if (!this.#node) this.dispatchEvent(new CustomEvent("frame", { detail: restFrame(scene) }));
        return { ok: true, scene };
    }
    /** Ends a load that is not wanted any more, with its Worker. */
    giveUp() {
        this.#compiler?.fail("a later one is wanted");
    }
    /** How loud an edit has become, when there is time; the sound glides there. */
    async #measure(number, request) {
        const { ok, peak } = await this.#aside("measure", { ...request, peak: 0 });
        if (!ok || number !== this.#loaded || !(peak > 0)) return;
        this.#post({ do: "trim", value: this.#scene.peak / peak });
        this.#scene.peak = peak;
    }
    #sendImage() {
        if (!this.#node || !this.#image) return;
        this.#node.port.postMessage(this.#image, [this.#image.bytes]);
        this.#image = null;
    }
    /** For the scene that was loaded last: what comes before it is there waits for it. */
    #post(message) {
        this.#node?.port.postMessage({ number: this.#loaded, ...message });
    }

    // ------------------------------------------------------------------------ what the worklet says

    #take(data) {
        if (data instanceof ArrayBuffer) this.#frame(data);
        else if (data.layout !== undefined) this.#layout(data);
        else if (data.begun !== undefined) this.#begun(data.begun);
        else if (data.trouble !== undefined) this.#trouble(data.trouble);
        else if (data.knobs) this.#knobs(data);
        else if (data.memory !== undefined) this.dispatchEvent(new CustomEvent("memory", { detail: data.memory }));
    }
    #begun(number) {
        globalThis.performance?.mark?.("sistrum-begun");
        for (const other of this.#playing.keys()) if (other < number) this.#playing.delete(other);
        this.#layouts.clear();
        this.dispatchEvent(new CustomEvent("begun", { detail: { scene: this.#playing.get(number) } }));
    }
    #layout({ layout, numbers, number }) {
        const scene = this.#playing.get(number);
        if (!scene) return;
        const read = readLayout(numbers, scene.names);
        const same = read.bodies.length === scene.bodies.length && read.links.length === scene.links.length &&
            read.bodies.every((body, i) => body.points === scene.bodies[i].points && body.length === scene.bodies[i].length) &&
            read.links.every((link, i) => link.points === scene.links[i].points);
        this.#layouts.set(layout, same ? scene.layout : read);
    }
    #frame(buffer) {
        const head = new Float64Array(buffer, 0, 32), scene = this.#playing.get(head[FRAME.number]);
        const layout = this.#layouts.get(head[FRAME.layout]);
        const detail = scene && layout ? readFrame(buffer, layout, this.rate) : null;
        this.#node.port.postMessage({ do: "back", buffer }, [buffer]);
        if (detail) this.dispatchEvent(new CustomEvent("frame", { detail }));
    }
    #knobs({ knobs, number }) {
        const scene = this.#playing.get(number);
        scene?.knobs.forEach((knob, i) => (knob.value = knobs[i]));
        this.dispatchEvent(new CustomEvent("knobs", { detail: { scene } }));
    }

    // ------------------------------------------------------------------------ playing

    knob(name, value) {
        const index = this.#scene?.knobs.findIndex((knob) => knob.name === name) ?? -1;
        if (index < 0 || !Number.isFinite(value)) return;
        const knob = this.#scene.knobs[index];
        if (!knob.trigger) knob.value = Math.min(Math.max(value, knob.min), knob.max);
        this.#post({ do: "knob", index, value, trigger: knob.trigger });
    }
    preset(index) {
        if (this.#scene) this.#post({ do: "preset", index, knobs: this.#scene.knobs.length });
    }
    noteOn(key, velocity, { channel = 0, id = -1 } = {}) {
        this.#post({ do: "on", key, value: velocity, channel, note: id });
    }
    noteOff(key, { channel = 0, id = -1 } = {}) {
        this.#post({ do: "off", key, channel, note: id });
    }
    /** One message of a channel. */
    midi(bytes) {
        this.#post({ do: "midi", bytes: (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8) | ((bytes[2] ?? 0) << 16) });
    }
    async tune({ scale = null, keys = null, a4 = 0 } = {}) {
        await this.prepare();
        const wanted = { scale, keys, a4 };
        const answer = await this.#compiler.ask("tune", wanted);
        if (answer.ok) this.#post({ do: "tune", ...wanted });
        return answer;
    }
    finger(finger, { body = 0, x = 0, y = 0, press = null } = {}) {
        this.#post({ do: "finger", finger, body, x, y, press });
    }
    gain(value) {
        this.#gain = value;
        this.#post({ do: "gain", value });
    }
    panic() {
        this.#post({ do: "panic" });
    }
    speed(value) {
        this.#mode.speed = value;
        this.#post({ do: "speed", value });
    }
    pause() {
        this.#mode.paused = true;
        this.#post({ do: "pause", value: true });
    }
    resume() {
        this.#mode.paused = false;
        this.#post({ do: "pause", value: false });
    }
    step(frames = 1) {
        this.#post({ do: "step", frames });
    }

    /** Bytes of both memories of the worklet; 0: there is none. */
    memory() {
        if (!this.#node) return Promise.resolve(0);
        const told = new Promise((resolve) => this.addEventListener("memory", ({ detail }) => resolve(detail), { once: true }));
        this.#post({ do: "memory" });
        return told;
    }

    // ------------------------------------------------------------------------ files

    /** Another Worker, so that a long render holds nothing up. */
    async #aside(task, request, progress, signal) {
        await this.prepare();
        this.#renderer ??= new Compiler(new URL("worker.js", this.#base), this.#module);
        const renderer = this.#renderer, stop = () => renderer.fail("it was cancelled");
        if (signal?.aborted) return { ok: false, error: { text: "the scene was given up: it was cancelled", line: 0 } };
        signal?.addEventListener("abort", stop);
        const answer = await renderer.ask(task, request, progress);
        signal?.removeEventListener("abort", stop);
        return answer;
    }
    /** Files as the program writes them; progress(0 .. 1). More: rate, oversample, note, velocity, bits, normalise, gain,
     * preset, as the options of `sistrum render`. */
    async render({ text = this.#scene?.text, name = this.#scene?.name, settings = {}, duration = null, files = ["wav"], ...more }, progress, signal) {
        return this.#aside("render", { text, name, settings: plain(settings), duration, files, ...more }, progress, signal);
    }
    /** SHA-256 of two seconds of all probes. */
    async hash({ text = this.#scene?.text, name = this.#scene?.name } = {}) {
        const answer = await this.#aside("hash", { text, name });
        if (!answer.ok) throw new Error(answer.error.text);
        return answer.hash;
    }
}

/** Settings as a plain object of numbers; { set: { name: value } } will do. */
function plain(settings) {
    return Object.fromEntries(Object.entries(settings.set ?? settings).map(([name, value]) => [name, Number(value)]));
}
