// Fourier transform of real samples, for the spectrogram. Pure.

/** Power of the frequencies 0 .. size/2 of `size` real samples (a power of two) under a Hann window. */
export class Spectrum {
  constructor(size) {
    this.size = size;
    this.re = new Float64Array(size);
    this.im = new Float64Array(size);
    this.power = new Float64Array(size / 2 + 1);
    this.window = Float64Array.from({ length: size }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
    this.cos = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.sin = Float64Array.from({ length: size / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / size));
    const bits = Math.log2(size);
    this.reversed = Uint32Array.from({ length: size }, (_, i) => {
      let r = 0;
      for (let b = 0; b < bits; b++) r |= ((i >> b) & 1) << (bits - 1 - b);
      return r;
    });
  }

  /** @param {(i:number)=>number} sample @returns {Float64Array} a sine of amplitude 1 on a bin gives 1 there */
  run(sample) {
    const { size, re, im } = this;
    for (let i = 0; i < size; i++) {
      re[this.reversed[i]] = sample(i) * this.window[i];
      im[i] = 0;
    }
    for (let half = 1; half < size; half *= 2) this.stage(half, size / (2 * half));
    const norm = 4 / size; // the window's mean is 1/2, and a sine has two sides
    for (let k = 0; k <= size / 2; k++) this.power[k] = (re[k] * re[k] + im[k] * im[k]) * norm * norm;
    return this.power;
  }

  stage(half, stride) {
    const { size, re, im, cos, sin } = this;
    for (let start = 0; start < size; start += 2 * half)
      for (let j = 0; j < half; j++) {
        const a = start + j, b = a + half, c = cos[j * stride], s = sin[j * stride];
        const x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
  }
}

/** Frequencies of `rows` pixels from high to low, evenly spaced in octaves. */
export function octaves(rows, low, high) {
  return Float64Array.from({ length: rows }, (_, r) => high * (low / high) ** (r / Math.max(rows - 1, 1)));
}

/** Where a wave rises through zero, so that its picture stands still: after it was below -tenth of its peak.
 *  @param {(i:number)=>number} sample @param {number} from @param {number} to @returns {number} index, or -1 */
export function rising(sample, from, to) {
  let peak = 0;
  for (let i = from; i < to; i++) peak = Math.max(peak, Math.abs(sample(i)));
  if (!(peak > 0)) return -1;
  let ready = false, best = -1, steep = 0;
  for (let i = from + 1; i < to; i++) {
    const a = sample(i - 1), b = sample(i);
    if (b < -0.1 * peak) ready = true;
    if (ready && a < 0 && b >= 0) {
      ready = false;
      // of all crossings the one before the highest crest: of two that look alike the latest
      let crest = 0;
      for (let j = i; j < Math.min(i + 256, to) && sample(j) >= 0; j++) crest = Math.max(crest, sample(j));
      if (crest >= 0.98 * steep) { best = i; steep = Math.max(crest, steep); }
    }
  }
  return best;
}
