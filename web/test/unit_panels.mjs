// Laws of the page's panels that need no browser: node --test web/test/unit_panels.mjs

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { cleanName, isShared, LIMITS, pack, unpack } from "../src/page/share_code.js";
import { contextAt, keyLine, keysAt, namesIn, thingAt, tokens } from "../src/page/editor_context.js";
import {
    CAPS,
    capOf,
    isBlack,
    isForPlaying,
    keyOf,
    noteName,
    octaveFor,
    PLACES,
    velocityAt,
    windowOf,
} from "../src/page/keyboard_map.js";
import { looksLikeScala, SCALES } from "../src/page/keyboard_scales.js";
import { isForInstrument } from "../src/page/keyboard_midi.js";
import { held, printed, shareOf, typed, unitParts, valueAt } from "../src/page/knobs_value.js";
import { command, fileStem, quoted, readNpy, sha256 } from "../src/page/takeaway_command.js";
import { matches } from "../src/page/scenes.js";
import { forgetText, keepText, keptText, openText, otherText } from "../src/page/store.js";
import { inline, parts } from "../markdown.mjs";
import { outline, touchPath, wavePath } from "../thumbs.mjs";

const source = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, source), "utf8");
const base64url = (bytes) => Buffer.from(bytes).toString("base64url");

// ---------------------------------------------------------------------------- share

test("a link gives back scene, knobs, scale and A4, bit by bit", async () => {
    const it = {
        name: "tanpura",
        text: read("scenes/tanpura.lua"),
        set: { K: 1.2345678901234567e6, buzz: 0 },
        scale: SCALES[1].text,
        a4: 432,
    };
    const link = await pack(it);
    assert.ok(isShared(link) && isShared(`#${link}`));
    assert.match(link, /^s=[\w-]+$/);
    assert.deepEqual(await unpack(`#${link}`), it);
});

test("every shipped scene fits into a link of less than 8000 characters", async () => {
    for (const file of readdirSync(new URL("scenes", source)).filter((name) => name.endsWith(".lua")))
        assert.ok((await pack({ name: file, text: read(`scenes/${file}`) })).length < 8000, file);
});

test("a link that is cut or changed says so", async () => {
    const link = await pack({ name: "a", text: read("scenes/snare.lua") });
    for (let i = 0; i < 40; i++) {
        const at = 2 + Math.floor((link.length - 3) * (i / 40));
        await assert.rejects(unpack(link.slice(0, at)), /cut off|no scene/);
        const changed = link.slice(0, at) + (link[at] === "A" ? "B" : "A") + link.slice(at + 1);
        // Some changes stay valid deflate: then another text comes out, but never something else than a scene.
        await unpack(changed).then(
            (it) => assert.equal(typeof it.text, "string"),
            (error) => assert.match(error.message, /^(it|this)/),
        );
    }
    for (const bad of [
        "s=",
        "s=!!!!",
        "s=%20",
        "s=AAAA",
        "scene=x",
        "",
        `s=${base64url(deflateRawSync("[]"))}`,
        `s=${base64url(deflateRawSync("null"))}`,
        `s=${base64url(deflateRawSync('{"text": 5}'))}`,
        `s=${base64url(deflateRawSync(Buffer.from([0xff, 0xfe, 0x22])))}`,
    ])
        await assert.rejects(unpack(bad), Error);
});

test("a link that unpacks to more than its limit is stopped while it inflates", async () => {
    const bomb = deflateRawSync(Buffer.alloc(64 << 20), { level: 9 });
    assert.ok(base64url(bomb).length < LIMITS.link, "the bomb itself is small enough");
    const before = process.memoryUsage().rss;
    await assert.rejects(unpack(`s=${base64url(bomb)}`), /unpacks to more than 1024 kB/);
    assert.ok(process.memoryUsage().rss - before < 48 << 20, "it was not unpacked");
});

