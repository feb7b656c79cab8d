// Habits that no manual knows: scenes opened faster than they load, double clicks, two tabs, back and forward, a hidden tab, a
// storage that refuses, windows of all sizes, large text, typing while it sounds.
import { bodyPoint, check, choose, DESK, listen, openPage, openPanel, pause, pluck, report, run, sceneIsOpen, status } from "./kit.mjs";

const shot = (page, name) => process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : null;
const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1);

async function hasty({ open }) {
  const { page } = await open();
  const ears = await listen(page);
  await pluck(page);
  check("it sounds", await ears.sound());
  for (const name of ["snare", "guitar", "timpani", "two_masses", "sitar"]) {
    await page.click('[data-open="scenes"]');
    await page.dblclick(`button.scene[data-name="${name}"]`).catch(() => {}); // the second click finds the menu closed
    await page.evaluate(() => document.querySelector("[data-drawer]").close?.());
  }
  check("of scenes opened one after the other the last one stays", await ears.until(() => sistrum.work.name === "sitar" && sistrum.scene?.text === sistrum.work.text));
  await pause(1500);
  check("and the stage shows it", (await page.textContent("[data-title]")) === "Sitar", await page.textContent("[data-title]"));
  check("its address says so", page.url().endsWith("#scene=sitar"), page.url());
  await ears.forget();
  await pluck(page);
  check("it sounds under the hand", await ears.sound());
  for (let i = 0; i < 5; i++) await page.dblclick("[data-play]");
  await page.dblclick("[data-pause]");
  check("double clicks leave it running", await ears.until(() => sistrum.engine.state === "running" && !document.querySelector("[data-status]").classList.contains("bad")));
  check("closed balance", (await ears.heard()).residual <= 1e-12, (await ears.heard()).residual);
}

async function addresses({ open }) {
  const { page } = await open({ path: "#scene=guitar" });
  const named = (name) => page.waitForFunction((wanted) => sistrum.work?.name === wanted && sistrum.scene?.text === sistrum.work.text, name, { timeout: 20000 }).then(() => true, () => false);
  check("an address opens its scene", await named("guitar"));
  await page.evaluate(() => { location.hash = "#scene=snare"; });
  check("another one that is typed too", await named("snare"));
  await page.goBack();
  check("back", await named("guitar"));
  await page.goForward();
  check("forward", await named("snare"));
  await page.evaluate(() => { location.hash = "#scene=nothing_such"; });
  check("one that is none says so", await page.waitForFunction(() => /no scene/.test(document.querySelector("[data-status]").textContent), null, { timeout: 10000 }).then(() => true, () => false), await status(page));
  check("and the page goes on", await page.evaluate(() => !!sistrum.scene));
  await page.evaluate(() => { location.hash = "#canvas"; });
  await pause(300);
  check("a place of the page is no scene", await page.evaluate(() => sistrum.work.name === "snare"));
}

async function tabs({ browser, url }) {
  const { page, context, errors } = await openPage(browser, url);
  const other = await context.newPage();
  await other.goto(`${url}#scene=guitar`);
  await sceneIsOpen(other);
  const ears = await listen(other);
  await pluck(other);
  check("a second tab sounds", await ears.sound());
  await openPanel(other, "code");
  await other.waitForSelector(".cm-content");
  await other.click(".cm-content");
  await other.keyboard.press("Control+Home");
  await other.keyboard.type("-- other tab\n");
  await other.waitForFunction(() => sistrum.scene?.text === sistrum.work.text);
  await page.bringToFront();
  await choose(page, "guitar");
  check("what one tab wrote the other one opens", await page.evaluate(() => sistrum.work.text.startsWith("-- other tab")));
  const hears = await listen(page);
  await pluck(page);
  check("and sounds", await hears.sound());
  // Both write: none of it is lost.
  await openPanel(page, "code");
  await page.waitForSelector(".cm-content");
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("-- first tab\n");
  await other.bringToFront();
  await other.keyboard.type("-- and again\n");
  await other.waitForFunction(() => /another tab/.test(document.querySelector("[data-status]").textContent));
  check("a text that another tab has written is among the older ones", await other.evaluate(() =>
    localStorage["sistrum-before:guitar"].includes("-- first tab\\n-- other tab") && sistrum.work.text.startsWith("-- other tab\n-- and again\n") && !document.querySelector(".older").hidden));
  check("two tabs: no error on the console", errors.length === 0, errors);
  await context.close();
}

