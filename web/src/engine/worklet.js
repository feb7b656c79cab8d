// The audio thread: plays copies of the memory that the Worker has made, and cross-fades from one to the next.
// Bundled into one file, because worklets cannot import in all browsers. No fetch, no TextDecoder, no clock but Date.
import { Host, encode } from "./host.js";
import { FRAME, HEAD } from "./frame.js";
import { Slow } from "./slow.js";

const BLOCK = 128;
const FADE_SECONDS = 0.03;
const SLICE = 256; // pages of an image (1 MB) that are copied in one block: a third of a millisecond
const FRAMES_A_SECOND = 60;
const SCOPE_MOST = 8192;
const STILL_FRAMES = 10; // that are told after the last sound, so that charts see it end
const EARLY_MOST = 256; // messages that wait for their image
const OF_SCENE = new Set(["knob", "preset", "finger"]);
const EVENT = { midi: 0, on: 2, off: 3, panic: 9 };

class Sistrum extends AudioWorkletProcessor {
    constructor({ processorOptions: { module } }) {
        super();
        if (!(module instanceof WebAssembly.Module)) module = new WebAssembly.Module(module);
        this.hosts = [new Host(module), new Host(module)]; // one plays, the other takes the next image
        this.now = null;
        this.old = null; // that fades
        this.fade = 0;
        this.incoming = null;
        this.waiting = null;
        this.early = []; // messages for an image that is to come
        this.number = 0; // of the image that plays
        this.mode = { speed: 1, paused: false };
        this.next = this.mode;
        this.level = 0; // 0: the sound was cut, and comes back in this block
        this.slow = new Slow((frames) => this.run(frames));
        this.left = new Float32Array(BLOCK);
        this.right = new Float32Array(BLOCK);
        this.held = new Map(); // keys that are down
        this.controls = new Map(); // what wheels and pedals of the channels said last
        this.fingers = new Set();
        this.gain = 1;
        this.trim = 1; // what was found later about how loud the scene is
        this.shownHand = true;
        this.frames = 0; // played of this image
        this.sinceFrame = 0;
        this.moving = true;
        this.still = 0; // frames since anything moved
        this.scope = new Float32Array(SCOPE_MOST);
        this.scopeCount = 0;
        this.pool = [];
        this.layouts = new Map();
        this.layoutOf = [null, null];
        this.troubles = 0;
        this.underruns = 0;
        this.base = NaN; // ms by which the wall is before the audio clock
        this.port.onmessage = ({ data }) => this.take(data);
        this.port.postMessage({ ready: true });
    }

    // ------------------------------------------------------------------------ messages

    take(message) {
        const e = this.now?.exports;
        switch (message.do) {
            case "image":
                this.waiting = message; // the newest wins
                break;
            case "back":
                if (this.pool.length < 4) this.pool.push(message.buffer);
                break;
            case "speed":
                this.next = { ...this.next, speed: message.value };
                break;
            case "pause":
                this.next = { ...this.next, paused: message.value };
                break;
            case "step":
                this.step(message.frames);
                break;
            case "gain":
                this.gain = message.value;
                e?.page_gain(this.gain * this.trim);
                break;
            case "memory":
                this.port.postMessage({ memory: this.hosts.reduce((sum, host) => sum + host.memory.buffer.byteLength, 0) });
                break;
            case "end":
                this.ended = true;
                break;
            default:
                if (e && message.number <= this.number) this.play(message, e);
                else if (this.early.length < EARLY_MOST) this.early.push(message);
        }
    }