test("a link that is too long is refused before it is unpacked, and not made", async () => {
    await assert.rejects(unpack(`s=${"A".repeat(LIMITS.link)}`), /at most 100000/);
    const noise = Array.from({ length: 300000 }, (_, i) => ((i * 7919 + (i >> 3) * 104729) % 9973).toString(36)).join(
        " ",
    );
    await assert.rejects(pack({ name: "a", text: noise.slice(0, 900000) }), /more than|would have/);
    await assert.rejects(pack({ name: "a", text: "x".repeat(LIMITS.text + 1) }), /more than 1024 kB/);
});

test("what a link may not say is left out", async () => {
    const raw = JSON.stringify({
        v: 1,
        name: "../../<b>evil</b>\u0000.lua",
        text: "-- x",
        set: { K: "1", L: Infinity, M: 2 },
        scale: 5,
        a4: 1e9,
        more: 1,
    });
    const it = await unpack(`s=${base64url(deflateRawSync(raw))}`);
    assert.deepEqual(it, { name: "bevil/b", text: "-- x", set: { M: 2 }, scale: null, a4: null });
    assert.equal(cleanName("tanpura/fig1.lua"), "tanpura/fig1");
    assert.equal(cleanName(""), "scene");
});

// ---------------------------------------------------------------------------- where the cursor is

const known = new Set(["mass", "string", "contact", "play", "modal", "param", "preset", "spring"]);
/** | is the cursor. */
const at = (text) => contextAt(text.replace("|", ""), text.indexOf("|"), known);

test("the place of the cursor is known: word, key or value", () => {
    assert.equal(at("loc|").at, "top");
    assert.deepEqual([at("string { |").at, at("string { |").word], ["key", "string"]);
    assert.deepEqual([at("string { len| }").at, at("string { len| }").prefix], ["key", "len"]);
    assert.deepEqual([at("string({ length = 1, |").word, at("string({ length = 1, |").at], ["string", "key"]);
    assert.deepEqual([...at("string { length = 1, tension = 2, | }").keys], ["length", "tension"]);
    const value = at("contact { scheme = |");
    assert.deepEqual([value.at, value.word, value.key], ["value", "contact", "scheme"]);
    const text = at('contact { scheme = "led|');
    assert.deepEqual([text.at, text.word, text.key, text.prefix], ["text", "contact", "scheme", "led"]);
    assert.equal(at('contact { scheme = "ledger"| }').at, "value");
    assert.equal(at("-- contact { |").at, "comment");
    assert.equal(at("--[[ contact { \n string { |").at, "comment");
    assert.equal(at("--[[ contact { ]] string { |").word, "string");
    assert.equal(at("x = [[ string { |").at, "text");
    assert.equal(at("local a = { |").word, null);
    assert.equal(at("mass { mass = 0.|").at, "number");
    assert.equal(at("string { length = f(|").key, "length");
    assert.equal(at("string { length = math.|").field, "math");
    assert.equal(at("string {} |").at, "top");
});

test("a table inside a word knows the key it belongs to", () => {
    const mode = at("modal { modes = { { fre|");
    assert.deepEqual([mode.word, mode.path, mode.at], ["modal", ["modes"], "key"]);
    assert.deepEqual(at("play { cc = { [1] = |").path, ["cc"]);
    assert.equal(at("modal { modes = { { frequency = 440 } }, |").at, "key");
    assert.deepEqual(at("modal { modes = { { frequency = 440 } }, |").path, []);
});

test("every place of every shipped scene can be asked for", () => {
    for (const file of ["scenes/tromba.lua", "scenes/guitar.lua"]) {
        const text = read(file);
        for (let pos = 0; pos <= text.length; pos += 7) assert.ok(contextAt(text, pos, known).at);
        const whole = [...tokens(text)];
        for (let i = 1; i < whole.length; i++) assert.ok(whole[i].from >= whole[i - 1].to);
    }
});

test("names of a scene are found", () => {
    const found = namesIn(read("scenes/tanpura.lua"));
    assert.ok(
        ["K", "f0", "thread", "L", "lighter", "flatter", "s", "bridge"].every((name) => found.locals.includes(name)),
    );
    assert.deepEqual(found.knobs.at(-1), { name: "thread", kind: "input" });
    assert.equal(found.knobs.length, 7);
});

