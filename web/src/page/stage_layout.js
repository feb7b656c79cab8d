// Which body is drawn where. Pure: from SceneInfo to rows, then from rows and a size to pixels.
//
// A row is one picture with one vertical scale: a string with all that touches it, two strings that
// touch each other, a plate with the wires under it, a modal body with others that ride on it, or a
// chain of masses. A mass sits where its contacts are: one disc in each row that it touches.

const LONG = { string: true, plate: true, modal: true };

/** Whether the body moves; barriers and the ground do not.
 *  @param {object} scene @param {number} i */
export const moves = (scene, i) => i >= 0 && !!scene.bodies[i] && scene.bodies[i].points > 0 && scene.bodies[i].kind !== "barrier";

const long = (scene, i) => moves(scene, i) && !!LONG[scene.bodies[i].kind];
const isMass = (scene, i) => moves(scene, i) && scene.bodies[i].kind === "mass";

/** The side of a link that is body `i`, and the other.
 *  @returns {{at:Float64Array, y:Float64Array, other:number, side:number}} side: 1 it is above */
export function end(link, i) {
  return link.above === i
    ? { at: link.atAbove, y: link.yAbove, other: link.below, side: 1 }
    : { at: link.atBelow, y: link.yBelow, other: link.above, side: -1 };
}

/** How far above its reference a body is drawn so that a contact is closed when its penetration is 0. */
const gapOf = (link) => (link.law === "centre-limited" || !Number.isFinite(link.gap) ? 0 : link.gap);

/** Levels from top (0) to bottom by contacts: above before below. */
function levels(scene) {
  const level = scene.bodies.map(() => 0);
  for (let round = 0; round < scene.bodies.length; round++) {
    let changed = false;
    for (const link of scene.links) {
      if (link.kind !== "contact" || !moves(scene, link.above) || !moves(scene, link.below)) continue;
      if (level[link.below] <= level[link.above] && level[link.above] < 12) {
        level[link.below] = level[link.above] + 1;
        changed = true;
      }
    }
    if (!changed) break;
  }
  return level;
}

/** The body in whose row body i is drawn; itself for a host. */
function hosts(scene) {
  const host = scene.bodies.map((_, i) => i);
  const places = (i) => scene.bodies[i].points;
  for (const link of scene.links) {
    if (link.kind !== "contact" || !long(scene, link.above) || !long(scene, link.below)) continue;
    const a = link.above, b = link.below, ka = scene.bodies[a].kind, kb = scene.bodies[b].kind;
    if (ka === kb && ka === "string") join(host, b, a);
    else if (ka === "plate" && kb === "string") join(host, a, b);
    else if (kb === "plate" && ka === "string") join(host, b, a);
    else if (ka === "modal" && kb === "modal") join(host, places(a) > places(b) ? a : b, places(a) > places(b) ? b : a);
  }
  return host.map((_, i) => root(host, i));
}
const root = (host, i) => (host[i] === i ? i : root(host, host[i]));
function join(host, keep, other) {
  const a = root(host, keep), b = root(host, other);
  if (a !== b) host[b] = a;
}

/** Where a mass sits: the long bodies it meets, by contacts or, without any, by springs. */
function seats(scene, i) {
  const found = [];
  for (const kind of ["contact", "spring"]) {
    scene.links.forEach((link, l) => {
      if (link.kind !== kind || (link.above !== i && link.below !== i)) return;
      const mine = end(link, i);
      if (!long(scene, mine.other)) return;
      const theirs = end(link, mine.other);
      found.push({ link: l, body: mine.other, at: theirs.at[0], y: theirs.y[0], side: kind === "spring" ? -1 : mine.side,
        offset: mine.side * gapOf(link) });
    });
    if (found.length) break;
  }
  return found;
}

