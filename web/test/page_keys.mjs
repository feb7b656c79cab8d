// Notes in a real browser: keys of the screen and of the computer, MIDI by a port that is not there, sustain, scales.
import { check, choose, listen, openPanel, pause, restingBox, run, status } from "./kit.mjs";

/** A MIDI port that the test plays: globalThis.port.say([0x90, 60, 100]). */
const stub = () => {
  const port = { id: "1", name: "Stub", state: "connected", type: "input", onmidimessage: null, say(bytes) { this.onmidimessage?.({ data: new Uint8Array(bytes), timeStamp: performance.now() }); } };
  const access = { inputs: new Map([["1", port]]), outputs: new Map(), onstatechange: null, sysexEnabled: false };
  globalThis.port = port;
  navigator.requestMIDIAccess = async () => access;
};

async function notes({ open }) {
  const { page } = await open({ before: stub });
  const ears = await listen(page);
  await openPanel(page, "keys");
  const rest = async () => { await page.evaluate(() => sistrum.engine.panic()); await pause(200); await ears.forget(); };
  const keys = () => ears.until(() => ears.last?.status.keys > 0);
  const none = () => ears.until(() => ears.last?.status.keys === 0 || ears.last?.status.voices === 0);

  const key = page.locator(".keys-board .key:not(.black):not([disabled])").nth(3);
  await key.scrollIntoViewIfNeeded();
  const box = await restingBox(key);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.8);
  await page.mouse.down();
  check("a key of the screen sounds", (await ears.sound()) && (await ears.heard()).voices > 0);
  check("it is shown as held", await key.evaluate((node) => node.classList.contains("down")));
  await page.mouse.up();
  check("and let go", (await none()) && !(await key.evaluate((node) => node.classList.contains("down"))));

  await rest();
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.down("z");
  check("a key of the computer sounds", await ears.sound());
  check("it is held", await keys());
  await page.keyboard.press("Space");
  check("Space sustains", (await page.getAttribute('.keyboard button[title="space"]', "aria-pressed")) === "true");
  await page.keyboard.up("z");
  await pause(300);
  check("a sustained note goes on", await page.evaluate(() => ears.last.status.voices > 0), await page.evaluate(() => ears.last.status));
  await page.keyboard.press("Space");
  const octave = await page.textContent(".keyboard .place");
  await page.keyboard.press(".");
  check("a key shifts the octave", (await page.textContent(".keyboard .place")) !== octave);
  await page.keyboard.press(",");
  await page.keyboard.press("Escape");

  await rest();
  await page.click(".midi button");
  await page.waitForFunction(() => port.onmidimessage);
  await page.evaluate(() => port.say([0x90, 50, 100]));
  check("a note of MIDI sounds", await ears.sound());
  const held = await ears.until(() => ears.last?.status.keys === 1);
  await page.evaluate(() => port.say([0x80, 50, 0]));
  check("and ends", held && (await none()));
  // MPE: a zone of channels, each note with its own bend and pressure.
  await rest();
  await page.evaluate(() => {
    for (const bytes of [[0xb0, 101, 0], [0xb0, 100, 6], [0xb0, 6, 15], [0xe1, 0, 70], [0x91, 48, 90], [0xe2, 0, 50], [0x92, 55, 90], [0xd1, 100]]) port.say(bytes);
  });
  check("two notes of MPE sound at a time", await ears.until(() => ears.voices >= 2), (await ears.heard()).voices);
  await page.evaluate(() => { port.say([0x81, 48, 0]); port.say([0x82, 55, 0]); });

  await rest();
  const scales = await page.locator('[aria-label="Scale"] option').allTextContents();
  check("there are scales to choose from", scales.length > 3, scales);
  await page.selectOption('[aria-label="Scale"]', { index: 1 });
  await pause(300);
  check("a scale is taken", !/not taken/.test(await status(page)) && (await page.evaluate(() => sistrum.tuning?.scale?.length > 10)), await status(page));
  await ears.forget();
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.down("x");
  check("and notes sound in it", await ears.sound());
  await page.keyboard.up("x");

  await choose(page, "newtons_cradle");
  await page.waitForSelector(".pad:not([hidden])");
  await rest();
  await page.click(".pad");
  check("a scene without pitch has a pad", await ears.sound());
}

