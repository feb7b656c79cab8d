// Draws rows of bodies from a frame on a 2D canvas: strings over barriers, plates with wires, modal bodies.
// Plates are in stage_plate.js, masses in stage_mass.js, links in stage_link.js.
import { end, moves, wireAt } from "./stage_layout.js";
import { pin } from "./stage_ink.js";
import { drawGlow, drawLinks } from "./stage_link.js";
import { drawChain, drawMasses } from "./stage_mass.js";
import { drawPlate, drawShadow } from "./stage_plate.js";
import { rise } from "./stage_scale.js";

const point = [0, 0];

/** Everything that a picture needs besides the frame.
 *  @typedef {object} View
 *  @property {CanvasRenderingContext2D} ctx @property {object} scene @property {object} plan
 *  @property {object} ink colours @property {number[]} scale pixels per metre of displacement, of each row
 *  @property {Float32Array[]} glow 0 .. 1 of each point of each link @property {Float32Array[]} walls barrier levels (m), of each link
 *  @property {object[]} ghosts frames before, the newest first @property {HTMLCanvasElement} spark glow as a picture
 *  @property {boolean} small the canvas is narrow */

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
