// Marks on charts: words with a halo, so that they are read on any ground, and the line of the scrubber.

export function write(ctx, ink, text, x, y) {
  ctx.lineJoin = "round";
  ctx.lineWidth = 3;
  ctx.strokeStyle = ink.card;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = ink.soft;
  ctx.fillText(text, x, y);
}

/** A line where the scrubber stands. */
export function marker({ ctx, height }, ink, x) {
  ctx.strokeStyle = ink.contact;
  ctx.lineWidth = 2;
  ctx.beginPath();
  ctx.moveTo(x, 0);
  ctx.lineTo(x, height);
  ctx.stroke();
}
