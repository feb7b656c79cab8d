// The page: wires engine, stage and panels together.
import { Stage } from "./stage.js";
import { Ring } from "./see_ring.js";
import { mount as mountEnergy } from "./energy.js";
import { mount as mountSee } from "./see.js";
import { mount as mountTime } from "./see_time.js";
import { save } from "./see_picture.js";
import { errorWords, hintFor, leadOf, stateWords } from "./stage_words.js";
import { makePanels } from "./main_panels.js";

const GHOSTS = 5;
const find = (selector) => document.querySelector(selector);

/** What panels share: the engine, the scene, and events. */
function makeApp(engine) {
  const heard = new Map();
  return {
    engine, scene: null,
    on(event, f) { heard.set(event, [...(heard.get(event) ?? []), f]); },
    emit(event, detail) {
      for (const f of heard.get(event) ?? []) {
        try { f(detail); } catch (error) { console.error(error); }
      }
    },
  };
}

/** The sentence under the stage; it goes after a while. */
function statusLine(app) {
  const line = find("[data-status]");
  let timer = 0;
  app.on("say", (text) => {
    line.textContent = text || "";
    line.classList.remove("bad"); // the editor has it still
    clearTimeout(timer);
    if (text) timer = setTimeout(() => { line.textContent = ""; }, 4000 + 60 * text.length);
  });
  app.on("error", (error) => {
    if (!error && line.classList.contains("bad")) line.textContent = "";
    line.classList.toggle("bad", !!error);
    if (error) { clearTimeout(timer); line.textContent = errorWords(error); }
  });
}

/** Frames go into the ring and onto the stage. */
function showFrames(app) {
  app.show = (frame, jumped = false) => {
    const ring = app.ring, before = [];
    if (!jumped && !app.paused) for (let k = 2; k < 2 + GHOSTS && ring; k++) { const one = ring.at(ring.count - k); if (one) before.push(one); }
    if (jumped) app.stage.jump();
    app.stage.show(frame, before);
    app.emit("shown", frame);
  };
  app.engine.addEventListener("frame", ({ detail: frame }) => {
    if (!app.ring || frame.layout?.bodies.length !== app.scene?.bodies.length) return;
    const kept = app.ring.push(frame);
    app.emit("frame", frame);
    app.show(kept);
    app.status = frame.status;
  });
  app.on("scene", (scene) => {
    app.scene = scene;
    app.ring = new Ring(scene.layout ?? scene);
    app.stage.open(scene);
    find("[data-title]").textContent = scene.title || scene.name;
    find("[data-lead]").textContent = leadOf(scene.text);
    document.title = `${scene.title || scene.name}: Sistrum`;
    app.stage.canvas.setAttribute("aria-label", `${scene.title || scene.name}: ${app.stage.touch.bodies.map((i) => scene.bodies[i].name).join(", ")}`);
    hint(app);
  });
}

let touched = false;
function hint(app) {
  const box = find("[data-hint]"), words = hintFor(app.scene);
  box.firstElementChild.textContent = words;
  box.lastElementChild.textContent = app.engine.state === "running" ? "" : "the first touch turns the sound on";
  box.classList.toggle("gone", touched || !app.scene);
  app.stage.inviting = !touched && !!app.scene;
  app.stage.changed = true;
}

