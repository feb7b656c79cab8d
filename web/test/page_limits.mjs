// Where something is missing: no network, no AudioWorklet, no WebAssembly, no SIMD, no storage. The page tells it in a sentence.
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, dist, listen, openPage, pause, report, run, sceneIsOpen, status } from "./kit.mjs";
import { serve } from "./serve.mjs";

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

/** A new version comes while the page is open: the page goes on with all files of the old one, the next one has the new. */
async function newVersion({ browser }) {
  const folder = mkdtempSync(join(tmpdir(), "page")), sw = join(folder, "sw.js");
  cpSync(dist, folder, { recursive: true });
  const host = await serve({ folder });
  const { page, context, errors } = await openPage(browser, host.url);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  const chunk = readdirSync(join(folder, "chunks")).find((name) => readFileSync(join(folder, "chunks", name), "utf8").includes("Text of the scene\",spellcheck"));
  rmSync(join(folder, "chunks", chunk)); // the editor has another name in the new version
  writeFileSync(sw, readFileSync(sw, "utf8").replace(/"sistrum-[^"]*"/, '"sistrum-next"').replace(`"chunks/${chunk}",`, ""));
  await page.evaluate(async () => {
    const known = await navigator.serviceWorker.getRegistration();
    await known.update();
    while (known.installing) await new Promise((later) => setTimeout(later, 50));
  });
  await pause(300);
  await page.click('[data-tab="code"]');
  check("beside a new version the old page has its editor", await page.waitForSelector(".cm-content", { timeout: 10000 }).then(() => true, () => false), await status(page));
  await page.goto(`${host.url}#scene=snare`);
  await page.reload();
  const names = () => page.evaluate(async () => (await caches.keys()).join(" ")).catch(() => "");
  for (let i = 0; i < 100 && (await names()) !== "sistrum-next"; i++) await pause(100);
  await sceneIsOpen(page);
  check("the next time the new one is there, all of it", (await names()) === "sistrum-next", await names());
  check("with the scene of the address", (await page.evaluate(() => sistrum.work.name)) === "snare");
  check("a new version: no error on the console", errors.length === 0, errors);
  await context.close();
  host.close();
  rmSync(folder, { recursive: true });
}

/** The policy of docs/web.md, on a server that sends it. */
async function policy({ browser }) {
  const csp = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";
  const host = await serve({ headers: { "content-security-policy": csp } });
  const { page, context, errors } = await openPage(browser, host.url, { before: () => localStorage.setItem("sistrum-theme", "dark") });
  const ears = await listen(page);
  await page.click("[data-play]");
  check("under a strict policy it sounds", await ears.sound());
  check("in the colours that were chosen", (await page.evaluate(() => document.documentElement.dataset.theme)) === "dark");
  await page.click('[data-tab="code"]');
  await page.waitForSelector(".cm-content");
  await page.goto(`${host.url}learn/index.html#3-string`);
  await page.waitForSelector("[data-page] p");
  await page.focus(".skip");
  await page.keyboard.press("Enter");
  check("the way to the text stays on its page", page.url().endsWith("#3-string") && (await page.evaluate(() => document.activeElement.dataset.page)) === "3-string", page.url());
  check("a strict policy: no error on the console", errors.length === 0, errors);
  await context.close();
  host.close();
}

/** Threads that die: the page says so, and goes on with new ones. */
async function dying({ browser }) {
  const folder = mkdtempSync(join(tmpdir(), "page")), worklet = join(folder, "worklet.js");
  cpSync(dist, folder, { recursive: true });
  writeFileSync(worklet, `const register = registerProcessor;
    globalThis.registerProcessor = (name, Kind) => register(name, class extends Kind {
      take(message) { if (message.do === "die") this.dies = true; else super.take(message); }
      process(...all) { if (this.dies) throw new Error("dead"); return super.process(...all); }
    });\n${readFileSync(worklet, "utf8")}`);
  const host = await serve({ folder });
  const context = await browser.newContext({ serviceWorkers: "block" }), page = await context.newPage();
  await page.addInitScript(() => {
    const Kind = Worker;
    globalThis.workers = [];
    globalThis.Worker = class extends Kind { constructor(...all) { super(...all); workers.push(this); } };
  });
  await page.goto(`${host.url}#scene=guitar`);
  await sceneIsOpen(page);
  const ears = await listen(page);
  await page.click("[data-play]");
  check("it plays", await ears.sound());
  await page.evaluate(() => sistrum.engine.node.port.postMessage({ do: "die" }));
  await page.waitForSelector("[data-wake]:not([hidden])");
  check("an audio thread that died is told", /audio thread stopped/.test(await status(page)), await status(page));
  await page.click("[data-wake]");
  check("the button starts another one", await ears.until(() => sistrum.engine.state === "running", null, 20000), await page.evaluate(() => sistrum.engine.state));
  await page.evaluate(() => { delete ears.analyser; });
  await ears.forget();
  await page.click("[data-play]");
  check("which sounds", await ears.sound(1e-4, 20000));
  await page.evaluate(() => workers[0].dispatchEvent(new ErrorEvent("error", { message: "dead" })));
  await page.evaluate(() => { location.hash = "#scene=snare"; });
  check("a Worker that died while nobody waited has a successor", await page.waitForFunction(() => sistrum.work.name === "snare" && sistrum.scene, null, { timeout: 20000 }).then(() => true, () => false));
  await context.close();
  host.close();
  rmSync(folder, { recursive: true });
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

await run(offline, missing, plain, noStorage, noFile, newVersion, policy, dying, weight);
