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

await run(notes, typing, bowed);