async function hidden({ open }) {
  const { page, context } = await open();
  const ears = await listen(page);
  await page.click("[data-play]");
  check("it plays", await ears.sound());
  const cover = await context.newPage();
  await cover.goto("about:blank");
  await pause(2500);
  await page.bringToFront();
  await cover.close();
  await ears.forget();
  await page.click("[data-play]");
  check("back from another tab it plays", await ears.sound());
  check("in real time", await page.evaluate(async () => {
    const a = sistrum.engine.context.currentTime, t = performance.now();
    await new Promise((later) => setTimeout(later, 1000));
    return sistrum.engine.context.currentTime - a > 0.6 * (performance.now() - t) / 1000;
  }));
}

async function refused({ open }) {
  const { page } = await open({ before: () => {
    for (const name of ["localStorage", "sessionStorage", "caches", "indexedDB"])
      Object.defineProperty(window, name, { get() { throw new DOMException("The operation is insecure.", "SecurityError"); } });
    Object.defineProperty(navigator, "serviceWorker", { get() { return undefined; } });
  } });
  const ears = await listen(page);
  await pluck(page);
  check("without any storage it sounds", await ears.sound());
  await page.click(".theme");
  await choose(page, "guitar");
  check("and scenes open", (await page.textContent("[data-title]")).length > 3);
}

async function typing({ open }) {
  const { page } = await open();
  const ears = await listen(page);
  await page.click("[data-play]");
  await ears.sound();
  await openPanel(page, "code");
  await page.waitForSelector(".cm-content");
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  const frames = await page.evaluate(() => ears.last.status.underruns);
  for (const character of "\n-- a b zxcvbnm, z x c 1 2 3\n") { await page.keyboard.type(character); await pause(60); }
  await page.waitForFunction(() => sistrum.scene?.text === sistrum.work.text);
  await pause(600);
  await page.evaluate(() => sistrum.release?.()); // what Play holds
  await pause(200);
  check("letters in the editor play no notes", await page.evaluate(() => ears.last.status.keys === 0), await page.evaluate(() => ears.last.status.keys));
  report(`underruns while typing: ${await page.evaluate((before) => ears.last.status.underruns - before, frames)}`);
  await page.keyboard.press("Escape");
}

async function windows({ open }) {
  const { page } = await open();
  const ears = await listen(page);
  for (const [width, height] of [[280, 653], [320, 480], [360, 640], [640, 320], [1024, 600], [2560, 1440], [1280, 860]]) {
    await page.setViewportSize({ width, height });
    await pause(250);
    check(`${width} x ${height}: nothing sticks out sideways`, await fits(page), await page.evaluate(() => document.documentElement.scrollWidth));
    check(`${width} x ${height}: the stage is seen`, await page.evaluate(() => { const box = document.querySelector("#canvas").getBoundingClientRect(); return box.width > 200 && box.height > 90 && box.top < innerHeight; }));
    await shot(page, `window_${width}`);
  }
  const devtools = await page.context().newCDPSession(page), density = () => page.evaluate(() => { const { canvas } = sistrum.stage; return canvas.width / canvas.getBoundingClientRect().width; });
  for (const deviceScaleFactor of [2, 3, 1]) {
    await devtools.send("Emulation.setDeviceMetricsOverride", { width: 1280, height: 860, deviceScaleFactor, mobile: false });
    await pause(250);
    check(`on a screen of density ${deviceScaleFactor} the stage is sharp`, Math.abs((await density()) - deviceScaleFactor) < 0.02, await density());
  }
  await pluck(page);
  check("after all of them a touch sounds", await ears.sound());
}