/** Chains of masses that meet no long body, from left (or bottom) to right (or top). */
function chains(scene, free) {
  const left = new Set(free), rows = [];
  const meets = (i) => scene.links.flatMap((k) => (k.above === i ? [k.below] : k.below === i ? [k.above] : [])).filter((j) => left.has(j));
  while (left.size) {
    const group = [], queue = [left.values().next().value];
    left.delete(queue[0]);
    while (queue.length) {
      const i = queue.shift();
      group.push(i);
      for (const j of meets(i)) { left.delete(j); queue.push(j); }
    }
    const level = levels(scene);
    group.sort((a, b) => level[b] - level[a] || a - b);
    const walled = scene.links.some((k) => (group.includes(k.above) && !moves(scene, k.below)) || (group.includes(k.below) && !moves(scene, k.above)));
    const gaps = group.map(() => 0);
    for (let n = 1; n < group.length; n++) {
      const link = scene.links.find((k) => k.kind === "contact" && k.above === group[n] && k.below === group[n - 1]);
      gaps[n] = gaps[n - 1] + (link ? gapOf(link) : 0);
    }
    rows.push({ kind: "chain", upright: walled || group.length < 2, bodies: group, offsets: gaps, masses: [] });
  }
  return rows;
}

/** How far masses of a chain are taken by hand, m: beyond its walls; where the scene shakes it, some times its play. */
export function chainReach(scene, row) {
  const near = scene.links.filter((l) => row.bodies.includes(l.above) || row.bodies.includes(l.below)), most = (list) => Math.max(...list.filter(Number.isFinite), 0);
  if (row.bodies.some((i) => scene.bodies[i].driven)) return most(near.map((l) => 20 * l.gap)) || 5e-3;
  return Math.max(0.03, 1.5 * most(near.map((l) => Math.abs(l.height?.[0] ?? 0))));
}

/** Single masses stand beside each other in one row. */
function columns(rows) {
  const single = rows.filter((row) => row.bodies.length === 1);
  if (single.length < 2) return rows;
  const bodies = single.flatMap((row) => row.bodies);
  return rows.filter((row) => row.bodies.length > 1).concat([{ kind: "chain", upright: true, columns: true, bodies, offsets: bodies.map(() => 0), masses: [] }]);
}

/** How far above the row's reference each string or plate of a row lies: by the gaps between them. */
function offsets(scene, row) {
  const off = row.bodies.map(() => 0);
  for (let round = 0; round < row.bodies.length; round++)
    for (const link of scene.links) {
      const a = row.bodies.indexOf(link.above), b = row.bodies.indexOf(link.below);
      if (link.kind === "contact" && a >= 0 && b >= 0 && row.kind === "string") off[a] = off[b] + gapOf(link);
    }
  return off;
}

const WEIGHT = { string: 1, plate: 2.4, modal: 1.5, chain: 1.6 };

/** Rows of a scene, top first, and for each body where it is drawn.
 *  @param {object} scene SceneInfo
 *  @returns {{rows: object[], seats: object[][], row: number[]}} */
export function arrange(scene) {
  const host = hosts(scene), level = levels(scene);
  const seated = scene.bodies.map((_, i) => (isMass(scene, i) ? seats(scene, i) : []));
  let rows = [];
  scene.bodies.forEach((body, i) => {
    if (!long(scene, i) || host[i] !== i) return;
    const bodies = [i, ...scene.bodies.keys()].filter((j, n) => n === 0 || (j !== i && long(scene, j) && host[j] === i));
    rows.push({ kind: body.kind, bodies, masses: [], level: level[i] });
  });
  rows.forEach((row) => { row.offsets = offsets(scene, row); });
  rows.sort((a, b) => a.level - b.level);
  const free = [...scene.bodies.keys()].filter((i) => isMass(scene, i) && !seated[i].length);
  // A mass that only meets other masses sits in their row when one of those is seated.
  for (let again = true; again;) {
    again = false;
    for (const i of [...free]) {
      const near = scene.links.map((k) => (k.above === i ? k.below : k.below === i ? k.above : -1)).find((j) => j >= 0 && seated[j]?.length);
      if (near === undefined) continue;
      const up = scene.links.find((k) => (k.above === i && k.below === near) || (k.below === i && k.above === near)).above === i;
      seated[i] = [{ ...seated[near][0], side: up ? 1 : -1, stacked: near }];
      free.splice(free.indexOf(i), 1);
      again = true;
    }
  }
  rows = rows.concat(columns(chains(scene, free)));
  const row = scene.bodies.map(() => -1);
  rows.forEach((r, n) => {
    r.weight = WEIGHT[r.kind] ?? 1;
    for (const i of r.bodies) row[i] = n;
  });
  seated.forEach((list, i) => {
    for (const seat of list) {
      seat.row = row[seat.body];
      if (!rows[seat.row].masses.includes(i)) rows[seat.row].masses.push(i);
    }
    if (list.length) row[i] = list[0].row;
  });
  fan(seated);
  return { rows, seats: seated, row };
}

