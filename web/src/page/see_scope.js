// The oscilloscope: the last samples, held still by a trigger.
import { rising } from "./see_fft.js";

const ROOM = 16384, WINDOW = 0.03; // samples, s

export class Scope {
  constructor() {
    this.data = new Float32Array(ROOM);
    this.clear();
    this.sample = (i) => this.data[(this.next + i) & (ROOM - 1)]; // 0: the oldest
  }

  clear() {
    this.data.fill(0);
    this.next = 0;
    this.top = 0;
  }

  push(samples) {
    const from = Math.max(samples.length - ROOM, 0);
    for (let i = from; i < samples.length; i++) {
      this.data[this.next] = samples[i];
      this.next = (this.next + 1) & (ROOM - 1);
    }
  }

  draw({ ctx, width, height }, ink, rate, note) {
    const count = Math.min(Math.round(WINDOW * rate), ROOM / 4), from = ROOM - 3 * count, found = rising(this.sample, from, ROOM - count), begin = found < 0 ? ROOM - count : found;
    let peak = 0;
    for (let i = 0; i < count; i++) peak = Math.max(peak, Math.abs(this.sample(begin + i)));
    this.top = Math.max(peak, this.top * 0.94, 1e-6);
    const middle = height / 2, scale = (0.9 * middle) / this.top, step = Math.max(Math.floor(count / (2 * width)), 1);
    ctx.strokeStyle = ink.line;
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(0, middle);
    ctx.lineTo(width, middle);
    ctx.stroke();
    ctx.strokeStyle = ink.wave;
    ctx.lineWidth = 1.6;
    ctx.lineJoin = "round";
    ctx.beginPath();
    for (let i = 0; i < count; i += step) ctx.lineTo((i / (count - 1)) * width, middle - scale * this.sample(begin + i));
    ctx.stroke();
    const words = `${(1000 * count / rate).toFixed(0)} ms, ${peak > 1e-5 ? `peak ${(20 * Math.log10(peak)).toFixed(0).replace("-", "−")} dB` : "silent"}`;
    if (note.textContent !== words) note.textContent = words;
  }
}
