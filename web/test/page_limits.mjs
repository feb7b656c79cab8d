// Where something is missing: no network, no AudioWorklet, no WebAssembly, no SIMD, no storage. The page tells it in a sentence.
import { check, listen, pause, report, run, sceneIsOpen, status } from "./kit.mjs";

async function offline({ open, url }) {
  const { page, context } = await open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  check("the service worker keeps the page", await page.waitForFunction(async () => {
    for (const name of await caches.keys()) if (name.startsWith("sistrum-") && (await (await caches.open(name)).keys()).length > 50) return true;
    return false;
  }).then(() => true, () => false));
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await context.setOffline(true);
  await page.goto(`${url}#scene=snare`);
  await page.reload();
  await sceneIsOpen(page);
  check("offline, a scene that was never opened opens", (await page.evaluate(() => sistrum.work.name)) === "snare");
  const ears = await listen(page);
  await page.click("[data-play]");
  check("and sounds", await ears.sound());
  await page.click('[data-tab="code"]');
  check("the editor is there", await page.waitForSelector(".cm-content").then(() => true, () => false));
  await page.goto(`${url}learn/index.html`);
  await page.waitForSelector("[data-page] p");
  check("so are the pages to learn from", (await page.locator("[data-steps] li").count()) === 6);
}

/** Opens the page without something; what it says. */
async function without(open, before, more = {}) {
  const { page } = await open({ before, ready: false, ...more });
  await page.waitForFunction(() => document.querySelector("[data-status]").textContent.length > 10);
  return status(page);
}

async function missing({ open }) {
  const noWorklet = await without(open, () => { delete globalThis.AudioWorkletNode; });
  check(`without AudioWorklet: ${noWorklet}`, /no AudioWorklet/.test(noWorklet));
  const noWasm = await without(open, () => { delete globalThis.WebAssembly; });
  check(`without WebAssembly: ${noWasm}`, /no WebAssembly/.test(noWasm));
  const noWorker = await without(open, () => { delete globalThis.Worker; });
  check(`without workers: ${noWorker}`, /no workers/.test(noWorker));
}

async function plain({ open }) {
  const asked = [];
  const { page } = await open({ before: () => {
    const validate = WebAssembly.validate;
    WebAssembly.validate = (bytes) => bytes.byteLength > 200 && validate.call(WebAssembly, bytes);
  }, ready: false });
  page.on("request", (request) => asked.push(request.url()));
  await page.reload();
  await sceneIsOpen(page);
  check("without SIMD the plain module is loaded", asked.some((one) => one.endsWith("sistrum-plain.wasm")), asked.filter((one) => one.endsWith("wasm")));
  const ears = await listen(page);
  await page.click("[data-play]");
  check("and it sounds", await ears.sound());
}

async function noStorage({ open }) {
  const { page } = await open({ before: () => Object.defineProperty(globalThis, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } }) });
  check("without storage it opens", (await page.evaluate(() => sistrum.work.name)) === "tanpura");
}

async function noFile({ open }) {
  const { page } = await open({ path: "#scene=no_such_scene" });
  check("a scene that is not there is told, and another opens", (await page.evaluate(() => sistrum.work.name)) === "tanpura" && /no scene no_such_scene/.test(await status(page)), await status(page));
}

async function weight({ browser, url }) {
  const context = await browser.newContext({ serviceWorkers: "block" }), page = await context.newPage(), bodies = [];
  page.on("response", (answer) => bodies.push(answer.body().then((body) => [answer.url(), body], () => null)));
  await page.goto(url);
  await sceneIsOpen(page);
  await pause(500);
  const { gzipSync } = await import("node:zlib");
  let sum = 0;
  for (const one of await Promise.all(bodies)) if (one) sum += gzipSync(one[1], { level: 9 }).length;
  report(`the first screen loads ${bodies.length} files, ${(sum / 1000).toFixed(0)} kB compressed (aim 600)`);
  await context.close();
}

await run(offline, missing, plain, noStorage, noFile, weight);