test("keys, help and what they take come from the schema", () => {
    const schema = {
        words: [
            {
                word: "string",
                about: "a string",
                keys: [
                    {
                        key: "length",
                        unit: "m",
                        range: "0.001 to 10000",
                        words: [],
                        default: "",
                        needed: true,
                        live: false,
                        about: "length",
                    },
                    {
                        key: "ends",
                        unit: "",
                        range: "supported, clamped",
                        words: ["supported", "clamped"],
                        default: "supported",
                        needed: false,
                        live: false,
                        about: "ends",
                    },
                ],
                example: "",
            },
            {
                word: "param",
                about: "",
                keys: [
                    {
                        key: "1: the name",
                        unit: "",
                        range: "text",
                        words: [],
                        default: "",
                        needed: true,
                        live: false,
                        about: "",
                    },
                ],
                example: "",
            },
        ],
    };
    const text = "local s = string { length = 1, ends = 2 } length = 3";
    assert.equal(thingAt(text, text.indexOf("string") + 2, schema).word.word, "string");
    assert.equal(thingAt(text, text.indexOf("length") + 2, schema).key.key, "length");
    assert.equal(thingAt(text, text.lastIndexOf("length") + 2, schema), null);
    assert.equal(keyLine(schema.words[0].keys[0]), "0.001 to 10000 m · needed");
    assert.equal(keyLine(schema.words[0].keys[1]), '"supported", "clamped" · default supported');
    assert.deepEqual(keysAt(schema, { word: "param", path: [] }), []);
});

// ---------------------------------------------------------------------------- keys and scales

test("letters play the same keys as in sistrum play", () => {
    const caps = /play_piano_caps\[[^\]]*\] = "([^"]+)"/.exec(read("app/play/play_piano.c"))[1];
    assert.equal(CAPS, caps);
    assert.equal(PLACES.size, caps.length);
    assert.equal(keyOf("KeyZ", 3), 48);
    assert.equal(keyOf("KeyQ", 3), 60);
    assert.equal(keyOf("Digit2", 3), 61);
    assert.equal(keyOf("KeyA", 3), -1);
    assert.equal(keyOf("KeyP", 9), -1);
    assert.equal(capOf(60, 3), "q");
    assert.equal(capOf(10, 3), "");
    assert.deepEqual([noteName(60), noteName(69), noteName(0), noteName(127)], ["C4", "A4", "C-1", "G9"]);
});

test("typing is not playing", () => {
    const target = (found) => ({ closest: (selector) => (selector.includes(found) ? { type: "text" } : null) });
    assert.equal(isForPlaying({ target: target("nothing") }), true);
    assert.equal(isForPlaying({ target: target("textarea") }), false);
    assert.equal(isForPlaying({ target: target("input") }), false);
    assert.equal(isForPlaying({ target: { closest: (s) => (s === "input" ? { type: "range" } : null) } }), true);
    assert.equal(isForPlaying({ ctrlKey: true, target: target("nothing") }), false);
});

test("the keyboard shows the range of the scene", () => {
    const range = { lowest: 28, highest: 60 };
    const octave = octaveFor(range, 3);
    assert.ok(12 * (octave + 1) <= 40);
    for (const white of [7, 14, 36]) {
        const shown = windowOf(range, white, octave);
        assert.ok(!isBlack(shown.first) && !isBlack(shown.last));
        let count = 0;
        for (let key = shown.first; key <= shown.last; key++) if (!isBlack(key)) count++;
        assert.equal(count, white);
    }
    assert.equal(octaveFor(null, 4), 4);
    assert.ok(velocityAt(-1) > 0 && velocityAt(2) === 1 && velocityAt(0.5) > velocityAt(0.1));
});

