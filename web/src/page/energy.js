// Energy: what is stored and lost on one bar, what was there and supplied on another; they are as long as each other.

const PARTS = [["kinetic", "kinetic", "of motion"], ["elastic", "elastic", "of bent and stretched bodies"], ["contact", "contact", "held in contacts"],
  ["dissipated", "lost", "to friction, air and damping"], ["start", "at start", "when the scene began"], ["given", "supplied", "by fingers, bows and forces"]];
export const CLOSED = 1e-12;

/** The two sides of the balance, all parts at least 0: what energy went into, and where it came from.
 *  @param {object} e energy of a frame @returns {{is:number[], from:number[], sum:number}} kinetic, elastic, contact, lost; start, supplied */
export function balance(e) {
  const total = e.total || e.kinetic + e.elastic + e.contact, supplied = e.supplied || 0;
  const start = total + e.dissipated - supplied;
  const lost = e.dissipated + (supplied < 0 ? -supplied : 0); // what a hand took away left as well
  const from = [Math.max(start, 0), Math.max(supplied, 0)];
  const is = [e.kinetic, e.elastic, e.contact, lost].map((x) => Math.max(x || 0, 0));
  return { is, from, sum: is.reduce((a, b) => a + b, 0) };
}

/** Joules with a unit in which `of` is a number from 1 to 999. */
export function joules(x, of = x) {
  const a = Math.abs(of), [unit, by] = a >= 0.9995 ? ["J", 1] : a >= 0.9995e-3 ? ["mJ", 1e3] : a >= 0.9995e-6 ? ["µJ", 1e6] : a >= 0.9995e-9 ? ["nJ", 1e9] : a > 0 ? ["pJ", 1e12] : ["J", 1];
  const value = x * by, size = Math.abs(of * by);
  return `${value.toFixed(size >= 100 ? 1 : 2)} ${unit}`;
}

/** The sentence of the lamp. */
export function verdict(residual) {
  if (!Number.isFinite(residual)) return { good: false, text: "energy balance not known" };
  const text = residual === 0 ? "0" : Math.abs(residual).toExponential(0).replace("e-", "e−").replace("e+", "e");
  return { good: Math.abs(residual) <= CLOSED, text: `energy balance ${Math.abs(residual) <= CLOSED ? "closed" : "open"}: ${text}` };
}

const row = ([key, name, about]) => `<div><dt title="${about}"><i class="${key}"></i>${name}</dt><dd data-part="${key}">0 J</dd></div>`;

/** @param {HTMLElement} element @param {object} app */
export function mount(element, app) {
  element.innerHTML = `<h2>Energy</h2>
    <div class="bars" role="img" aria-label="Energy: stored and lost, over start and supplied">
      <div class="bar is"><i class="kinetic"></i><i class="elastic"></i><i class="contact"></i><i class="dissipated"></i></div>
      <div class="bar from"><i class="start"></i><i class="given"></i></div></div>
    <dl class="parts"><div class="side">${PARTS.slice(0, 4).map(row).join("")}</div><div class="side">${PARTS.slice(4).map(row).join("")}<p class="sum" data-sum></p></div></dl>
    <p class="lamp" data-lamp><span></span><b></b></p>`;
  const find = (selector) => element.querySelector(selector);
  const bars = [...element.querySelectorAll(".bar i")], numbers = PARTS.map(([key]) => find(`[data-part="${key}"]`));
  const lamp = find("[data-lamp]"), sum = find("[data-sum]"), name = find(".bars");
  let full = 0, written = 0, due = null;
  const reset = () => { full = 0; due = null; paint({ kinetic: 0, elastic: 0, contact: 0, supplied: 0, dissipated: 0, total: 0, residual: 0 }, true); };

  function paint(e, now) {
    const b = balance(e), time = performance.now();
    full = Math.max(b.sum, full * 0.97, 1e-300);
    const values = [...b.is, ...b.from];
    if (now || time - written > 90) {
      written = time;
      values.forEach((v, k) => { bars[k].style.width = `${Math.min((100 * v) / full, 100)}%`; numbers[k].textContent = joules(v, b.sum); });
      sum.textContent = b.sum > 0 ? `${joules(b.sum)} = ${joules(b.sum)}` : "";
      const light = verdict(e.residual || 0);
      lamp.classList.toggle("bad", !light.good);
      lamp.lastElementChild.textContent = light.text;
      name.setAttribute("aria-label", `Stored ${joules(b.is[0] + b.is[1] + b.is[2])} and lost ${joules(b.is[3])}; ${joules(b.from[0])} at the start and ${joules(b.from[1])} supplied`);
      due = null;
    } else due = e;
  }
  app.on("shown", (frame) => { if (frame.energy) paint(frame.energy, app.paused); });
  app.on("scene", reset);
  setInterval(() => { if (due) paint(due, true); }, 120);
  reset();
}