    play(message, e) {
        if (message.do !== "trim") this.moving = true;
        if (message.number < this.number && OF_SCENE.has(message.do)) return; // of a scene that has gone
        switch (message.do) {
            case "on":
            case "off":
            case "midi":
                this.note(message);
                this.event(message, e);
                break;
            case "knob":
                e.page_knob(message.index, message.value);
                if (message.trigger) this.shownHand = false;
                break;
            case "preset":
                e.page_preset(message.index);
                this.tellKnobs(message.knobs);
                break;
            case "finger":
                if (message.press === null) this.fingers.delete(message.finger);
                else this.fingers.add(message.finger);
                this.shownHand = true;
                e.page_finger(message.finger, message.body, message.x, message.y, message.press ?? NaN);
                break;
            case "trim":
                if (message.number === this.number) e.page_gain(this.gain * (this.trim = message.value));
                break;
            case "panic":
                this.held.clear();
                this.controls.clear();
                this.fingers.clear();
                e.page_panic();
                break;
            case "tune":
                this.tune(message);
                break;
        }
    }

    event({ do: kind, channel = 0, key = 0, note = -1, value = 0, bytes = 0 }, e) {
        e.page_event(EVENT[kind], channel, key, note, value, bytes);
    }

    /** Remembers what a new image is told again: keys that are down, wheels and pedals. */
    note(message) {
        const { do: kind, channel = 0, key, bytes = 0 } = message;
        const status = bytes & 0xf0, midiKey = (bytes >> 8) & 127, at = bytes & 15;
        const strikes = kind === "on" || (status === 0x90 && bytes >> 16 > 0);
        const place = kind === "midi" ? at * 128 + midiKey : channel * 128 + key;
        if (strikes) this.shownHand = false;
        if (kind === "midi" && status !== 0x90 && status !== 0x80) {
            if (status === 0xb0 && midiKey >= 120) this.forget(midiKey, at);
            else if (status >= 0xb0) this.controls.set(status === 0xb0 ? bytes & 0xffff : bytes & 0xff, message);
        } else if (strikes) this.held.set(place, message);
        else this.held.delete(place);
    }

    /** All sound or all notes off, reset all controllers: nothing of that channel comes again in a new image. */
    forget(control, channel) {
        if (control === 120 || control >= 123) for (const place of [...this.held.keys()]) if (place >> 7 === channel) this.held.delete(place);
        if (control === 121) for (const which of [...this.controls.keys()]) if ((which & 15) === channel) this.controls.delete(which);
    }

    tune({ scale, keys, a4 }) {
        const host = this.now;
        host.lend([scale ?? "", keys ?? ""], (s, k) =>
            host.exports.page_tune(s, scale === null ? -1 : encode(scale).length, k, keys === null ? -1 : encode(keys).length, a4));
    }

    tellKnobs(count) {
        const values = [];
        for (let i = 0; i < count; i++) values.push(this.now.exports.page_knob_value(i));
        this.port.postMessage({ knobs: values, number: this.number });
    }

    // ------------------------------------------------------------------------ images

    /** Copies the next piece of an image into the instance that does not play. */
    copyImage() {
        if (!this.incoming) {
            if (!this.waiting || this.old) return;
            this.incoming = this.waiting;
            this.waiting = null;
        }
        const image = this.incoming, host = this.hosts.find((h) => h !== this.now);
        if (!host.restore(image, this.now ? SLICE : Infinity)) return;
        this.incoming = null;
        this.begin(host, image);
    }

    begin(host, image) {
        this.old = this.now;
        this.now = host;
        this.fade = 0;
        this.number = image.number;
        this.frames = 0;
        this.layouts.clear();
        this.layoutOf = [null, null];
        this.troubles = 0;
        this.fingers.clear();
        this.moving = true;
        this.trim = 1;
        host.exports.page_gain(this.gain);
        if (!this.old) this.shownHand = true;
        for (const message of this.controls.values()) this.event(message, host.exports);
        for (const message of this.held.values()) this.event(message, host.exports);
        this.port.postMessage({ begun: image.number });
        for (const message of this.early.splice(0)) this.take(message);
        if (this.mode.paused) this.standStill();
    }

    // ------------------------------------------------------------------------ sound

