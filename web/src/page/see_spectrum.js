// The spectrogram: a column for each frame, octaves upward.
import { Spectrum, octaves } from "./see_fft.js";
import { marker, write } from "./see_mark.js";

const SIZE = 4096, ROWS = 160, LOW = 40, HIGH = 16000, DEEP = 84; // dB

export class Spectrogram {
  constructor(app, columns) {
    this.app = app;
    this.columns = columns;
    this.fft = new Spectrum(SIZE);
    this.data = new Float32Array(SIZE);
    this.next = 0;
    this.picture = document.createElement("canvas");
    this.picture.width = columns;
    this.picture.height = ROWS;
    this.ctx = this.picture.getContext("2d");
    this.levels = new Uint8Array(columns * ROWS);
    this.strip = this.ctx.createImageData(1, ROWS);
    this.frequencies = octaves(ROWS, LOW, HIGH);
    this.sample = (i) => this.data[(this.next + i) % SIZE];
    this.clear();
  }

  clear() {
    this.data.fill(0);
    this.levels.fill(0);
    this.ctx.clearRect(0, 0, this.columns, ROWS);
    this.at = 0;
    this.loud = 1e-6;
    this.silent = SIZE;
  }

  push(samples) {
    for (let i = 0; i < samples.length; i++) {
      this.data[this.next] = samples[i];
      this.next = (this.next + 1) % SIZE;
      if (Math.abs(samples[i]) > 1e-7) this.silent = 0;
      else if (this.silent < SIZE) this.silent++;
    }
  }

  /** Adds the column of this moment. */
  column() {
    const base = this.at * ROWS;
    if (this.silent >= SIZE) this.levels.fill(0, base, base + ROWS);
    else this.measure(base);
    this.paint(this.at);
    this.at = (this.at + 1) % this.columns;
  }

  measure(base) {
    const power = this.fft.run(this.sample), rate = this.app.scene?.rate || this.app.engine.rate || 48000, bin = SIZE / rate;
    let top = 0;
    for (let k = 1; k < power.length; k++) if (power[k] > top) top = power[k];
    this.loud = Math.max(top, this.loud * 0.998, 1e-10);
    for (let r = 0; r < ROWS; r++) {
      const f = this.frequencies[r] * bin, k = Math.floor(f), wide = Math.max(Math.round(f * 0.018), 0);
      let p = 0;
      if (wide < 1) p = k + 1 < power.length ? power[k] + (f - k) * (power[k + 1] - power[k]) : 0;
      else for (let j = k - wide; j <= k + wide && j < power.length; j++) if (power[j] > p) p = power[j];
      const level = 1 + (10 * Math.log10(p / this.loud + 1e-12)) / DEEP;
      this.levels[base + r] = level <= 0 ? 0 : Math.min(255 * level, 255);
    }
  }

  paint(x) {
    const pixels = this.strip.data, map = this.colours;
    if (!map) return;
    for (let r = 0; r < ROWS; r++) {
      const c = 4 * this.levels[x * ROWS + r];
      pixels[4 * r] = map[c];
      pixels[4 * r + 1] = map[c + 1];
      pixels[4 * r + 2] = map[c + 2];
      pixels[4 * r + 3] = 255;
    }
    this.ctx.putImageData(this.strip, x, 0);
  }

  /** From the paper over the accent to ink. */
  theme(ink) {
    const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)), stops = [rgb(ink.card), rgb(ink.accent), rgb(ink.ink)];
    this.colours = new Uint8Array(1024);
    for (let v = 0; v < 256; v++) {
      const t = v / 255, [a, b, f] = t < 0.6 ? [stops[0], stops[1], t / 0.6] : [stops[1], stops[2], (t - 0.6) / 0.4];
      for (let c = 0; c < 3; c++) this.colours[4 * v + c] = a[c] + f * (b[c] - a[c]);
    }
    for (let x = 0; x < this.columns; x++) this.paint(x);
  }

  draw(surface, ink, rate, scrub) {
    const { ctx, width, height } = surface, left = this.columns - this.at;
    ctx.drawImage(this.picture, this.at, 0, left, ROWS, 0, 0, (left / this.columns) * width, height);
    if (this.at > 0) ctx.drawImage(this.picture, 0, 0, this.at, ROWS, (left / this.columns) * width, 0, (this.at / this.columns) * width, height);
    ctx.font = ink.font;
    ctx.textAlign = "left";
    for (const [f, text] of [[100, "100 Hz"], [1000, "1 kHz"], [10000, "10 kHz"]]) write(ctx, ink, text, 4, height * (Math.log(HIGH / f) / Math.log(HIGH / LOW)) + 4);
    if (scrub > 0) marker(surface, ink, width * (1 - scrub / this.columns));
  }
}