/** The first touch or key starts the sound; what was touched sounds as soon as it can. */
function waking(app) {
  const { engine } = app, button = find("[data-wake]");
  let first = null, waking = null;
  app.wake = () => {
    if (engine.state === "running") return Promise.resolve();
    const started = engine.start(); // at every gesture: browsers take the end of a tap for one, not its beginning
    waking ??= started.then(ready).catch((error) => app.emit("say", `The sound could not be started: ${error.message}.`)).finally(() => { waking = null; });
    return waking;
  };
  // Sound runs before the scene is in the audio thread: "begun" tells.
  const begun = new Promise((done) => engine.addEventListener("begun", done, { once: true }));
  const pluckFirst = () => {
    if (!first || engine.state !== "running") return; // a browser may still hold the sound back
    app.stage.touch.pluck(first);
    first = null;
  };
  const ready = () => Promise.race([begun, new Promise((later) => setTimeout(later, globalThis.sistrumEngine ? 0 : 1500))]).then(pluckFirst);
  const gesture = (e) => { if (engine.state !== "running" && engine.state !== "failed" && !(e.type === "keydown" && ["Tab", "Shift", "Escape"].includes(e.key))) app.wake(); };
  for (const name of ["pointerdown", "pointerup", "click", "keydown"]) addEventListener(name, gesture, { capture: true });
  app.on("gesture", ({ found }) => {
    if (!found) return;
    if (engine.state !== "running" && found.body !== undefined) first ??= found;
    touched = true;
    hint(app);
  });
  app.on("played", () => { touched = true; hint(app); });
  engine.addEventListener("state", () => {
    document.documentElement.dataset.sound = engine.state;
    const words = stateWords(engine.state);
    button.hidden = !words;
    button.textContent = words;
    if (engine.state !== "running") return;
    if (/holds the sound back/.test(find("[data-status]").textContent)) app.emit("say", "");
    begun.then(pluckFirst);
    hint(app);
    app.emit("status", engine.state);
  });
  engine.addEventListener("trouble", ({ detail }) => app.emit("say", detail.text));
  button.addEventListener("click", app.wake);
  document.addEventListener("visibilitychange", () => { if (document.hidden) app.stage.touch.lift(); });
}

function themes(app) {
  const button = find(".theme"), root = document.documentElement;
  const changed = () => { app.stage.colours(); app.emit("theme"); };
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("sistrum-theme", root.dataset.theme); } catch { /* not kept */ }
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}

/** Links to the pages that were built beside this one: <html data-site="learn gallery docs">. */
function siteLinks() {
  const there = (document.documentElement.dataset.site ?? "").split(/\s+/);
  for (const link of document.querySelectorAll("[data-link]")) link.hidden = !there.includes(link.dataset.link);
}

/** A new version that was fetched while the page was open last: it takes over now, before anything of the old one is loaded. */
async function takeNewVersion() {
  const worker = navigator.serviceWorker, known = worker?.controller && (await worker.getRegistration());
  if (!known?.waiting) return;
  worker.addEventListener("controllerchange", () => location.reload(), { once: true });
  known.waiting.postMessage("take over");
}

async function begin() {
  takeNewVersion().catch(() => {}); // then the old one goes on
  const { Engine, unsupported } = globalThis.sistrumEngine ?? (await import("../engine/engine.js"));
  const why = unsupported(), app = makeApp(new Engine({ base: new URL(document.documentElement.dataset.base || "./", document.baseURI).href }));
  globalThis.sistrum = app;
  statusLine(app);
  app.stage = new Stage(find("#canvas"), app);
  app.picture = () => save(app);
  app.on("picture", app.picture);
  showFrames(app);
  waking(app);
  themes(app);
  mountEnergy(find('[data-panel="energy"]'), app);
  mountTime(find('[data-panel="time"]'), app);
  makePanels(app, mountSee);
  siteLinks();
  if (why) {
    find("[data-hint]").classList.add("gone");
    find("[data-status]").classList.add("bad");
    find("[data-status]").textContent = why;
    return;
  }
  const prepared = app.engine.prepare(); // beside the texts
  prepared.catch(() => {}); // "trouble" says why
  const opened = openFirst(app);
  if (!(await prepared.then(() => true, () => false))) return;
  await opened;
  if (navigator.serviceWorker && !globalThis.sistrumEngine) navigator.serviceWorker.register("sw.js").catch(() => {});
}

/** The first scene: what the address asks for, or the tanpura. */
async function openFirst(app) {
  try {
    const scenes = await import("./scenes_open.js");
    return scenes.openFirst(app);
  } catch (error) { console.warn(error.message); }
  const name = /^#scene=(.+)$/.exec(location.hash)?.[1] ?? "tanpura";
  const text = await fetch(`scenes/${name}.lua`).then((a) => (a.ok ? a.text() : "")).catch(() => "");
  const answer = await app.engine.load(text, `${name}.lua`);
  if (answer.ok) app.emit("scene", answer.scene);
  else app.emit("error", answer.error);
}

begin();