    /** Runs the engine for some frames into left and right. */
    run(frames) {
        const at = this.now.exports.page_run(frames) / 4, sound = this.now.floats;
        for (let n = 0; n < frames; n++) {
            this.left[n] = sound[at + n];
            this.right[n] = sound[at + BLOCK + n];
        }
        if (this.old) this.mixOld(frames);
        this.frames += frames;
        if (this.moving) this.now.exports.page_peek(this.shownHand ? 1 : 0);
        for (let n = 0; n < frames && this.scopeCount < SCOPE_MOST; n++)
            this.scope[this.scopeCount++] = 0.5 * (this.left[n] + this.right[n]);
        return this;
    }

    mixOld(frames) {
        const at = this.old.exports.page_run(frames) / 4, sound = this.old.floats, all = FADE_SECONDS * sampleRate;
        for (let n = 0; n < frames; n++) {
            const part = Math.min(1, this.fade++ / all), stays = 0.5 + 0.5 * Math.cos(Math.PI * part);
            this.left[n] = (1 - stays) * this.left[n] + stays * sound[at + n];
            this.right[n] = (1 - stays) * this.right[n] + stays * sound[at + BLOCK + n];
        }
        if (this.fade >= all) this.old = null;
    }

    /** Frames of output at the present speed. */
    render(left, right) {
        if (this.mode.paused) {
            left.fill(0);
            right.fill(0);
        } else if (this.mode.speed === 1) {
            for (let first = 0; first < left.length; first += BLOCK) {
                const count = Math.min(BLOCK, left.length - first);
                this.run(count);
                left.set(count < BLOCK ? this.left.subarray(0, count) : this.left, first);
                right.set(count < BLOCK ? this.right.subarray(0, count) : this.right, first);
            }
        } else this.slow.render(left, right, this.mode.speed);
    }

    /** Fades over one block where speed or pause change: no click. */
    turn(left, right) {
        const turns = this.next !== this.mode;
        if (!turns && this.level === 1) return;
        for (let n = 0; n < left.length; n++) {
            const part = (n + 1) / left.length, level = turns ? this.level * (1 - part) : part;
            left[n] *= level;
            right[n] *= level;
        }
        this.level = turns ? 0 : 1;
        if (!turns) return;
        if (this.next.speed !== this.mode.speed) this.slow.clear();
        this.mode = this.next;
        if (this.mode.paused) this.standStill();
    }

    /** Nothing is heard that could fade, and what is seen is where it stands. */
    standStill() {
        this.old = null;
        this.now.exports.page_peek(this.shownHand ? 1 : 0);
        this.tellFrame(true);
    }

    process(_inputs, [output]) {
        if (this.ended) return false;
        this.copyImage();
        const left = output[0], right = output[1] ?? output[0];
        if (!this.now) return true;
        this.render(left, right);
        this.turn(left, right);
        this.now.exports.page_work();
        this.watchClock();
        this.sinceFrame += left.length;
        if (this.sinceFrame >= sampleRate / FRAMES_A_SECOND) {
            this.sinceFrame -= sampleRate / FRAMES_A_SECOND;
            this.tellTrouble();
            if (!this.mode.paused) this.tellFrame(false);
        }
        return true;
    }

    step(frames) {
        if (!this.now || !this.mode.paused) return;
        for (let left = Math.min(frames, sampleRate); left > 0; left -= BLOCK) this.run(Math.min(BLOCK, left));
        this.tellFrame(true);
    }

    /** Where the wall runs away from the audio clock, sound was missing. */
    watchClock() {
        const ahead = Date.now() - 1000 * currentTime;
        if (!(ahead < this.base + 25)) {
            if (this.base === this.base) this.underruns++;
            this.base = ahead;
        } else this.base += (ahead - this.base) * (ahead < this.base ? 0.1 : 0.0005);
    }

    tellTrouble() {
        const count = this.now.exports.page_trouble();
        if (count === this.troubles) return;
        this.troubles = count;
        this.port.postMessage({ trouble: this.now.text() });
    }

