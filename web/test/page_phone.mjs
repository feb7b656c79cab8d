// The page on a phone: fingers, several of them, sheets from the bottom; nothing is wider than the screen.
import { PHONE, bodyPoint, check, listen, pause, restingBox, run, status } from "./kit.mjs";

/** Fingers, as a touch screen sends them. */
async function fingers(page) {
  const session = await page.context().newCDPSession(page);
  const send = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  return { down: (...points) => send("touchStart", points), move: (...points) => send("touchMove", points), up: (...points) => send("touchEnd", points) };
}

async function thumb({ open }) {
  const { page } = await open(PHONE);
  const ears = await listen(page), hand = await fingers(page);
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check("nothing is wider than the screen", (await wide()) <= 0, await wide());
  const canvas = await restingBox(page.locator("#canvas"));
  check("the stage is in the first view", canvas.y >= 0 && canvas.y + canvas.height <= 780, canvas);
  const play = await restingBox(page.locator("[data-play]"));
  check("so is Play", play.y + play.height <= 780, play);

  const at = await bodyPoint(page, { along: 0.5 });
  await hand.down(at);
  await pause(60);
  await hand.move({ x: at.x, y: at.y + 12 });
  await pause(100);
  await hand.up();
  check("the first touch of a thumb sounds", await ears.sound());
  check("the page did not scroll", (await page.evaluate(() => scrollY)) === 0);

  await page.evaluate(() => sistrum.engine.panic());
  await pause(300);
  await ears.forget();
  const two = [await bodyPoint(page, { along: 0.3 }), await bodyPoint(page, { along: 0.7 })];
  await hand.down(two[0]);
  await hand.down(...two);
  await pause(150);
  await hand.move(...two.map(({ x, y }) => ({ x, y: y + 10 })));
  check("two fingers touch at a time", await ears.until(() => ears.touching >= 2), (await ears.heard()).touching);
  await hand.up();
  check("and sound, with the balance closed", (await ears.sound()) && (await ears.heard()).residual <= 1e-12, (await ears.heard()).residual);

  for (const key of ["knobs", "keys", "see", "code", "take"]) {
    await page.tap(`[data-tab="${key}"]`);
    await page.waitForSelector(`#panel-${key}:not([hidden])`);
    await pause(250);
    const box = await restingBox(page.locator(`#panel-${key}`));
    const play = await restingBox(page.locator("[data-play]"));
    check(`Play is at hand above the sheet of ${key}`, await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest("[data-play]") !== null, { x: play.x + play.width / 2, y: play.y + play.height / 2 }), play);
    check(`the sheet of ${key} comes up`, box && box.width <= 390.5 && box.height > 60 && (await wide()) <= 0, { box, wide: await wide() });
    await page.tap('[aria-label="Close the panel"]');
  }
  const small = await page.evaluate(() => [...document.querySelectorAll("button, a[href], select, input:not([type=hidden])")]
    .filter((node) => node.checkVisibility?.() && node.getClientRects().length).map((node) => ({ node, box: node.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1 && Math.min(box.width, box.height) < 24).map(({ node, box }) => `${node.outerHTML.slice(0, 60)} ${box.width.toFixed(0)} x ${box.height.toFixed(0)}`));
  check("what is tapped has 24 px at least", small.length === 0, small.slice(0, 4));

  await page.tap('[data-open="scenes"]');
  await page.tap('button.scene[data-name="snare"]');
  await page.waitForFunction(() => sistrum.scene?.name?.startsWith("snare") || sistrum.work?.name === "snare");
  await pause(500);
  await ears.forget();
  await page.tap("[data-play]");
  check("a scene chosen by the thumb plays", await ears.sound());
}

async function turned({ open }) {
  const { page } = await open({ ...PHONE, viewport: { width: 780, height: 360 } });
  const ears = await listen(page);
  check("in landscape nothing is wider than the screen", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const canvas = await restingBox(page.locator("#canvas"));
  check("and the stage is in view", canvas.y < 200 && canvas.height > 100, canvas);
  const { x, y } = await bodyPoint(page);
  await page.touchscreen.tap(x, y);
  check("a tap sounds", await ears.sound());
}

/** The very first tap, as a phone sends it: its end is the gesture that lets a browser sound, not its beginning. Scripts that
 * a test evaluates count as gestures too, so that nothing is asked before it. */
async function firstTap({ open }) {
  const { page: other } = await open(PHONE);
  const at = await bodyPoint(other, { along: 0.5 });
  for (const held of [0, 120, 900]) {
    const { page } = await open({ ...PHONE, ready: false, before: () => {
      let hears = false;
      setInterval(() => {
        if (!globalThis.sistrum?.scene) return;
        if (!hears) sistrum.engine.addEventListener("frame", ({ detail: f }) => { for (const x of f.scope) if (Math.abs(x) > 1e-4) globalThis.heardOne = true; });
        hears = true;
        console.info("open");
      }, 50);
    } });
    await page.waitForEvent("console", (message) => message.text() === "open");
    await pause(300);
    const hand = await fingers(page);
    await hand.down(at);
    await pause(held);
    await hand.up();
    await pause(1000);
    check(`the first tap of ${held} ms turns the sound on, and sounds`, await page.waitForFunction(() => globalThis.heardOne && sistrum.engine.state === "running", null, { timeout: 5000 }).then(() => true, () => false), await status(page));
    check("and nothing asks for another one", await page.isHidden("[data-wake]") && !/holds/.test(await status(page)), await status(page));
  }
}

await run(firstTap, thumb, turned);
