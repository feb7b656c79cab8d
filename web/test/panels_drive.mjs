// The panels and the pages under Learn in a real browser, driven by real events: node --test web/test/panels_drive.mjs
// Needs web/dist (tools/web.sh), Chromium ($CHROMIUM or /usr/bin/chromium) and the native program ($SISTRUM).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { restingBox } from "./kit.mjs";
import { serve } from "./serve.mjs";

const source = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.SISTRUM ?? join(source, "build/release/sistrum");
const folder = mkdtempSync(join(tmpdir(), "panels-"));
const LONG = { timeout: 90000 };
let server, browser;

before(async () => {
    server = await serve();
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"],
    });
});
after(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true });
});

/** A page with a scene, in a profile of its own; every error of the page fails the test. */
async function open(path = "", options = {}, script = null) {
    const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        permissions: ["clipboard-read", "clipboard-write"],
        ...options,
    });
    const page = await context.newPage();
    page.wrong = [];
    page.on("pageerror", (error) => page.wrong.push(error.message));
    page.on(
        "console",
        (message) => message.type() === "error" && !/404/.test(message.text()) && page.wrong.push(message.text()),
    );
    if (script) await page.addInitScript(script);
    await page.goto(server.url + path);
    await page.waitForFunction(() => globalThis.sistrum?.scene || document.querySelector(".numbers"), null, LONG);
    page.done = async () => {
        assert.deepEqual(page.wrong, []);
        await context.close();
    };
    return page;
}
const said = (page) => page.textContent("[data-status]");
/** What the page asks of the engine from now on. */
const watch = (page) =>
    page.evaluate(() => {
        globalThis.asked = [];
        for (const name of ["noteOn", "noteOff", "midi", "knob", "panic", "tune"]) {
            const own = sistrum.engine[name].bind(sistrum.engine);
            sistrum.engine[name] = (...what) => (
                asked.push([name, ...what.map((one) => (one instanceof Uint8Array ? [...one] : one))]),
                own(...what)
            );
        }
    });
const asked = (page, name) => page.evaluate((which) => asked.filter((one) => one[0] === which), name);

async function edit(page) {
    await page.click("[data-tab=code]");
    await page.waitForSelector(".cm-content", LONG);
    await page.click(".cm-content");
}

test("the menu lists every shipped scene with a picture, and is reached by keys", LONG, async () => {
    const page = await open();
    await page.click('[data-open="scenes"]');
    await page.waitForSelector("button.scene");
    const shown = await page.locator("button.scene").count();
    assert.equal(shown, JSON.parse(readFileSync(join(source, "web/dist/scenes.json"))).length);
    assert.ok(shown >= 56);
    assert.equal(await page.locator("button.scene svg path.wave").count(), shown);
    await page.fill(".scenes input", "drumhead");
    assert.equal(await page.locator("button.scene:visible").count(), 1);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => sistrum.work.name === "snare" && sistrum.scene, null, LONG);
    assert.match(page.url(), /#scene=snare$/);
    await page.done();
});

test("a mistake is told at its line, is fixed, and nothing that was written is lost", LONG, async () => {
    const page = await open("#scene=guitar");
    await edit(page);
    const shipped = await page.evaluate(() => sistrum.work.text);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nmass { mas = 1 }");
    await page.waitForSelector(".cm-lint-marker-error", LONG);
    assert.match(await page.textContent(".trouble"), new RegExp(`guitar.lua:${shipped.split("\n").length + 1}: .*mas`));
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+Home");
    await page.keyboard.type("mass { mass = 1 }");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+Enter");
    await page.waitForFunction(() => document.querySelector(".trouble").hidden, null, LONG);
    const mine = await page.evaluate(() => sistrum.work.text);
    await page.reload();
    await page.waitForFunction(() => globalThis.sistrum?.scene, null, LONG);
    assert.equal(await page.evaluate(() => sistrum.work.text), mine, "it is there after a reload");
    await page.click("[data-tab=code]");
    await page.click("text=revert to the shipped scene");
    await page.waitForFunction(() => sistrum.work.text === sistrum.work.shipped);
    await page.selectOption(".older", "0");
    assert.equal(await page.evaluate(() => sistrum.work.text), mine, "there is a way back");
    await page.done();
});

