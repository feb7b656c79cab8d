// Draws rows of bodies from a frame on a 2D canvas: strings, barriers, masses, modal bodies, springs,
// bows and the glow of contacts. Plates are in stage_plate.js.
import { end, moves, project, shapeAt } from "./stage_layout.js";
import { metres, squeeze } from "./stage_scale.js";
import { drawPlate, drawShadow } from "./stage_plate.js";

const point = [0, 0], other = [0, 0];

/** Everything that a picture needs besides the frame.
 *  @typedef {object} View
 *  @property {CanvasRenderingContext2D} ctx @property {object} scene @property {object} plan
 *  @property {object} ink colours @property {number[]} scale pixels per metre of displacement, of each row
 *  @property {Float32Array[]} glow 0 .. 1 of each point of each link @property {Float32Array[]} walls barrier levels (m), of each link
 *  @property {object[]} ghosts frames before, the newest first @property {HTMLCanvasElement} spark glow as a picture
 *  @property {boolean} small the canvas is narrow */

/** Height on screen of displacement u in a row: far away it is squeezed into sight. */
export const rise = (row, scale, u) => -squeeze(u * scale, row.half);

/** Draws one frame. @param {View} view @param {object} frame */
export function draw(view, frame) {
  const { plan } = view;
  plan.rows.forEach((row, r) => {
    if (row.kind === "string") drawStrings(view, frame, row, r);
    else if (row.kind === "plate") drawPlates(view, frame, row, r);
    else if (row.kind === "modal") drawModal(view, frame, row, r);
    else drawChain(view, frame, row, r);
  });
  drawLinks(view, frame);
  drawMasses(view, frame);
  drawGlow(view, frame);
}

function trace(ctx, row, body, u, scale, offset) {
  const step = (row.ppm * body.length) / body.segments;
  ctx.beginPath();
  ctx.moveTo(row.x0, row.base + rise(row, scale, u[0] + offset));
  for (let j = 1; j < u.length; j++) ctx.lineTo(row.x0 + j * step, row.base + rise(row, scale, u[j] + offset));
}

function drawStrings(view, frame, row, r) {
  const { ctx, scene, ink } = view, scale = view.scale[r];
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, row.top - 6, 1e5, row.ground - row.top + 12);
  ctx.clip();
  drawWalls(view, row, r);
  ctx.lineJoin = "round";
  row.bodies.forEach((i, n) => {
    const body = scene.bodies[i], offset = row.offsets[n], y = row.base + rise(row, scale, offset), far = row.x0 + row.ppm * body.length;
    ctx.setLineDash([2, 5]);
    ctx.strokeStyle = ink.line;
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(row.x0, y);
    ctx.lineTo(far, y);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.strokeStyle = ink.string;
    for (let g = view.ghosts.length - 1; g >= 0; g--) {
      ctx.globalAlpha = 0.2 * (1 - g / view.ghosts.length);
      ctx.lineWidth = 1.5;
      trace(ctx, row, body, view.ghosts[g].shapes[i], scale, offset);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    ctx.lineWidth = view.small ? 2 : 2.4;
    trace(ctx, row, body, frame.shapes[i], scale, offset);
    ctx.stroke();
    pin(view, row.x0, y);
    pin(view, far, y);
  });
  ctx.restore();
}

function pin({ ctx, ink }, x, y) {
  ctx.fillStyle = ink.card;
  ctx.strokeStyle = ink.string;
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.arc(x, y, 4.5, 0, 7);
  ctx.fill();
  ctx.stroke();
}

/** Barriers of a row: a profile along the string, or single frets and stops. */
function drawWalls(view, row, r) {
  const { scene } = view;
  scene.links.forEach((link, l) => {
    if (link.kind !== "contact") return;
    const i = moves(scene, link.above) ? link.above : link.below;
    if (!row.bodies.includes(i) || moves(scene, link.above + link.below - i)) return;
    const mine = end(link, i);
    if (link.distributed && link.points > 2) profile(view, row, view.scale[r], link, mine, view.walls[l]);
    else posts(view, row, view.scale[r], link, mine, view.walls[l]);
  });
}