const file = (page, name, text) => page.locator(".editor input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

/** A file with a mistake: what was open plays on. */
async function wrongFile({ open }) {
  const { page } = await open();
  await openPanel(page, "code");
  const ears = await listen(page);
  await file(page, "wrong.lua", "-- nothing\n");
  await page.waitForFunction(() => /empty/.test(document.querySelector("[data-status]").textContent));
  await page.click("[data-play]");
  check("beside a file that is wrong, Play plays the scene that is heard", await ears.sound());
  await page.waitForSelector(".cm-content");
  await file(page, "right.lua", "local s = string { length = 1, frequency = 100, density = 0.005 }\nprobe { on = s, at = 0.3 }\n");
  await page.waitForFunction(() => sistrum.scene?.name === "right.lua");
  check("a good one takes the sentence away", (await status(page)) === "" && (await page.locator(".trouble").isHidden()), await status(page));
}

/** 200 % is a window half as wide with pixels twice as fine. */
async function zoomed({ open }) {
  for (const [name, options] of Object.entries({ zoom: { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 }, dark: { ...DESK, colorScheme: "dark" }, large: { ...DESK } })) {
    const { page } = await open(options);
    if (name === "large") await page.addStyleTag({ content: ":root { font-size: 200% }" });
    for (const tab of ["code", "knobs", "keys", "see", "take"]) {
      if (await page.isVisible(`[data-tab="${tab}"]`)) await page.click(`[data-tab="${tab}"]`); // charts stand beside where there is room
      await pause(300);
      check(`${name}, ${tab}: nothing sticks out sideways`, await fits(page), await page.evaluate(() => document.documentElement.scrollWidth));
      await shot(page, `${name}_${tab}`);
    }
  }
}

/** Presses that follow each other faster than a tap lasts: no finger stays on the string. */
async function quickFingers({ open }) {
  const { page } = await open({ path: "#scene=tanpura" });
  await page.evaluate(() => {
    const { engine } = sistrum, finger = engine.finger.bind(engine);
    globalThis.down = new Set();
    engine.finger = (i, what) => { if ((what?.press ?? null) === null) down.delete(i); else down.add(i); finger(i, what); };
  });
  await page.focus("#canvas");
  await page.keyboard.down("Space");
  await page.keyboard.down("Enter");
  check("two keys are one finger", await page.evaluate(() => down.size === 1));
  await page.keyboard.up("Enter");
  await page.keyboard.up("Space");
  await pause(250);
  check("which is lifted", await page.evaluate(() => down.size === 0));
  const { x, y } = await bodyPoint(page);
  await page.mouse.move(x, y);
  for (let i = 0; i < 3; i++) { await page.mouse.down(); await page.mouse.up(); }
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 3 });
  check("the last press of a triple click stays", await page.evaluate(() => down.size === 1));
  await page.mouse.up();
  await pause(250);
  check("until it is let go", await page.evaluate(() => down.size === 0 && sistrum.stage.touch.hands.size === 0));
}

/** A scene from a file is there again after a reload, and takes no place of a shipped one. */
async function reloadedFile({ open }) {
  const { page } = await open({ path: "#scene=snare" });
  await openPanel(page, "code");
  await page.waitForSelector(".cm-content");
  const text = "-- mine\r\nlocal m = mass { mass = 1, velocity = 1 }\r\nprobe { on = m, quantity = \"velocity\" }\r\n";
  await page.setInputFiles('.editor input[type="file"]', { name: "snare.lua", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.waitForFunction(() => sistrum.work.from === "file" && sistrum.scene?.text === sistrum.work.text);
  await page.reload();
  await sceneIsOpen(page);
  check("a file is there again after a reload", await page.evaluate((text) => sistrum.work.text === text && sistrum.work.from === "file", text), await status(page));
  await choose(page, "snare");
  check("the shipped scene of that name is as it was", await page.evaluate(() => sistrum.work.text === sistrum.work.shipped));
}

await run(quickFingers, reloadedFile, hasty, addresses, tabs, hidden, refused, typing, wrongFile, windows, zoomed);