/** Masses on the same place and side stand beside each other. */
function fan(seated) {
  const all = seated.flat(), done = new Set();
  for (const seat of all) {
    if (done.has(seat)) continue;
    const same = all.filter((o) => o.body === seat.body && o.side === seat.side && o.at === seat.at && (o.y === seat.y || o.y !== o.y) && !o.stacked);
    same.forEach((o, n) => { o.beside = n - (same.length - 1) / 2; done.add(o); });
    seat.beside ??= 0;
  }
}

/** Pixels. Rows get x0, x1 (ends of the longest body), top, bottom, base (y of the reference), half
 *  (pixels from there to the edge) and ppm (pixels per metre along the body).
 *  @param {object} scene @param {{rows:object[]}} plan @param {object} size width, height; room at the top, bottom and side; longest: m, of a string elsewhere in the scene */
export function place(scene, plan, size) {
  const side = size.side ?? 28, right = size.right ?? side, top = size.top ?? 0, bottom = size.height - (size.bottom ?? 0);
  const total = plan.rows.reduce((sum, row) => sum + row.weight, 0) || 1;
  const longest = Math.max(...scene.bodies.map((b) => (b.kind === "string" ? b.length : 0)), size.longest ?? 0, 1e-9);
  let y = top;
  for (const row of plan.rows) {
    row.top = y;
    y += ((bottom - top) * row.weight) / total;
    row.bottom = y;
    row.base = (row.top + row.bottom) / 2;
    row.half = (row.bottom - row.top) / 2;
    row.x0 = side;
    row.x1 = size.width - right;
    if (row.kind === "string") placeString(scene, row, longest);
    else if (row.kind === "plate") placePlate(scene, row);
    else if (row.kind === "modal") placeModal(scene, row);
    else placeChain(row);
  }
  plan.rows.forEach((row, r) => { row.ground = r === plan.rows.length - 1 ? size.height : row.bottom; });
  return plan;
}

function placeString(scene, row, longest) {
  row.ppm = (row.x1 - row.x0) / longest;
  const own = Math.max(...row.bodies.map((i) => scene.bodies[i].length));
  const least = 0.45 * (row.x1 - row.x0);
  if (own * row.ppm < least) row.ppm = least / own;
  row.x1 = row.x0 + own * row.ppm;
  const masses = row.masses.length > 0;
  row.half *= masses ? 0.62 : 0.74;
}

/** Plates are seen from the front and above: y goes back, to the right and up. */
const LEAN = 0.42, RISE = 0.46;
function placePlate(scene, row) {
  const plate = scene.bodies[row.bodies[0]], wide = row.x1 - row.x0, high = row.bottom - row.top;
  row.lean = LEAN;
  row.rise = RISE;
  row.ppm = Math.min(wide / (plate.length + LEAN * plate.width), (0.56 * high) / (RISE * plate.width), (3 * high) / plate.length);
  const used = row.ppm * (plate.length + LEAN * plate.width);
  row.x0 += (wide - used) / 2;
  row.x1 = row.x0 + row.ppm * plate.length;
  row.base = row.base + (RISE * plate.width * row.ppm) / 2 + 0.04 * high;
  row.half = Math.min(0.19 * high, 0.42 * RISE * plate.width * row.ppm + 12);
  row.drop = row.bodies.length > 1 ? 0.07 * high : 0; // wires hang so far below, to be seen
}

function placeModal(scene, row) {
  const count = scene.bodies[row.bodies[0]].points, wide = row.x1 - row.x0;
  row.step = Math.min(wide / Math.max(count, 1), 150);
  row.x0 = row.x0 + (wide - row.step * (count - 1)) / 2;
  row.x1 = row.x0 + row.step * (count - 1);
  row.ppm = 0;
  row.half *= 0.6;
}

