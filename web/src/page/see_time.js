// Time: play, pause, step, slow motion and the scrubber over the last frames.
import { seconds } from "./see_charts.js";
import { ownKey } from "./stage_touch.js";

const SPEEDS = [[1, "1"], [0.1, "1/10"], [0.01, "1/100"], [0.001, "1/1000"]], STEPS = [1, 10, 100], LONGEST = 8; // s

/** What a speed does, in words. */
export function speedWords(factor) {
  return factor >= 1 ? "real time" : `slow motion: 1 s takes ${Math.round(1 / factor).toLocaleString("en")} s`;
}

/** @param {HTMLElement} element @param {object} app */
export function mount(element, app) {
  element.innerHTML = `
    <button class="go" data-play><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 1.5v13l11-6.5z"/></svg><span>Play</span></button>
    <button data-pause aria-pressed="false"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 2h3.5v12H3zM9.5 2H13v12H9.5z"/></svg><span>Pause</span></button>
    <span class="steps" role="group" aria-label="Step by samples" hidden>${STEPS.map((n) => `<button data-step="${n}" title="Step ${n} sample${n > 1 ? "s" : ""}">+${n}</button>`).join("")}</span>
    <span class="speeds" role="radiogroup" aria-label="Speed">${SPEEDS.map(([f, text]) => `<button role="radio" data-speed="${f}" aria-checked="${f === 1}" tabindex="${f === 1 ? 0 : -1}">${text}</button>`).join("")}</span>
    <span class="pace" data-pace>real time</span>
    <label class="scrub" hidden><span class="hidden">Snapshot</span><input type="range" data-scrub min="0" max="0" value="0" step="1"><output data-when></output></label>
    <span class="room"></span>
    <label class="volume" title="Volume"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M1 6v4h3l4 3.5v-11L4 6zM10 5c1.6 1.4 1.6 4.6 0 6l.9 1c2.2-2 2.2-6 0-8zm2-2c3 2.6 3 7.4 0 10l.9 1c3.6-3.2 3.6-8.8 0-12z"/></svg><span class="hidden">Volume</span><input type="range" data-volume min="-30" max="24" step="1" value="0"></label>
    <button data-picture title="The stage and the charts as a PNG file"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 3h12v10H2zM4 11h8L9.5 7l-2 2.5L6 8z" fill-rule="evenodd"/></svg><span>PNG</span></button>`;
  const find = (selector) => element.querySelector(selector), all = (selector) => [...element.querySelectorAll(selector)];
  const scrub = find("[data-scrub]"), when = find("[data-when]");
  app.paused = false;
  app.speed = 1;
  app.scrub = () => (app.paused ? Number(scrub.max) - Number(scrub.value) : 0);

  function reach() {
    const count = Math.max((app.ring?.count ?? 1) - 1, 0);
    scrub.max = String(count);
    scrub.value = String(count);
    tell();
  }
  function tell() {
    const ring = app.ring, frame = ring?.at(Number(scrub.value)), last = ring?.last;
    const text = frame ? (frame === last ? `${exact(frame.time)}` : `${exact(frame.time)} (−${seconds(last.time - frame.time)})`) : "";
    when.textContent = text;
    scrub.setAttribute("aria-valuetext", text);
  }
  function pause(yes) {
    if (app.paused === yes) return;
    app.paused = yes;
    if (yes) app.engine.pause();
    else app.engine.resume();
    const button = find("[data-pause]");
    button.setAttribute("aria-pressed", String(yes));
    button.lastElementChild.textContent = yes ? "Go on" : "Pause";
    find(".steps").hidden = find(".scrub").hidden = !yes;
    find("[data-pace]").hidden = yes;
    element.classList.toggle("paused", yes);
    if (yes) reach();
    else if (app.ring?.last) app.show(app.ring.last);
    app.emit("say", yes ? "Paused. Step on by samples, or slide back through the last seconds." : "");
  }
  function speed(factor) {
    app.speed = factor;
    app.engine.speed(factor);
    for (const b of all("[data-speed]")) { const on = Number(b.dataset.speed) === factor; b.setAttribute("aria-checked", String(on)); b.tabIndex = on ? 0 : -1; }
    find("[data-pace]").textContent = speedWords(factor);
    const chip = element.closest(".stage").querySelector("[data-chip]"); // on the stage, wherever that is
    chip.hidden = factor >= 1;
    chip.textContent = `1 s takes ${Math.round(1 / factor).toLocaleString("en")} s`;
    app.emit("say", factor < 1 ? `${speedWords(factor)}.` : "");
  }

  find("[data-pause]").addEventListener("click", () => { app.wake?.(); pause(!app.paused); });
  find("[data-play]").addEventListener("click", () => play(app));
  find("[data-picture]").addEventListener("click", () => app.picture());
  for (const b of all("[data-step]")) b.addEventListener("click", () => app.engine.step(Number(b.dataset.step)));
  for (const b of all("[data-speed]")) {
    b.addEventListener("click", () => speed(Number(b.dataset.speed)));
    b.addEventListener("keydown", (e) => {
      const go = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
      if (!go) return;
      e.preventDefault();
      const list = all("[data-speed]"), next = list[(list.indexOf(b) + go + list.length) % list.length];
      next.focus();
      next.click();
    });
  }
  const volume = find("[data-volume]");
  volume.addEventListener("input", () => {
    app.engine.gain(10 ** (Number(volume.value) / 20));
    volume.setAttribute("aria-valuetext", `${volume.value} dB`);
  });
  scrub.addEventListener("input", () => { const frame = app.ring?.at(Number(scrub.value)); if (frame) app.show(frame, true); tell(); });
  app.on("frame", () => { if (app.paused) reach(); });
  app.on("work", () => app.release?.()); // another scene may not have that key
  let open = null;
  app.on("scene", ({ work }) => {
    const edited = work && work === open; // one scene whose text has changed: who stopped it steps on
    open = work;
    if (app.paused && edited) app.emit("say", "Paused, at the start of the changed scene.");
    else if (app.paused) pause(false);
    if (app.speed !== 1) speed(app.speed);
  });
  app.pause = pause;
  app.play = () => play(app);
  app.setSpeed = speed;
}

const exact = (t) => (t >= 100 ? `${t.toFixed(2)} s` : `${t.toFixed(5)} s`);

/** Plays the scene once as it is written. */
async function play(app) {
  await app.wake?.();
  for (let wait = 0; !app.scene && wait < 50; wait++) await new Promise((later) => setTimeout(later, 100)); // it is being compiled
  if (!app.scene) return;
  if (app.paused) app.pause(false);
  app.emit("played");
  const key = ownKey(app.scene), hold = Math.min(Math.max(app.scene.duration || 2, 0.4), LONGEST);
  app.release?.();
  app.engine.noteOn(key, 0.75);
  // Seconds of the scene: slow motion and pause stretch them.
  let left = hold, before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (!app.paused) left -= ((now - before) / 1000) * app.speed;
    before = now;
    if (left <= 0) app.release?.();
  }, 50);
  app.release = () => {
    clearInterval(timer);
    app.release = null;
    app.engine.noteOff(key);
  };
}
