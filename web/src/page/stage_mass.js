// Masses: discs where they meet long bodies, and chains of masses that meet only each other.
import { end, moves, project, wireAt } from "./stage_layout.js";
import { disc, label, zigzag } from "./stage_ink.js";
import { metres, rise, squeeze } from "./stage_scale.js";

const point = [0, 0], other = [0, 0];

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

/** Where mass n of a chain is; x and y of its centre. */
export function chainAt(row, n, u, scale, out) {
  const count = row.bodies.length, shift = squeeze((u + row.offsets[n]) * scale, row.half);
  if (row.columns) {
    out[0] = row.x0 + ((n + 0.5) / count) * (row.x1 - row.x0);
    out[1] = row.base - shift;
  } else if (row.upright) {
    out[0] = row.middle;
    out[1] = row.base + (row.step / 2) * (count - 1 - 2 * n) - shift;
  } else {
    out[0] = (row.x0 + row.x1) / 2 + (row.step / 2) * (2 * n - count + 1) + shift;
    out[1] = row.base + 0.3 * row.radius;
  }
  return out;
}

export function drawChain(view, frame, row, r) {
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
  const top = row.top + 10, rest = (row.x0 + row.x1) / 2 + (row.step / 2) * (2 * n - row.bodies.length + 1);
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

export function drawMasses(view, frame) {
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
