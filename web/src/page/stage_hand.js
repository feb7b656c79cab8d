// Fingertips, the cursor of the keys and the first hint, on the canvas.
const point = [0, 0];

/** @param {import("./stage.js").Stage} stage */
export function drawTouch(stage) {
  const { ctx, view, touch } = stage, { ink } = view;
  for (const hand of touch.hands.values()) {
    if (hand.kind === "bow") continue;
    ctx.beginPath();
    ctx.arc(hand.px, hand.py, 17, 0, 7);
    ctx.globalAlpha = 0.16;
    ctx.fillStyle = ink.accent;
    ctx.fill();
    ctx.globalAlpha = 0.9;
    ctx.strokeStyle = ink.accent;
    ctx.lineWidth = 2;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
  if (touch.cursor.shown && touch.bodies?.length) {
    touch.cursorAt(point);
    ctx.strokeStyle = ink.accent;
    ctx.fillStyle = ink.accent;
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.arc(point[0], point[1], 13, 0, 7);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(point[0], point[1] - 18);
    ctx.lineTo(point[0] - 5, point[1] - 27);
    ctx.lineTo(point[0] + 5, point[1] - 27);
    ctx.fill();
  }
}
