// Links: springs, bows, and the glow of contacts that press.
import { end, moves, project, shapeAt, wireAt } from "./stage_layout.js";
import { label, zigzag } from "./stage_ink.js";
import { chainAt, massAt, massRadius } from "./stage_mass.js";
import { rise } from "./stage_scale.js";

const point = [0, 0], other = [0, 0];

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

export function drawLinks(view, frame) {
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
export function drawGlow(view, frame) {
  const { ctx, scene, spark, glow, small } = view, size = small ? 34 : 44;
  scene.links.forEach((link, l) => {
    if (link.kind === "spring") return;
    const mine = moves(scene, link.below) && !(moves(scene, link.above) && scene.bodies[link.above].kind !== "mass") ? link.below : link.above;
    if (!moves(scene, mine)) return;
    const side = end(link, mine), light = glow[l], many = link.distributed ? 0.62 : 1; // neighbours add up
    for (let j = 0; j < link.points; j++) {
      if (light[j] < 0.03) continue;
      linkEnd(view, frame, mine, (link.kind === "bow" && view.bowPlace.get(link.name)) || side.at[j], side.y[j], point);
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
