// The See panel: oscilloscope, spectrogram, energy over time and contact map; what is shown of time is in see_time.js.
import { Scope } from "./see_scope.js";
import { Spectrogram } from "./see_spectrum.js";
import { drawEnergy, ContactMap } from "./see_charts.js";

const CHARTS = [
  ["scope", "Oscilloscope", "The sound itself; the picture stands still where the wave rises through zero."],
  ["spectrum", "Spectrogram", "40 Hz to 16 kHz, in octaves; dark is loud."],
  ["energy", "Energy over time", "Kinetic, elastic, contact, lost; the dots are what was there and supplied: the colours must reach them."],
  ["map", "Contacts", "Where along the body contacts press (up), when (to the right), and how hard."],
];
const COLUMNS = 600;

/** @param {HTMLElement} element @param {object} app */
export function mount(element, app) {
  element.innerHTML = `<div class="charts">${CHARTS.map(([key, title, about]) => `<figure class="chart"><figcaption title="${about}">${title}<span data-note="${key}"></span></figcaption>
    <canvas data-chart="${key}" role="img" aria-label="${title}: ${about}"></canvas></figure>`).join("")}</div>`;
  const canvas = (key) => element.querySelector(`[data-chart="${key}"]`), note = (key) => element.querySelector(`[data-note="${key}"]`);
  const scope = new Scope(app), spectrum = new Spectrogram(app, COLUMNS);
  let map = null, drawn = 0, seen = true, dirty = true, ink = colours();
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  new IntersectionObserver((list) => { seen = list.some((x) => x.isIntersecting); dirty = true; }).observe(element);
  app.on("scene", (scene) => { map = new ContactMap(scene, COLUMNS); spectrum.clear(); scope.clear(); dirty = true; });
  app.on("frame", (frame) => {
    if (frame.scope?.length) { scope.push(frame.scope); spectrum.push(frame.scope); }
    spectrum.column();
    map?.push(frame);
    dirty = true;
  });
  app.on("shown", () => { dirty = true; });
  app.on("theme", () => { ink = colours(); spectrum.theme(ink); map?.theme(ink); dirty = true; });
  spectrum.theme(ink);

  function tick(now) {
    requestAnimationFrame(tick);
    if (!dirty || !seen || !element.offsetParent || now - drawn < (calm.matches ? 250 : 30)) return;
    drawn = now;
    dirty = false;
    const at = app.scrub?.(), rate = app.scene?.rate || app.engine.rate || 48000;
    scope.draw(surface(canvas("scope")), ink, rate, note("scope"));
    spectrum.draw(surface(canvas("spectrum")), ink, rate, at);
    drawEnergy(surface(canvas("energy")), ink, app.ring, at, note("energy"));
    map?.draw(surface(canvas("map")), ink, at);
  }
  requestAnimationFrame(tick);
  app.charts = () => CHARTS.map(([key, title]) => ({ title, canvas: canvas(key) }));
}

/** The drawing of a canvas in CSS pixels, sized as it is shown. */
export function surface(canvas) {
  const dense = Math.min(globalThis.devicePixelRatio || 1, 2), width = canvas.clientWidth, height = canvas.clientHeight;
  const w = Math.max(Math.round(width * dense), 1), h = Math.max(Math.round(height * dense), 1);
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const ctx = canvas.getContext("2d");
  ctx.setTransform(dense, 0, 0, dense, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return { ctx, width, height };
}

function colours() {
  const style = getComputedStyle(document.documentElement), ink = {};
  for (const name of ["paper", "card", "ink", "soft", "line", "accent", "wave", "kinetic", "elastic", "contact", "dissipated", "given"]) ink[name] = style.getPropertyValue(`--${name}`).trim();
  ink.font = "11px system-ui, 'Segoe UI', Roboto, sans-serif";
  return ink;
}
