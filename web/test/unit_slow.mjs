// Slow motion: no steps, no clicks, and what rests stays where it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Slow } from "../src/engine/slow.js";

/** A source of samples x(n), run as the worklet runs the engine. */
function source(x) {
    const out = { left: new Float32Array(128), right: new Float32Array(128), count: 0 };
    const slow = new Slow((frames) => {
        for (let n = 0; n < frames; n++) out.left[n] = out.right[n] = x(out.count++);
        return out;
    });
    return { slow, out };
}

function play(slow, speed, blocks) {
    const all = new Float32Array(128 * blocks);
    for (let i = 0; i < blocks; i++) slow.render(all.subarray(128 * i, 128 * (i + 1)), new Float32Array(128), speed);
    return all;
}

test("a sine comes out slower and is a sine still", () => {
    for (const speed of [0.1, 0.01]) {
        const { slow } = source((n) => Math.sin(0.3 * n)), all = play(slow, speed, 40 / speed / 10 | 0);
        // The delay is that of half the curve.
        let worst = 0;
        for (let n = Math.ceil(20 / speed); n < all.length; n++)
            worst = Math.max(worst, Math.abs(all[n] - Math.sin(0.3 * ((n + 1) * speed - 9))));
        assert.ok(worst < 1e-3, `${speed}: off by ${worst}`);
    }
});

test("high partials leave no images above their own band", () => {
    const speed = 0.1, { slow } = source((n) => Math.sin(2.2 * n)), all = play(slow, speed, 100).subarray(1000);
    // What is left beside the sine at 0.22 rad a sample is an image of it.
    let a = 0, b = 0, sum = 0;
    all.forEach((x, n) => ((a += x * Math.cos(0.22 * n)), (b += x * Math.sin(0.22 * n)), (sum += x * x)));
    const own = (2 * (a * a + b * b)) / all.length;
    assert.ok(sum - own < 3e-3 * sum, `images ${10 * Math.log10((sum - own) / sum)} dB`);
});

test("what rests stays where it is", () => {
    const { slow } = source(() => 0.25);
    for (const x of play(slow, 0.001, 200).subarray(17000)) assert.ok(Math.abs(x - 0.25) < 1e-6);
});

test("so many samples of the engine pass as the speed says", () => {
    const { slow, out } = source(() => 0);
    play(slow, 0.1, 375);
    assert.ok(Math.abs(out.count - 4800) <= 13, String(out.count));
});