test("undo stays within a scene", LONG, async () => {
    const page = await open("#scene=guitar");
    await edit(page);
    await page.keyboard.type("-- one\n");
    await page.evaluate(() => (location.hash = "scene=snare"));
    await page.waitForFunction(() => sistrum.work.name === "snare" && sistrum.scene, null, LONG);
    await page.click(".cm-content");
    for (let i = 0; i < 3; i++) await page.keyboard.press("Control+z");
    assert.equal(await page.evaluate(() => sistrum.work.text === sistrum.work.shipped), true);
    await page.done();
});

test("words, keys and values are completed from the schema, and explained", LONG, async () => {
    const page = await open();
    await edit(page);
    await page.keyboard.press("Control+End");
    const offered = async (text) => {
        await page.keyboard.type(text);
        await page.waitForSelector(".cm-tooltip-autocomplete li", LONG);
        await page.waitForTimeout(150);
        return page.evaluate(() =>
            [...document.querySelectorAll(".cm-tooltip-autocomplete li .cm-completionLabel")].map(
                (one) => one.textContent,
            ),
        );
    };
    assert.ok((await offered("\nplat")).includes("plate"));
    await page.keyboard.press("Enter");
    assert.ok((await offered("ed")).includes("edge"));
    await page.keyboard.press("Enter");
    assert.deepEqual((await offered('"')).sort(), ["clamped", "supported"]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+End");
    assert.deepEqual((await offered('\nuse "bo')).sort(), ["bodies/guitar", "bodies/soundboard", "bodies/violin"]);
    await page.keyboard.press("Escape");
    await page
        .locator(".cm-line span", { hasText: /^probe$/ })
        .first()
        .hover();
    await page.waitForSelector(".cm-tooltip-hover .help", LONG);
    assert.match(await page.textContent(".cm-tooltip-hover .help"), /an output/);
    await page.done();
});

test("knobs turn by keys, by typing, back by Delete; presets show", LONG, async () => {
    const page = await open("#scene=tanpura");
    await page.click("[data-tab=knobs]");
    await watch(page);
    await page.focus("#knob-K");
    await page.keyboard.press("ArrowRight");
    const value = await page.evaluate(() => sistrum.scene.knobs[0].value);
    assert.ok(value > 5e6);
    assert.match(await page.getAttribute("#knob-K", "aria-valuetext"), /N\/m/);
    await page.keyboard.press("Delete");
    assert.equal(await page.evaluate(() => sistrum.scene.knobs[0].value), 5e6);
    await page.keyboard.press("Enter");
    await page.keyboard.type("2e7");
    await page.keyboard.press("Enter");
    assert.deepEqual((await asked(page, "knob")).at(-1), ["knob", "K", 2e7]);
    await page.locator(".knob input.value").first().fill("1e99");
    await page.keyboard.press("Enter");
    assert.match(await said(page), /K goes from 1e4 to 1e9/);
    await page.selectOption(".knobs-head select", { label: "Leather bridge" });
    await page.waitForFunction(() => sistrum.scene.knobs[0].value === 1e5, null, LONG);
    assert.equal(Number(await page.locator(".knob input.value").first().inputValue()), 1e5);
    await page.done();
});

test("keys of the computer and of the screen play; typing does not", LONG, async () => {
    const page = await open("#scene=tanpura");
    await page.click("[data-tab=keys]");
    await watch(page);
    await page.keyboard.down("z");
    await page.waitForFunction(() => asked.some((one) => one[0] === "noteOn"), null, LONG);
    await page.keyboard.up("z");
    const [on] = await asked(page, "noteOn"),
        [off] = await asked(page, "noteOff");
    assert.equal(on[1] % 12, 0);
    assert.equal(off[1], on[1]);
    await page.keyboard.press(".");
    await page.keyboard.press("x");
    assert.equal((await asked(page, "noteOn")).at(-1)[1], on[1] + 14);
    const count = (await asked(page, "noteOn")).length;
    await page.fill(".tuning input.value", "43");
    await page.keyboard.type("2");
    assert.equal((await asked(page, "noteOn")).length, count);
    await page.keyboard.press("Tab");
    assert.equal((await asked(page, "tune")).at(-1)[1].a4, 432);
    await page.selectOption(".tuning select", { label: "Pythagorean" });
    assert.match((await asked(page, "tune")).at(-1)[1].scale, /Pythagorean/);
    const key = page.locator(".key:not(.black):not([disabled])").first();
    await key.scrollIntoViewIfNeeded();
    const box = await restingBox(key);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.95);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 1.5, box.y + box.height * 0.95);
    await page.mouse.up();
    const notes = await asked(page, "noteOn");
    assert.equal(notes.length, count + 2, "a finger that slides plays what it comes to");
    assert.ok(notes.at(-1)[2] > 0.9);
    assert.equal((await asked(page, "noteOff")).length, notes.length);
    await page.click("text=sustain");
    assert.deepEqual((await asked(page, "midi")).at(-1), ["midi", [0xb0, 64, 127]]);
    await page.done();
});