function profile({ ctx, ink }, row, scale, link, mine, wall) {
  const edge = mine.side > 0 ? row.ground + 8 : row.top - 8, n = link.points, first = row.x0 + row.ppm * mine.at[0], last = row.x0 + row.ppm * mine.at[n - 1];
  const half = n > 1 ? (last - first) / (n - 1) / 2 : 4, from = Math.max(first - half, row.x0 - 10), to = last + half;
  const y = (j) => Math.min(Math.max(row.base - scale * wall[j], row.top - 8), row.ground + 8);
  const curve = () => {
    ctx.beginPath();
    ctx.moveTo(from, y(0));
    for (let j = 0; j < n; j++) ctx.lineTo(row.x0 + row.ppm * mine.at[j], y(j));
    ctx.lineTo(to, y(n - 1));
  };
  curve();
  ctx.lineTo(to, edge);
  ctx.lineTo(from, edge);
  ctx.closePath();
  ctx.fillStyle = ink.wood;
  ctx.fill();
  curve();
  ctx.strokeStyle = ink.edge;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

function posts({ ctx, ink, small }, row, scale, link, mine, wall) {
  const half = small ? 3 : 4;
  for (let j = 0; j < link.points; j++) {
    const x = row.x0 + row.ppm * mine.at[j], y = row.base + rise(row, scale, wall[j]), down = mine.side > 0;
    const foot = down ? Math.min(Math.max(y + 18, row.base + row.half * 1.15), row.bottom + 8) : y - 16;
    ctx.beginPath();
    ctx.moveTo(x - half, foot);
    ctx.lineTo(x - half, y + (down ? half : -half));
    ctx.arc(x, y + (down ? half : -half), half, Math.PI, 0, !down);
    ctx.lineTo(x + half, foot);
    ctx.closePath();
    ctx.fillStyle = ink.wood;
    ctx.fill();
    ctx.strokeStyle = ink.edge;
    ctx.lineWidth = 1;
    ctx.stroke();
  }
}

/** The place across a plate where a wire under it lies. */
function across(scene, plate, wire) {
  for (const link of scene.links)
    if (link.kind === "contact" && (link.above === plate || link.below === plate) && (link.above === wire || link.below === wire)) return end(link, plate).y[0];
  return scene.bodies[plate].width / 2;
}

/** Where a point of a body of a plate's row is; wires hang below the plate to be seen. */
function wireAt(scene, row, i, x, out) {
  project(row, null, x, across(scene, row.bodies[0], i), out);
  out[1] += row.drop;
  return out;
}

function drawPlates(view, frame, row, r) {
  const { ctx, scene } = view, plate = row.bodies[0], scale = view.scale[r];
  drawShadow(view, row, scene.bodies[plate]);
  for (let n = 1; n < row.bodies.length; n++) wire(view, frame, row, row.bodies[n], scale);
  ctx.globalAlpha = row.bodies.length > 1 ? 0.72 : 1; // what lies under a skin is seen through it
  drawPlate(view, row, scene.bodies[plate], frame.shapes[plate], scale);
  ctx.globalAlpha = 1;
}

function wire({ ctx, scene, ink, ghosts }, frame, row, i, scale) {
  const body = scene.bodies[i], step = body.length / body.segments;
  const path = (u) => {
    ctx.beginPath();
    for (let j = 0; j < u.length; j++) {
      wireAt(scene, row, i, j * step, point);
      ctx.lineTo(point[0], point[1] + rise(row, scale, u[j]));
    }
  };
  ctx.strokeStyle = ink.string;
  ctx.lineWidth = 1.2;
  for (let g = ghosts.length - 1; g >= 0; g--) {
    ctx.globalAlpha = 0.2 * (1 - g / ghosts.length);
    path(ghosts[g].shapes[i]);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
  ctx.lineWidth = 2.2;
  path(frame.shapes[i]);
  ctx.stroke();
}

function drawModal(view, frame, row, r) {
  const { ctx, scene, ink } = view, host = row.bodies[0], u = frame.shapes[host], scale = view.scale[r], wide = Math.min(row.step * 0.34, 17);
  ctx.strokeStyle = ink.line;
  ctx.lineWidth = 1;
  ctx.setLineDash([2, 5]);
  ctx.beginPath();
  ctx.moveTo(row.x0 - row.step * 0.45, row.base);
  ctx.lineTo(row.x1 + row.step * 0.45, row.base);
  ctx.stroke();
  ctx.setLineDash([]);
  for (let j = 0; j < u.length; j++) {
    const x = row.x0 + j * row.step, y = row.base + rise(row, scale, u[j]);
    ctx.fillStyle = ink.wood;
    ctx.fillRect(x - wide, Math.min(y, row.base), 2 * wide, Math.abs(y - row.base));
    ctx.fillStyle = ink.string;
    ctx.fillRect(x - wide, y - 1.5, 2 * wide, 3);
    ctx.fillStyle = ink.soft;
    ctx.font = ink.small;
    ctx.textAlign = "center";
    ctx.fillText(String(j + 1), x, row.base + row.half + 22);
  }
  holes(view, frame, row, scale, wide);
  for (let n = 1; n < row.bodies.length; n++) rider(view, frame, row, row.bodies[n], scale);
}

/** Free play of a contact with two sides: a bracket around the place of the host. */
function holes({ ctx, scene, ink }, frame, row, scale, wide) {
  const host = row.bodies[0];
  ctx.strokeStyle = ink.edge;
  ctx.lineWidth = 2;
  for (const link of scene.links) {
    if (link.law !== "centre-limited" || (link.above !== host && link.below !== host) || !(link.gap > 0)) continue;
    const at = end(link, host).at[0], x = row.x0 + row.step * (at - 1), u = frame.shapes[host][at - 1];
    for (const side of [-1, 1]) {
      const y = row.base + rise(row, scale, u + side * link.gap) - side * 4;
      ctx.beginPath();
      ctx.moveTo(x - wide * 0.7, y + side * 4);
      ctx.lineTo(x - wide * 0.7, y);
      ctx.lineTo(x + wide * 0.7, y);
      ctx.lineTo(x + wide * 0.7, y + side * 4);
      ctx.stroke();
    }
  }
}

/** A modal body that rides on another: a bar between the places where they meet. */
function rider({ ctx, scene, ink }, frame, row, i, scale) {
  const host = row.bodies[0], u = frame.shapes[i];
  ctx.beginPath();
  let count = 0, x = 0, y = 0;
  for (const link of scene.links) {
    if (link.kind !== "contact" || (link.above !== i && link.below !== i) || (link.above !== host && link.below !== host)) continue;
    x = row.x0 + row.step * (end(link, host).at[0] - 1);
    y = row.base + rise(row, scale, u[Math.max(end(link, i).at[0], 1) - 1]);
    if (count++ === 0) ctx.moveTo(x, y);
    else ctx.lineTo(x, y);
  }
  if (count === 1) ctx.lineTo(x + 0.01, y);
  ctx.lineCap = "round";
  ctx.strokeStyle = ink.string;
  ctx.lineWidth = 7;
  ctx.stroke();
  ctx.strokeStyle = ink.metal;
  ctx.lineWidth = 3.5;
  ctx.stroke();
  ctx.lineCap = "butt";
}

/** Where mass n of a chain is; x and y of its centre. */
export function chainAt(row, n, u, scale, out) {
  const count = row.bodies.length, shift = squeeze((u + row.offsets[n]) * scale, row.half);
  if (row.columns) {
    out[0] = row.x0 + ((n + 0.5) / count) * (row.x1 - row.x0);
    out[1] = row.base - shift;
  } else if (row.upright) {
    out[0] = row.middle;
    out[1] = row.base + row.radius * (count - 1 - 2 * n) - shift;
  } else {
    out[0] = (row.x0 + row.x1) / 2 + row.radius * (2 * n - count + 1) + shift;
    out[1] = row.base + 0.3 * row.radius;
  }
  return out;
}

function drawChain(view, frame, row, r) {
  const { ctx, scene, ink } = view, scale = view.scale[r];
  chainWalls(view, frame, row, scale);
  row.bodies.forEach((i, n) => {
    chainAt(row, n, frame.shapes[i][0], scale, point);
    if (!row.upright && !row.columns && (scene.bodies[i].frequency ?? 0) > 0) thread(view, row, n);
    disc(view, point[0], point[1], row.radius, scene.bodies[i].driven);
    if (row.radius >= 12 && !view.small) label(ctx, ink, scene.bodies[i].name, point[0], row.upright ? point[1] - row.radius - 8 : point[1] + row.radius + 20, "center");
  });
}

/** A mass of a row of masses hangs on a thread, as balls of a cradle do. */
function thread({ ctx, ink }, row, n) {
  const top = row.top + 10, rest = (row.x0 + row.x1) / 2 + row.radius * (2 * n - row.bodies.length + 1);
  ctx.strokeStyle = ink.line;
  ctx.lineWidth = 1.2;
  ctx.beginPath();
  ctx.moveTo(rest, top);
  ctx.lineTo(point[0], point[1]);
  ctx.stroke();
}

function chainWalls(view, frame, row, scale) {
  const { ctx, scene, ink } = view;
  scene.links.forEach((link, l) => {
    const n = row.bodies.findIndex((i) => i === link.above || i === link.below);
    if (n < 0 || (moves(scene, link.above) && moves(scene, link.below))) return;
    const mine = end(link, row.bodies[n]);
    chainAt(row, n, frame.shapes[row.bodies[n]][0], scale, point);
    if (link.kind === "spring") {
      zigzag(ctx, ink, point[0], row.bottom - 4, point[0], point[1], 9);
      return;
    }
    const level = view.walls[l][0];
    chainAt(row, n, level, scale, other);
    const y = other[1] + mine.side * row.radius;
    ctx.fillStyle = ink.wood;
    const reach = row.columns ? row.radius * 2 : (row.x1 - row.x0) * 0.22;
    ctx.fillRect(other[0] - reach, mine.side > 0 ? y : y - 12, 2 * reach, 12);
    ctx.fillStyle = ink.edge;
    ctx.fillRect(other[0] - reach, y - 0.75, 2 * reach, 1.5);
  });
}

function disc({ ctx, ink }, x, y, r, driven) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fillStyle = ink.metal;
  ctx.fill();
  ctx.lineWidth = 2;
  ctx.strokeStyle = ink.string;
  if (driven) ctx.setLineDash([3, 3]);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.arc(x - r * 0.3, y - r * 0.35, r * 0.28, 0, 7);
  ctx.fillStyle = ink.shine;
  ctx.fill();
}

/** Where the disc of a mass is in the row of a seat. */
export function massAt(view, seat, u, out) {
  const { scene, plan } = view, row = plan.rows[seat.row], r = massRadius(view);
  project(row, scene.bodies[seat.body], seat.at, seat.y, out);
  out[0] += (seat.beside || 0) * 2.5 * r;
  const host = row.offsets ? row.offsets[Math.max(row.bodies.indexOf(seat.body), 0)] : 0;
  out[1] += rise(row, view.scale[seat.row], u + seat.offset + host) - seat.side * (r + (seat.stacked !== undefined ? 2 * r : 0));
  out[1] = Math.min(Math.max(out[1], row.top + r - 4), row.bottom - r + 4);
  return out;
}
export const massRadius = (view) => (view.small ? 11 : 13);

function drawMasses(view, frame) {
  const { ctx, scene, plan, ink } = view, r = massRadius(view);
  plan.seats.forEach((list, i) => {
    if (!list.length) return;
    const u = frame.shapes[i][0];
    stops(view, list[list.length - 1], i);
    if (list.length > 1) {
      ctx.strokeStyle = ink.edge;
      ctx.lineWidth = 5;
      ctx.globalAlpha = 0.5;
      ctx.beginPath();
      for (const seat of list) { massAt(view, seat, u, point); ctx.lineTo(point[0], point[1]); }
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
    for (const seat of list) {
      massAt(view, seat, u, point);
      disc(view, point[0], point[1], r, scene.bodies[i].driven);
    }
    const seat = list[list.length - 1], { name } = scene.bodies[i];
    massAt(view, seat, u, point);
    if (seat.beside) {
      ctx.fillStyle = ink.string;
      ctx.textAlign = "center";
      ctx.font = ink.small;
      ctx.fillText(/\d*$/.exec(name)[0], point[0], point[1] + 4);
      return;
    }
    const left = point[0] > view.width - 120;
    label(ctx, ink, name, point[0] + (left ? -1 : 1) * (r + 7), point[1] + 4, left ? "right" : "left");
    far(view, seat, u);
  });
  labels(view);
}

/** A mass that flew out of the picture says how far it is. */
function far(view, seat, u) {
  const { ctx, ink, plan } = view, row = plan.rows[seat.row];
  if (Math.abs(u * view.scale[seat.row]) <= 1.02 * row.half) return;
  label(ctx, ink, `${u > 0 ? "↑ " : "↓ "}${metres(Math.abs(u))}`, point[0] + massRadius(view) + 7, point[1] + 18, "left");
}

/** What stops a mass that sits on a long body: rails, hands. */
function stops(view, seat, i) {
  const { ctx, scene, ink, plan } = view, row = plan.rows[seat.row], r = massRadius(view);
  scene.links.forEach((link, l) => {
    if (link.kind !== "contact" || (link.above !== i && link.below !== i)) return;
    const mine = end(link, i);
    if (moves(scene, mine.other)) return;
    massAt(view, seat, view.walls[l][0], point);
    const y = point[1] + mine.side * r;
    if (y < row.top - 4 || y > row.bottom + 4) return;
    ctx.fillStyle = ink.wood;
    ctx.fillRect(point[0] - 22, mine.side > 0 ? y : y - 6, 44, 6);
    ctx.fillStyle = ink.edge;
    ctx.fillRect(point[0] - 22, y - 0.75, 44, 1.5);
  });
}

function label(ctx, ink, text, x, y, align) {
  ctx.font = ink.small;
  ctx.textAlign = align;
  ctx.lineJoin = "round";
  ctx.lineWidth = 3;
  ctx.strokeStyle = ink.card;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = ink.soft;
  ctx.fillText(text, x, y);
}

/** Names of strings and plates, where there are several rows or bodies. */
function labels(view) {
  const { ctx, scene, plan, ink } = view;
  if (plan.rows.length < 2 && plan.rows[0]?.bodies.length < 2 && !plan.rows[0]?.masses.length) return;
  plan.rows.forEach((row, r) => {
    if (row.kind !== "string" && row.kind !== "plate") return;
    row.bodies.forEach((i, n) => {
      if (row.kind === "plate" && n > 0) {
        wireAt(scene, row, i, scene.bodies[i].length, point);
        label(ctx, ink, scene.bodies[i].name, point[0] + 6, point[1] + 4, "left");
      } else if (row.kind === "plate") label(ctx, ink, scene.bodies[i].name, row.x0, row.base + 18, "left");
      else {
        const y = row.base + rise(row, view.scale[r], row.offsets[n]), under = row.bodies.length > 1 && row.offsets[n] < Math.max(...row.offsets);
        label(ctx, ink, scene.bodies[i].name, row.x0 + 8, y + (under ? 16 : row.bottom - row.top < 44 ? -5 : -8), "left");
      }
    });
  });
}

/** Where the end of a link at body i is now. */
function linkEnd(view, frame, i, at, y, out) {
  const { scene, plan } = view, seats = plan.seats[i], body = scene.bodies[i];
  if (seats.length) return massAt(view, seats[0], frame.shapes[i][0], out);
  const r = plan.row[i], row = plan.rows[r];
  if (row.kind === "chain") return chainAt(row, row.bodies.indexOf(i), frame.shapes[i][0], view.scale[r], out);
  const u = shapeAt(body, frame.shapes[i], at, y);
  if (row.kind === "plate" && body.kind === "string") wireAt(scene, row, i, at, out);
  else if (row.kind === "modal" && row.bodies[0] !== i) riderPlace(view, row, i, at, out);
  else project(row, body, at, y, out);
  const n = row.bodies.indexOf(i);
  out[1] += rise(row, view.scale[r], u + (row.offsets?.[n] || 0));
  return out;
}

function riderPlace({ scene }, row, i, at, out) {
  const host = row.bodies[0];
  let x = 1;
  for (const link of scene.links)
    if ((link.above === i && link.below === host) || (link.below === i && link.above === host)) {
      x = end(link, host).at[0];
      if (end(link, i).at[0] === at) break;
    }
  return project(row, null, x, 0, out);
}

function drawLinks(view, frame) {
  const { ctx, scene, plan, ink } = view;
  scene.links.forEach((link, l) => {
    if (link.kind === "bow") return drawBow(view, frame, link, l);
    if (link.kind !== "spring") return;
    const a = link.above, b = link.below;
    if (moves(scene, a) && moves(scene, b)) {
      linkEnd(view, frame, a, link.atAbove[0], link.yAbove[0], point);
      linkEnd(view, frame, b, link.atBelow[0], link.yBelow[0], other);
      if (Math.hypot(point[0] - other[0], point[1] - other[1]) > 18) zigzag(ctx, ink, point[0], point[1], other[0], other[1], 9);
    } else {
      const i = moves(scene, a) ? a : b, mine = end(link, i), row = plan.rows[plan.row[i]];
      if (!row || row.kind === "chain") return;
      for (let j = 0; j < link.points; j++) {
        linkEnd(view, frame, i, mine.at[j], mine.y[j], point);
        const down = plan.seats[i].length && plan.seats[i][0].side > 0 ? -1 : 1;
        const working = Math.abs(frame.forces[l]?.[j] || 0) > 0;
        ctx.globalAlpha = working ? 0.9 : 0.4;
        zigzag(ctx, ink, point[0], point[1], point[0], point[1] + down * (view.small ? 18 : 26), 5);
        ctx.fillStyle = ink.edge;
        ctx.fillRect(point[0] - 6, point[1] + down * (view.small ? 18 : 26) - 1, 12, 2);
        ctx.globalAlpha = 1;
      }
    }
  });
}

function zigzag(ctx, ink, x0, y0, x1, y1, turns) {
  const dx = x1 - x0, dy = y1 - y0, length = Math.hypot(dx, dy) || 1, nx = -dy / length, ny = dx / length;
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  for (let k = 1; k < turns; k++) {
    const t = k / turns, w = k === 1 || k === turns - 1 ? 0 : k % 2 ? 4 : -4;
    ctx.lineTo(x0 + dx * t + nx * w, y0 + dy * t + ny * w);
  }
  ctx.lineTo(x1, y1);
  ctx.strokeStyle = ink.edge;
  ctx.lineWidth = 1.4;
  ctx.stroke();
}

/** Where the bow or the rubbing hand of a link is, on the resting line of its string. */
export function bowAt(view, frame, link, out) {
  const { scene, plan } = view, i = moves(scene, link.above) ? link.above : link.below, mine = end(link, i), row = plan.rows[plan.row[i]];
  if (row.kind !== "string") return linkEnd(view, frame, i, mine.at[0], mine.y[0], out);
  return project(row, scene.bodies[i], view.bowPlace.get(link.name) ?? mine.at[0], 0, out);
}

/** How far a bow reaches to both sides of its string. */
export function bowHeight({ scene, plan, small }, link) {
  const row = plan.rows[plan.row[moves(scene, link.above) ? link.above : link.below]];
  return Math.min(small ? 44 : 62, (row.bottom - row.top) / 2 - 8);
}

/** Fingers that rub on a string. */
function drawPad({ ctx, ink, held }, link, x, y) {
  ctx.fillStyle = held === link.name ? ink.accent : ink.edge;
  ctx.beginPath();
  ctx.roundRect(x - 9, y - 26, 18, 22, 8);
  ctx.fill();
  label(ctx, ink, link.name, x, y - 33, "center");
}

function drawBow(view, frame, link, l) {
  const { ctx, ink } = view, high = bowHeight(view, link), held = view.held === link.name;
  bowAt(view, frame, link, point);
  const [x, y] = point;
  if (!/bow/.test(link.name)) return drawPad(view, link, x, y);
  ctx.lineCap = "round";
  ctx.strokeStyle = ink.edge;
  ctx.lineWidth = 3;
  ctx.beginPath();
  ctx.moveTo(x - 5, y - high);
  ctx.quadraticCurveTo(x + 9, y, x - 5, y + high);
  ctx.stroke();
  ctx.strokeStyle = held ? ink.accent : ink.soft;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(x, y - high);
  ctx.lineTo(x, y + high);
  ctx.stroke();
  ctx.fillStyle = held ? ink.accent : ink.edge;
  ctx.beginPath();
  ctx.arc(x - 2, y + high + 6, 8, 0, 7);
  ctx.fill();
  ctx.lineCap = "butt";
  label(ctx, ink, link.name || "bow", x + 12, y + high + 10, "left");
}

/** Contacts that press: light at their points. */
function drawGlow(view, frame) {
  const { ctx, scene, spark, glow, small } = view, size = small ? 34 : 44;
  scene.links.forEach((link, l) => {
    if (link.kind === "spring") return;
    const mine = moves(scene, link.below) && !(moves(scene, link.above) && scene.bodies[link.above].kind !== "mass") ? link.below : link.above;
    if (!moves(scene, mine)) return;
    const side = end(link, mine), light = glow[l], many = link.distributed ? 0.62 : 1; // neighbours add up
    for (let j = 0; j < link.points; j++) {
      if (light[j] < 0.03) continue;
      linkEnd(view, frame, mine, side.at[j], side.y[j], point);
      if (scene.bodies[mine].kind === "mass") touchPoint(view, frame, link, mine, point);
      ctx.globalAlpha = many * Math.min(light[j], 1);
      const s = many * size * (0.45 + 0.75 * light[j]);
      ctx.drawImage(spark, point[0] - s, point[1] - s, 2 * s, 2 * s);
    }
    ctx.globalAlpha = 1;
  });
}

/** Between two masses, or a mass and a wall: the edge of the disc. */
function touchPoint(view, frame, link, mine, out) {
  const { scene, plan } = view, row = plan.rows[plan.row[mine]], theirs = end(link, mine).other, side = end(link, mine).side;
  if (row.kind !== "chain") {
    out[1] += side * massRadius(view);
    return;
  }
  if (moves(scene, theirs) && plan.row[theirs] === plan.row[mine]) {
    const x = out[0], y = out[1];
    linkEnd(view, frame, theirs, 0, 0, out);
    out[0] = (out[0] + x) / 2;
    out[1] = (out[1] + y) / 2;
  } else out[1] += side * row.radius;
}