function placeChain(row) {
  const n = row.bodies.length, wide = row.x1 - row.x0;
  row.ppm = 0;
  if (row.upright) {
    row.radius = Math.max(Math.min(30, row.half * 0.16), 8);
    if (!row.columns) stack(row, n, 1.8 * row.half);
    row.half = row.half * 0.62;
    row.middle = (row.x0 + row.x1) / 2;
  } else {
    row.radius = Math.max(9, Math.min(wide / (2.6 * n + 4), row.half * 0.22, 44));
    stack(row, n, wide);
    row.half = Math.max(30, (wide - n * row.step) / 2);
  }
}

/** Many masses are smaller, and more still overlap, so that all of them are in the picture. */
function stack(row, n, most) {
  row.radius = Math.min(row.radius, Math.max(3, most / (2 * n)));
  row.step = Math.min(2 * row.radius, most / n);
}

/** Where place x (and y) of body i is on screen when it is at rest; into out[0], out[1].
 *  @param {object} row placed @param {object} body @param {number} x @param {number} y */
export function project(row, body, x, y, out) {
  if (row.kind === "plate") {
    const deep = Number.isFinite(y) ? y : 0;
    out[0] = row.x0 + row.ppm * (x + row.lean * deep);
    out[1] = row.base - row.ppm * row.rise * deep;
  } else if (row.kind === "modal") {
    out[0] = row.x0 + row.step * ((Number.isFinite(x) ? x : 1) - 1);
    out[1] = row.base;
  } else {
    out[0] = row.x0 + row.ppm * x;
    out[1] = row.base;
  }
  return out;
}

/** The place on a body at a pixel: the inverse of project at rest.
 *  @returns {{x:number,y:number}} clamped to the body; modal: the nearest place, 1, 2, ... */
export function placeAt(row, body, px, py) {
  if (row.kind === "plate" && body.kind === "plate") {
    const y = Math.min(Math.max((row.base - py) / (row.ppm * row.rise), 0), body.width);
    const x = (px - row.x0) / row.ppm - row.lean * y;
    return { x: Math.min(Math.max(x, 0), body.length), y };
  }
  if (row.kind === "modal") return { x: Math.min(Math.max(Math.round((px - row.x0) / row.step) + 1, 1), body.points), y: 0 };
  return { x: Math.min(Math.max((px - row.x0) / row.ppm, 0), body.length), y: 0 };
}

/** The displacement of a body's shape at place x (and y), linear between points.
 *  @param {object} body @param {Float32Array} u */
export function shapeAt(body, u, x, y) {
  if (body.kind === "mass") return u[0];
  if (body.kind === "modal") return u[Math.min(Math.max(Math.round(Number.isFinite(x) ? x : 1) - 1, 0), body.points - 1)];
  const s = Math.min(Math.max(((Number.isFinite(x) ? x : 0) / body.length) * body.segments, 0), body.segments);
  const i = Math.min(Math.floor(s), body.segments - 1), f = s - i;
  if (body.kind !== "plate") return u[i] + f * (u[i + 1] - u[i]);
  const t = Math.min(Math.max(((Number.isFinite(y) ? y : 0) / body.width) * body.segmentsY, 0), body.segmentsY);
  const j = Math.min(Math.floor(t), body.segmentsY - 1), g = t - j, n = body.segments + 1, k = j * n + i;
  return (u[k] * (1 - f) + u[k + 1] * f) * (1 - g) + (u[k + n] * (1 - f) + u[k + n + 1] * f) * g;
}

/** The place across a plate where a wire under it lies. */
function across(scene, plate, wire) {
  for (const link of scene.links)
    if (link.kind === "contact" && (link.above === plate || link.below === plate) && (link.above === wire || link.below === wire)) return end(link, plate).y[0];
  return scene.bodies[plate].width / 2;
}

/** Where a point of a body of a plate's row is; wires hang below the plate to be seen. */
export function wireAt(scene, row, i, x, out) {
  project(row, null, x, across(scene, row.bodies[0], i), out);
  out[1] += row.drop;
  return out;
}