test("two fingers play two keys", LONG, async () => {
    const page = await open("#scene=tanpura", {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
    });
    await page.click("[data-tab=keys]");
    await watch(page);
    await page.waitForSelector(".key:not([disabled])");
    const boxes = await Promise.all(
        [1, 3].map((n) => restingBox(page.locator(".key:not(.black):not([disabled])").nth(n))),
    );
    const client = await page.context().newCDPSession(page);
    const touchPoints = boxes.map((box, id) => ({ x: box.x + box.width / 2, y: box.y + box.height * 0.8, id }));
    await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    await page.waitForFunction(() => asked.filter((one) => one[0] === "noteOn").length === 2, null, LONG);
    await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await page.waitForFunction(() => asked.filter((one) => one[0] === "noteOff").length === 2, null, LONG);
    await page.done();
});

test("MIDI goes to the engine as it comes, from a port that is plugged in later too", LONG, async () => {
    const page = await open("#scene=tanpura", {}, () => {
        const ports = new Map();
        globalThis.access = { inputs: ports, onstatechange: null };
        globalThis.plug = (id) => {
            ports.set(id, { id, name: `port ${id}`, state: "connected", onmidimessage: null });
            access.onstatechange?.();
        };
        Object.defineProperty(navigator, "requestMIDIAccess", { value: async () => globalThis.access });
    });
    await page.click("[data-tab=keys]");
    await watch(page);
    if (await page.locator(".midi button").isVisible()) await page.click(".midi button");
    await page.evaluate(() => plug("a"));
    assert.match(await page.textContent(".midi .aside"), /1 MIDI input/);
    const messages = [
        [0xb0, 101, 0],
        [0xb0, 100, 6],
        [0xb0, 6, 15],
        [0x91, 48, 100],
        [0xe1, 0, 70],
        [0xd1, 30],
        [0xb1, 74, 9],
        [0x81, 48, 0],
    ]; // an MPE zone, and a note in it
    await page.evaluate(
        (list) => list.forEach((bytes) => access.inputs.get("a").onmidimessage({ data: new Uint8Array(bytes) })),
        [...messages, [0xf8], [0xfe]],
    );
    assert.deepEqual(
        (await asked(page, "midi")).map((one) => one[1]),
        messages,
    );
    await page.evaluate(() => plug("b"));
    await page.selectOption(".midi select", "b");
    assert.deepEqual(
        await page.evaluate(() => [...access.inputs.values()].map((port) => Boolean(port.onmidimessage))),
        [false, true],
    );
    await page.done();
});

test("without MIDI there is a sentence", LONG, async () => {
    const page = await open("", {}, () => delete Navigator.prototype.requestMIDIAccess);
    await page.click("[data-tab=keys]");
    assert.match(await page.textContent(".midi"), /This browser has no MIDI/);
    await page.done();
});

test("a link opens the same scene with its knobs and scale in a fresh profile", LONG, async () => {
    const page = await open("#scene=snare");
    await page.click("[data-tab=take]");
    await page.evaluate(() => {
        const knob = sistrum.scene.knobs.find((one) => !one.trigger && !one.input);
        knob.value = knob.min + (knob.max - knob.min) / 3;
    });
    await page.click("text=copy a link");
    await page.waitForFunction(() => document.querySelector(".share input").value);
    const link = await page.inputValue(".share input");
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
    const text = await page.evaluate(() => [sistrum.work.text, sistrum.scene.knobs.map((k) => k.value)]);
    await page.done();
    const other = await open(link.slice(server.url.length));
    assert.deepEqual(await other.evaluate(() => [sistrum.work.text, sistrum.scene.knobs.map((k) => k.value)]), text);
    assert.match(await said(other), /comes from a link/);
    assert.equal(await other.evaluate(() => localStorage.getItem("sistrum-scene:snare")), null);
    await edit(other);
    await other.keyboard.type("-- mine\n");
    await other.waitForFunction(() => sistrum.work.from === "own");
    assert.equal(
        await other.evaluate(() => [localStorage.getItem("sistrum-scene:snare"), sistrum.work.name].join()),
        ",snare link",
        "it does not take the place of the shipped one",
    );
    await other.done();
});

