// Fingertips, the cursor of the keys and the first hint, on the canvas.
import { rise } from "./stage_scale.js";

const point = [0, 0], TIP = 15;

/** Where a fingertip is drawn: on the string that it pushes down, under one that it lifts; else where the pointer is. */
function tip({ view }, hand, out) {
  const row = view.plan.rows[hand.row];
  out[0] = hand.px;
  out[1] = hand.py;
  if (hand.kind !== "line" || row?.kind !== "string") return;
  const n = row.bodies.indexOf(hand.body);
  out[1] = row.base + rise(row, view.scale[hand.row], (row.offsets[n] || 0) - hand.press) - (hand.press < 0 ? -TIP : TIP);
}

/** @param {import("./stage.js").Stage} stage */
export function drawTouch(stage) {
  const { ctx, view, touch } = stage, { ink } = view;
  for (const hand of touch.hands.values()) {
    if (hand.kind === "bow") continue;
    tip(stage, hand, point);
    ctx.beginPath();
    ctx.arc(point[0], point[1], TIP, 0, 7);
    ctx.globalAlpha = 0.16;
    ctx.fillStyle = ink.accent;
    ctx.fill();
    ctx.globalAlpha = 0.9;
    ctx.strokeStyle = ink.accent;
    ctx.lineWidth = 2;
    ctx.stroke();
    ctx.globalAlpha = 1;
  }
  if (stage.inviting && touch.bodies?.length) invite(stage);
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

/** A ring where one may touch first; it breathes. */
function invite({ ctx, view, touch, calm }) {
  touch.cursorAt(point);
  const breath = calm.matches ? 0.5 : 0.5 + 0.5 * Math.sin(performance.now() / 420);
  ctx.strokeStyle = view.ink.accent;
  ctx.lineWidth = 2;
  for (const [radius, alpha] of [[13 + 3 * breath, 0.85], [22 + 9 * breath, 0.3 * (1.2 - breath)]]) {
    ctx.globalAlpha = alpha;
    ctx.beginPath();
    ctx.arc(point[0], point[1], radius, 0, 7);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
}