test("every scale is a Scala text whose steps rise to its period", () => {
    const cents = (step) =>
        step.includes("/") ? 1200 * Math.log2(step.split("/")[0] / step.split("/")[1]) : Number(step);
    for (const one of SCALES.filter((s) => s.text)) {
        const looked = looksLikeScala(one.text);
        assert.ok(looked.ok, one.name);
        const steps = one.text
            .trim()
            .split("\n")
            .filter((line) => !line.startsWith("!"))
            .slice(2)
            .map((line) => cents(line.trim()));
        assert.equal(steps.length, looked.count, one.name);
        for (let i = 1; i < steps.length; i++) assert.ok(steps[i] > steps[i - 1], `${one.name}: ${steps}`);
        assert.ok(Math.abs(steps.at(-1) - (one.name.startsWith("Bohlen") ? 1901.955 : 1200)) < 0.001, one.name);
    }
    const third = SCALES.find((s) => s.name === "meantone")
        .text.trim()
        .split("\n")
        .slice(-9, -8)[0];
    assert.ok(Math.abs(Number(third) - 386.31371) < 1e-4, "a major third of meantone is pure");
    assert.equal(looksLikeScala("hello").ok, false);
    assert.equal(looksLikeScala("x".repeat(70000)).ok, false);
});

test("MIDI for an instrument passes, clocks and sensing do not", () => {
    for (const bytes of [
        [0x90, 60, 100],
        [0xb3, 6, 15],
        [0xe1, 0, 64],
        [0xd2, 40],
        [0xf0, 0x7e, 0x7f, 0xf7],
    ])
        assert.ok(isForInstrument(bytes));
    for (const bytes of [[], [0xf8], [0xfe], [0x40], [0xf0, 0x41, 0xf7]]) assert.equal(isForInstrument(bytes), false);
});

// ---------------------------------------------------------------------------- knobs

test("values are printed as the program prints them", () => {
    for (const [value, text] of [
        [5e6, "5e6"],
        [10000, "1e4"],
        [9999, "9999"],
        [44.547753, "44.55"],
        [0.02, "0.02"],
        [1.5e-5, "1.5e-5"],
        [0, "0"],
        [-3.14159, "-3.142"],
        [0.0001, "0.0001"],
        [99999, "1e5"],
        [1e-12, "1e-12"],
        [123456, "1.235e5"],
        [0.99999, "1"],
    ])
        assert.equal(printed(value), text);
});

test("a knob goes from its least to its largest value, along its scale", () => {
    for (const knob of [
        { min: 1e4, max: 1e9, logarithmic: true },
        { min: -1, max: 3 },
        { min: 0, max: 0.05, logarithmic: true },
    ]) {
        assert.equal(valueAt(knob, 0), knob.min);
        assert.equal(valueAt(knob, 1), knob.max);
        for (let share = 0.05; share < 1; share += 0.1)
            assert.ok(Math.abs(shareOf(knob, valueAt(knob, share)) - share) < 1e-3);
        assert.equal(held(knob, 1e30), knob.max);
        assert.equal(held(knob, -1e30), knob.min);
    }
    assert.equal(shareOf({ min: 2, max: 2 }, 2), 0);
});

test("a text there was no room for is not taken for one of another tab", () => {
    const kept = new Map();
    const there = (full) => ({
        getItem: (key) => kept.get(key) ?? null,
        removeItem: (key) => kept.delete(key),
        setItem(key, value) {
            if (full) throw new DOMException("full", "QuotaExceededError");
            kept.set(key, value);
        },
    });
    const use = (value) => Object.defineProperty(globalThis, "localStorage", { value, configurable: true });
    const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
    try {
        use(there(false));
        assert.equal(openText("mine"), null);
        assert.ok(keepText("mine", "short"));
        use(there(true));
        assert.equal(keepText("mine", "long"), false);
        assert.equal(keptText("mine").text, "short");
        assert.equal(otherText("mine"), null);
        kept.set("sistrum-scene:mine", JSON.stringify({ text: "of another tab", when: 1 }));
        assert.equal(otherText("mine").text, "of another tab");
        forgetText("mine");
        assert.equal(otherText("mine"), null);
    } finally {
        if (before) Object.defineProperty(globalThis, "localStorage", before);
        else delete globalThis.localStorage;
    }
});