async function typing({ open }) {
  const { page } = await open();
  const ears = await listen(page);
  await page.click("[data-play]");
  await ears.sound();
  await page.evaluate(() => sistrum.engine.panic());
  await openPanel(page, "code");
  await page.waitForSelector(".cm-content");
  await page.click(".cm-line >> nth=0");
  await pause(300);
  await ears.forget();
  await page.keyboard.press("End");
  await page.keyboard.type("zxc");
  await pause(200);
  check("typing in the editor plays no notes", (await ears.heard()).voices === 0 || !(await page.evaluate(() => ears.last?.status.keys > 0)));
}

async function bowed({ open }) {
  const { page } = await open();
  const ears = await listen(page);
  await choose(page, "tromba_marina");
  await page.click("[data-play]");
  check("a bowed string plays", await ears.sound());
}

/** Two MIDI inputs, one of which is pulled out while a key is down. */
const pair = () => {
  const port = (id) => ({ id, name: id, state: "connected", onmidimessage: null, say(bytes) { this.onmidimessage?.({ data: new Uint8Array(bytes) }); } });
  const ports = { A: port("A"), B: port("B") }, access = { inputs: new Map(Object.entries(ports)), onstatechange: null };
  Object.assign(globalThis, ports, {
    plug(id, yes) {
      ports[id].state = yes ? "connected" : "disconnected";
      if (yes) access.inputs.set(id, ports[id]); else access.inputs.delete(id);
      access.onstatechange();
    },
  });
  navigator.requestMIDIAccess = async () => access;
};

async function unplugged({ open }) {
  const { page } = await open({ path: "#scene=tromba", before: pair });
  const ears = await listen(page);
  const keys = (n) => ears.until((n) => ears.last?.status.keys === n, n, 8000);
  await openPanel(page, "keys");
  await page.click("[data-pause]"); // a gesture
  await page.click("[data-pause]");
  await page.waitForFunction(() => sistrum.engine.state === "running");
  await page.click(".midi button");
  await page.selectOption(".midi select", "A");
  await page.evaluate(() => { B.say([0x90, 48, 90]); A.say([0xb0, 64, 127]); A.say([0x90, 50, 100]); });
  check("the chosen input plays, the other one does not", await keys(1), await page.evaluate(() => ears.last?.status.keys));
  await page.evaluate(() => plug("A", false));
  check("a key that is down on an input that is pulled out ends, its pedal too", await ears.until(() => ears.last?.status.voices === 0, null, 8000));
  await page.evaluate(() => B.say([0x90, 48, 90]));
  check("the input that is left plays", await keys(1));
  await page.evaluate(() => { B.say([0x80, 48, 0]); plug("A", true); });
  check("plugged in again, the chosen one is chosen again", (await page.inputValue(".midi select")) === "A" && !(await page.evaluate(() => B.onmidimessage)));
  await keys(0);
  await page.evaluate(() => A.say([0x90, 50, 100]));
  check("and plays", await keys(1));

  // What "all notes off" has ended does not come again in the next scene.
  await page.evaluate(() => A.say([0xb0, 123, 0]));
  check("all notes off ends it", await keys(0));
  await openPanel(page, "code");
  await page.waitForSelector(".cm-content");
  await page.click(".cm-line >> nth=0");
  await page.keyboard.press("End");
  const begun = page.evaluate(() => new Promise((done) => sistrum.engine.addEventListener("begun", () => done(true), { once: true })));
  await page.keyboard.type(".");
  await begun;
  await ears.forget();
  await pause(700);
  check("and an edit does not begin it again", (await ears.heard()).voices === 0, (await ears.heard()).voices);
}

await run(notes, typing, bowed, unplugged);
