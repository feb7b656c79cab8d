// A plate as a shaded surface, seen from the front and above: its quads by shade, one path for each shade.

const SHADES = 28;
let xs = new Float32Array(0), ys = new Float32Array(0), shade = new Uint8Array(0);
let heads = new Int32Array(SHADES), next = new Int32Array(0);

function rooms(points) {
  if (xs.length >= points) return;
  xs = new Float32Array(points);
  ys = new Float32Array(points);
  shade = new Uint8Array(points);
  next = new Int32Array(points);
}

/** Colours from shadow to light, from two CSS colours as [r, g, b]. */
export function shades(dark, mid, light) {
  return Array.from({ length: SHADES }, (_, k) => {
    const t = k / (SHADES - 1), [a, b, f] = t < 0.5 ? [dark, mid, 2 * t] : [mid, light, 2 * t - 1];
    return `rgb(${a.map((v, c) => Math.round(v + f * (b[c] - v))).join(",")})`;
  });
}

/** @param {object} view @param {object} row placed @param {object} body @param {Float32Array} u @param {number} scale pixels per metre */
export function drawPlate(view, row, body, u, scale) {
  const nx = body.segments + 1, ny = body.segmentsY + 1;
  rooms(nx * ny);
  points(row, body, u, scale, nx, ny);
  sort(row, body, u, scale, nx, ny);
  fill(view.ctx, view.ink.plate, nx);
  mesh(view, nx, ny);
}

function points(row, body, u, scale, nx, ny) {
  const dx = (row.ppm * body.length) / (nx - 1), dy = (row.ppm * body.width) / (ny - 1), edge = row.half;
  for (let j = 0, k = 0; j < ny; j++)
    for (let i = 0; i < nx; i++, k++) {
      const h = u[k] * scale;
      xs[k] = row.x0 + i * dx + row.lean * j * dy;
      ys[k] = row.base - row.rise * j * dy - (h > 2 * edge ? 2 * edge : h < -2 * edge ? -2 * edge : h);
    }
}

/** What the plate would cover on the table under it. */
export function drawShadow({ ctx, ink }, row, body) {
  const wide = row.ppm * body.length, deep = row.ppm * body.width;
  ctx.fillStyle = ink.shadow;
  ctx.beginPath();
  const y = row.base + 14 + row.drop;
  ctx.moveTo(row.x0 + 6, y);
  ctx.lineTo(row.x0 + wide + 6, y);
  ctx.lineTo(row.x0 + wide + row.lean * deep + 6, y - row.rise * deep);
  ctx.lineTo(row.x0 + row.lean * deep + 6, y - row.rise * deep);
  ctx.fill();
}

/** Light comes from the left and the back: slopes towards it are bright. */
function sort(row, body, u, scale, nx, ny) {
  heads.fill(-1);
  const dx = (row.ppm * body.length) / (nx - 1), dy = (row.ppm * body.width) / (ny - 1), middle = (SHADES - 1) * 0.5;
  for (let j = 0; j < ny - 1; j++)
    for (let i = 0; i < nx - 1; i++) {
      const k = j * nx + i, a = u[k], b = u[k + 1], c = u[k + nx], d = u[k + nx + 1];
      const sx = ((b + d - a - c) / (2 * dx)) * scale, sy = ((c + d - a - b) / (2 * dy)) * scale;
      const lit = 1.5 * sx - 1.6 * sy, high = ((a + d) * 0.5 * scale) / row.half;
      const level = middle * (1 + 0.8 * (lit / Math.sqrt(1 + lit * lit)) + 0.25 * (high > 1 ? 1 : high < -1 ? -1 : high));
      const s = level < 0 ? 0 : level > SHADES - 1 ? SHADES - 1 : Math.round(level);
      shade[k] = s;
      next[k] = heads[s];
      heads[s] = k;
    }
}

function fill(ctx, colours, nx) {
  ctx.lineWidth = 0.8;
  ctx.lineJoin = "round";
  for (let s = 0; s < SHADES; s++) {
    if (heads[s] < 0) continue;
    ctx.beginPath();
    for (let k = heads[s]; k >= 0; k = next[k]) {
      ctx.moveTo(xs[k], ys[k]);
      ctx.lineTo(xs[k + 1], ys[k + 1]);
      ctx.lineTo(xs[k + nx + 1], ys[k + nx + 1]);
      ctx.lineTo(xs[k + nx], ys[k + nx]);
    }
    ctx.fillStyle = ctx.strokeStyle = colours[s];
    ctx.fill();
    ctx.stroke();
  }
}

function mesh({ ctx, ink }, nx, ny) {
  const every = (n) => Math.max(1, Math.round(n / 8));
  ctx.strokeStyle = ink.mesh;
  ctx.lineWidth = 0.7;
  ctx.beginPath();
  for (let j = 0; j < ny; j += every(ny - 1)) line(ctx, j * nx, 1, nx);
  for (let i = 0; i < nx; i += every(nx - 1)) line(ctx, i, nx, ny);
  ctx.stroke();
  ctx.strokeStyle = ink.edge;
  ctx.lineWidth = 1.6;
  ctx.beginPath();
  line(ctx, 0, 1, nx);
  line(ctx, nx - 1, nx, ny);
  line(ctx, (ny - 1) * nx, 1, nx);
  line(ctx, 0, nx, ny);
  ctx.stroke();
}

function line(ctx, from, step, count) {
  ctx.moveTo(xs[from], ys[from]);
  for (let n = 1; n < count; n++) ctx.lineTo(xs[from + n * step], ys[from + n * step]);
}