test("numbers are typed as people do", () => {
    assert.deepEqual([" 5e6", "0.02", "-1", "−1", ".5", "1e-3", "+2"].map(typed), [5e6, 0.02, -1, -1, 0.5, 1e-3, 2]);
    for (const [text, value] of [["1,5", 1.5], ["0,125", 0.125], ["-,5", -0.5], ["1,25e-3", 1.25e-3]]) assert.equal(typed(text), value, text);
    for (const bad of ["", "abc", "1,500", "1,5,2", "1,5.2", ",", "1e", "0x10", "1 2"]) assert.ok(Number.isNaN(typed(bad)), bad);
    assert.deepEqual(unitParts("N/m^(alpha+1)"), [
        ["N/m", false],
        ["α+1", true],
    ]);
    assert.deepEqual(unitParts("Hz"), [["Hz", false]]);
});

// ---------------------------------------------------------------------------- take away

test("the command names scene, files and knobs", () => {
    const work = { name: "tanpura", text: "a", shipped: "a", from: "shipped" };
    assert.equal(command({ work }), "sistrum render tanpura -o tanpura.wav");
    assert.equal(
        command({
            work: { ...work, text: "b" },
            set: { K: 5e6, "wide open": 0.1 },
            duration: 2,
            files: ["npy", "wav"],
        }),
        "sistrum render tanpura.lua -o tanpura.wav --data tanpura.npy --set K=5000000 --set 'wide open=0.1' --duration 2",
    );
    assert.equal(
        command({ work: { ...work, name: "bilbao2014/fig3" } }),
        "sistrum render scenes/bilbao2014/fig3.lua -o fig3.wav",
    );
    assert.equal(quoted("it's"), "'it'\\''s'");
    assert.equal(fileStem("my scene 2"), "my_scene_2");
});

test("hashes are SHA-256, NumPy files are read", async () => {
    assert.equal(
        await sha256(new TextEncoder().encode("abc")),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }".padEnd(117) + "\n";
    const bytes = new Uint8Array(10 + 118 + 48);
    bytes.set([0x93, ...Buffer.from("NUMPY"), 1, 0, 118, 0, ...Buffer.from(header)]);
    bytes.set(new Uint8Array(new Float64Array([1, 2, 3, 4, 5, 6]).buffer), 128);
    assert.deepEqual(readNpy(bytes), { rows: 2, columns: 3, data: new Float64Array([1, 2, 3, 4, 5, 6]) });
});

// ---------------------------------------------------------------------------- pictures and pages

test("scenes are found by their words", () => {
    const scene = { name: "tanpura", title: "Tanpura", line: "a struck string buzzes", group: "Instruments" };
    assert.ok(matches(scene, "") && matches(scene, "tan") && matches(scene, "BUZZ string"));
    assert.ok(!matches(scene, "piano"));
});

test("pictures are short paths of whole numbers", () => {
    const sound = Float64Array.from({ length: 88200 }, (_, i) => Math.sin(i / 20) * Math.exp(-i / 20000));
    assert.equal(outline(sound).length, 48);
    assert.match(wavePath(sound), /^M0 \d+l[\d -]+Z$/);
    assert.ok(wavePath(sound).length < 700);
    assert.equal(touchPath(new Float64Array(100)), "");
    assert.match(touchPath(Float64Array.of(0, 1, 0, 4)), /^M2 64v-\d+M6 64v-12$/);
});

test("Markdown of the tutorial becomes HTML, and nothing of it is lost", () => {
    assert.equal(
        inline("a `b < c` **d** [e](f.md) [g](http://h)", (t) => (t.startsWith("http") ? t : null)),
        'a <code>b &lt; c</code> <strong>d</strong> e <a href="http://h">g</a>',
    );
    for (const file of readdirSync(new URL("docs/tutorial", source)).filter((name) => /^\d/.test(name))) {
        const page = read(`docs/tutorial/${file}`),
            made = parts(page);
        const words = (text) => text.replace(/<[^>]+>|&\w+;/g, " ").match(/[A-Za-z]{4,}/g) ?? [];
        const all = new Set(words(made.map((p) => p.html ?? p.code ?? `${p.words} ${p.picture}`).join(" ")));
        for (const word of words(page.replace(/\]\([^)]*\)|^```.*$/gm, " ")))
            assert.ok(all.has(word), `${file}: ${word}`);
        assert.ok(
            made.some((part) => part.language === "lua" && part.name),
            file,
        );
    }
});
