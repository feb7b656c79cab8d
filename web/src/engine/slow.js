// Slow motion: the engine runs slower, and its samples are joined by a band-limited curve. A windowed sinc over 16
// samples: what it adds above the old Nyquist frequency is more than 60 dB down, so there are no steps to hear.

const TAPS = 16;
const PHASES = 512;

function makeTable() {
    const table = new Float32Array((PHASES + 1) * TAPS);
    for (let p = 0; p <= PHASES; p++) {
        let sum = 0;
        for (let k = 0; k < TAPS; k++) {
            const x = k - (TAPS / 2 - 1) - p / PHASES, part = x / (TAPS / 2);
            const window = Math.abs(part) < 1 ? 0.42 + 0.5 * Math.cos(Math.PI * part) + 0.08 * Math.cos(2 * Math.PI * part) : 0;
            const value = (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)) * window;
            table[p * TAPS + k] = value;
            sum += value;
        }
        for (let k = 0; k < TAPS; k++) table[p * TAPS + k] /= sum; // what rests stays where it is
    }
    return table;
}

export class Slow {
    /** @param {(frames: number) => {left: Float32Array, right: Float32Array}} run */
    constructor(run) {
        this.run = run;
        this.table = makeTable();
        this.past = [new Float32Array(2 * TAPS), new Float32Array(2 * TAPS)]; // rings, each twice
        this.clear();
    }
    clear() {
        this.past[0].fill(0);
        this.past[1].fill(0);
        this.at = 0;
        this.phase = 0;
        this.fresh = null;
        this.used = this.ready = 0;
    }
    /** The next sample of the engine. */
    push(wanted) {
        if (this.used === this.ready) {
            this.ready = Math.max(1, Math.min(128, Math.ceil(wanted)));
            this.fresh = this.run(this.ready);
            this.used = 0;
        }
        const [left, right] = this.past, n = this.used++;
        left[this.at] = left[this.at + TAPS] = this.fresh.left[n];
        right[this.at] = right[this.at + TAPS] = this.fresh.right[n];
        this.at = (this.at + 1) % TAPS;
    }
    render(left, right, speed) {
        const [l, r] = this.past, table = this.table;
        for (let n = 0; n < left.length; n++) {
            this.phase += speed;
            while (this.phase >= 1) {
                this.phase -= 1;
                this.push((left.length - n) * speed);
            }
            const place = this.phase * PHASES, row = Math.floor(place), part = place - row;
            let a = 0, b = 0;
            for (let k = 0, i = row * TAPS; k < TAPS; k++, i++) {
                const weight = table[i] + part * (table[i + TAPS] - table[i]);
                a += weight * l[this.at + k];
                b += weight * r[this.at + k];
            }
            left[n] = a;
            right[n] = b;
        }
    }
}