    // ------------------------------------------------------------------------ what is seen

    /** Looks at the hand or the notes; the other one where there is nothing to see. */
    look() {
        const e = this.now.exports;
        let hand = this.shownHand ? 1 : 0;
        let at = e.page_look(hand);
        let numbers = new Float64Array(this.now.memory.buffer, at, HEAD);
        const rests = hand && !this.fingers.size && numbers[FRAME.handStored] < 1e-15 && numbers[FRAME.noteVoices] > 0;
        if (numbers[FRAME.system] === 0 || rests) {
            const status = numbers.slice(FRAME.status);
            at = e.page_look(1 - hand);
            numbers = new Float64Array(this.now.memory.buffer, at, HEAD);
            if (numbers[FRAME.system] === 0) return null;
            numbers.set(status, FRAME.status); // "since the last call" was the call before
            hand = 1 - hand;
        }
        return { numbers, hand };
    }

    /** The number of what is where; tells it where it is new. */
    layout(system, hand) {
        const known = this.layoutOf[hand];
        if (known && known.system === system) return known.number;
        const e = this.now.exports, count = e.page_layout(hand);
        const bits = new Uint32Array(this.now.memory.buffer, e.page_layout_numbers(), 2 * count);
        let hash = count;
        for (let i = 0; i < bits.length; i++) hash = Math.imul(hash ^ bits[i], 16777619);
        let number = this.layouts.get(hash);
        if (number === undefined) {
            number = this.layouts.size;
            this.layouts.set(hash, number);
            const numbers = new Float64Array(this.now.memory.buffer, e.page_layout_numbers(), count).slice();
            this.port.postMessage({ layout: number, numbers, number: this.number }, [numbers.buffer]);
        }
        this.layoutOf[hand] = { system, number };
        return number;
    }

    tellFrame(always) {
        if (!always && !this.moving) {
            this.scopeCount = 0;
            // Every few frames: has anything begun to move?
            this.rest = (this.rest ?? 0) + 1;
            if (this.rest % 8) return;
        }
        const seen = this.look();
        if (!seen) {
            this.scopeCount = 0;
            return;
        }
        const { numbers, hand } = seen;
        const moves = numbers[FRAME.noteVoices] > 0 || numbers[FRAME.handStored] > 1e-15 ||
            this.fingers.size > 0 || numbers[FRAME.peak] > 1e-7;
        if (!always && !moves && !this.moving) {
            this.scopeCount = 0;
            return;
        }
        this.still = moves ? 0 : this.still + 1;
        this.moving = this.still < STILL_FRAMES;
        this.send(numbers, hand, this.layout(numbers[FRAME.system], hand));
    }

    send(numbers, hand, layout) {
        const floats = numbers[FRAME.floats], bytes = 8 * HEAD + 4 * (floats + this.scopeCount);
        let buffer = this.pool.pop();
        if (!buffer || buffer.byteLength < bytes) buffer = new ArrayBuffer(bytes + 4 * 2048);
        const head = new Float64Array(buffer, 0, HEAD), body = new Float32Array(buffer, 8 * HEAD);
        // Memory may have moved when the layout was written.
        head.set(new Float64Array(this.now.memory.buffer, numbers.byteOffset || this.now.exports.page_look(hand), HEAD));
        body.set(new Float32Array(this.now.memory.buffer, this.now.exports.page_shapes(), floats));
        body.set(this.scope.subarray(0, this.scopeCount), floats);
        head[FRAME.hand] = hand;
        head[FRAME.layout] = layout;
        head[FRAME.frames] = this.frames;
        head[FRAME.scope] = this.scopeCount;
        head[FRAME.underruns] = this.underruns;
        head[FRAME.number] = this.number;
        this.scopeCount = 0;
        this.port.postMessage(buffer, [buffer]);
    }
}

registerProcessor("sistrum", Sistrum);
