// Small shapes and words on the stage.

export function label(ctx, ink, text, x, y, align) {
  ctx.font = ink.small;
  ctx.textAlign = align;
  ctx.lineJoin = "round";
  ctx.lineWidth = 3;
  ctx.strokeStyle = ink.card;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = ink.soft;
  ctx.fillText(text, x, y);
}

export function disc({ ctx, ink }, x, y, r, driven) {
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

export function zigzag(ctx, ink, x0, y0, x1, y1, turns) {
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

export function pin({ ctx, ink }, x, y) {
  ctx.fillStyle = ink.card;
  ctx.strokeStyle = ink.string;
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.arc(x, y, 4.5, 0, 7);
  ctx.fill();
  ctx.stroke();
}