test("links that are broken or too large say so, and the page lives", { timeout: 240000 }, async () => {
    for (const [fragment, words] of [
        ["s=AAAA", /cut off or changed/],
        [`s=${"A".repeat(120000)}`, /at most 100000/],
        ["scene=%E0%A4%A", /is no text/],
        ["scene=nothing_like_it", /There is no scene/],
    ]) {
        const page = await open(`#${fragment}`);
        await page.waitForFunction(
            (source) => new RegExp(source).test(document.querySelector("[data-status]").textContent),
            words.source,
            LONG,
        );
        assert.equal(await page.evaluate(() => sistrum.work.name), "tanpura");
        await page.done();
    }
});

test(
    "a WAV, an array and energies are byte for byte those of the command beside them",
    { timeout: 240000 },
    async () => {
        const page = await open("#scene=hammer_string");
        await page.click("[data-tab=take]");
        await page.fill(".seconds input", "0.5");
        for (const [kind, ending] of [
            ["wav", "wav"],
            ["npy", "npy"],
            ["csv", "csv"],
        ]) {
            const [download] = await Promise.all([
                page.waitForEvent("download", LONG),
                page.click(`[data-kind=${kind}]`),
            ]);
            await page.waitForFunction(
                (e) => document.querySelector(".takeaway p.aside[role=status]").textContent.includes(`.${e},`),
                ending,
                LONG,
            );
            const [, , ...words] = (await page.textContent(".try code")).split(" ");
            assert.deepEqual(words.slice(-2), ["--duration", "0.5"]);
            execFileSync(program, ["render", ...words, "--quiet"], {
                cwd: folder,
                env: { ...process.env, SISTRUM_SCENES: join(source, "scenes") },
            });
            assert.ok(
                readFileSync(join(folder, `hammer_string.${ending}`)).equals(readFileSync(await download.path())),
                kind,
            );
        }
        await page.click("text=hash two seconds");
        await page.waitForFunction(() => document.querySelector(".bits strong").className, null, LONG);
        assert.equal(await page.textContent(".bits strong"), "the same bits");
        await page.done();
    },
);

test("the tutorial plays and can be edited", LONG, async () => {
    const page = await open("learn/index.html#4-tanpura");
    assert.equal(
        await page.evaluate(() => sistrum.work.text),
        readFileSync(join(source, "docs/tutorial/tanpura.lua"), "utf8"),
    );
    await page.click(".live [data-play]");
    await page.waitForFunction(() => sistrum.ring?.last?.energy?.total > 0, null, LONG);
    await page.locator(".live .editor").scrollIntoViewIfNeeded();
    await page.waitForSelector(".cm-content", LONG);
    await page.click('.menu a[href="#6-tromba"]');
    await page.waitForFunction(() => sistrum.work.name === "tutorial/gong" && sistrum.scene, null, LONG);
    await page.click("text=tromba.lua: touch it, change it");
    await page.waitForFunction(() => sistrum.work.name === "tutorial/tromba" && sistrum.scene, null, LONG);
    await page.done();
});

test("a figure is drawn again when a knob turns, and shows what the paper printed", LONG, async () => {
    const page = await open("learn/index.html#blow");
    assert.match(
        await page.textContent(".numbers"),
        /\+1\.293, \+1\.660, \+1\.467, −0\.125 %\+1\.293 %\+1\.660 %\+1\.467 %−0\.125 %/,
    );
    const before = await page.getAttribute(".spot path.line0", "d");
    await page.focus("#figure-K");
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
    await page.waitForFunction((d) => document.querySelector(".spot path.line0").getAttribute("d") !== d, before, LONG);
    assert.match(await page.textContent(".numbers"), /other values/);
    await page.done();
});

test("every control has a name, on every panel", LONG, async () => {
    const page = await open("#scene=slide_guitar");
    await edit(page);
    await page.click('[data-open="scenes"]');
    await page.waitForSelector("button.scene");
    const nameless = await page.evaluate(() =>
        [...document.querySelectorAll("button, input, select, [role=slider], svg[role=img], canvas")]
            .filter((one) => {
                const label =
                    one.getAttribute("aria-label") ||
                    one.getAttribute("aria-labelledby") ||
                    one.textContent.trim() ||
                    one.labels?.length ||
                    one.title;
                return !label && !one.hidden && !one.closest(".cm-editor") && one.type !== "file";
            })
            .map((one) => one.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(nameless, []);
    await page.done();
});
