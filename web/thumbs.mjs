// Small pictures of scenes for the menu: two seconds of the sound, and below it when bodies touch.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readNpy } from "./src/page/takeaway_command.js";

const COLUMNS = 48,
    STEP = 2,
    MIDDLE = 24,
    ROOM = 23,
    FLOOR = 64,
    BARS = 12; // of a picture of 94 x 64

/** Lowest and highest value of each of at most `columns` parts of a signal. */
export function outline(signal, columns = COLUMNS) {
    const count = Math.min(columns, signal.length);
    return Array.from({ length: count }, (_, i) => {
        let low = Infinity,
            high = -Infinity;
        const from = Math.floor((i * signal.length) / count),
            to = Math.max(from + 1, Math.floor(((i + 1) * signal.length) / count));
        for (let n = from; n < to; n++) {
            low = Math.min(low, signal[n]);
            high = Math.max(high, signal[n]);
        }
        return [low, high];
    });
}

/** A line through points with whole coordinates, in steps: short. */
function steps(points) {
    const text = points
        .slice(1)
        .map(([x, y], i) => `${x - points[i][0]} ${y - points[i][1]}`)
        .join(" ")
        .replaceAll(" -", "-");
    return `M${points[0].join(" ")}l${text}`;
}

/** The path of the area between lows and highs. */
export function wavePath(signal) {
    const parts = outline(signal);
    const peak = Math.max(...parts.map(([low, high]) => Math.max(Math.abs(low), Math.abs(high)))) || 1;
    const wide = (COLUMNS - 1) / Math.max(1, parts.length - 1);
    const high = (value) => Math.sign(value) * Math.sqrt(Math.abs(value) / peak) * ROOM; // the root shows what is soft, too
    const point = (value, i, way) => [Math.round(i * STEP * wide), Math.round(MIDDLE - high(value)) + way];
    const up = parts.map(([, most], i) => point(most, i, 0)),
        down = parts.map(([least], i) => point(least, i, 1)).reverse();
    return `${steps([...up, ...down])}Z`;
}

/** Bars where a contact holds energy, as high as its share of the largest. */
export function touchPath(energy) {
    const parts = outline(energy).map(([, high]) => high),
        most = Math.max(...parts);
    return parts
        .map((e, i) =>
            most > 0 && e > 1e-6 * most
                ? `M${i * STEP} ${FLOOR}v-${Math.round(2 + (BARS - 2) * Math.sqrt(e / most))}`
                : "",
        )
        .join("");
}

/** All channels of a WAV of 32-bit floats added up; null: it holds none. */
export function readWav(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let channels = 0;
    for (let at = 12; at + 8 <= bytes.length; at += 8 + view.getUint32(at + 4, true)) {
        const name = bytes.toString("latin1", at, at + 4),
            size = view.getUint32(at + 4, true);
        if (name === "fmt ") channels = view.getUint16(at + 10, true);
        if (name === "data") {
            const frames = Math.floor(size / 4 / channels);
            return Float64Array.from({ length: frames }, (_, i) => {
                let sum = 0;
                for (let c = 0; c < channels; c++) sum += view.getFloat32(at + 8 + 4 * (i * channels + c), true);
                return sum;
            });
        }
    }
    return null;
}

/** One column of an energy CSV. */
export function columnOf(csv, name) {
    const lines = csv.trim().split("\n"),
        at = lines[0].split(",").indexOf(name);
    return Float64Array.from(lines.slice(1), (line) => Number(line.split(",")[at]));
}

/** The sound of a scene; of one that has none, its first probe. */
function soundOf(run, folder) {
    try {
        run("-o", join(folder, "a.wav"));
        const sound = readWav(readFileSync(join(folder, "a.wav")));
        if (sound?.some((x) => x !== 0)) return sound;
    } catch {
        /* it has no channel, or lasts for less than a sample */
    }
    run("--data", join(folder, "a.npy"));
    const { rows, columns, data } = readNpy(readFileSync(join(folder, "a.npy")));
    return Float64Array.from({ length: rows }, (_, i) => data[i * columns]);
}

export function thumb(program, path, seconds) {
    const folder = mkdtempSync(join(tmpdir(), "thumb-")),
        energy = join(folder, "a.csv");
    const run = (...what) =>
        execFileSync(program, ["render", path, ...what, "--quiet", "--duration", String(seconds)], { stdio: "ignore" });
    try {
        run("--energy", energy);
        return {
            wave: wavePath(soundOf(run, folder)),
            touch: touchPath(columnOf(readFileSync(energy, "latin1"), "contact")),
        };
    } finally {
        rmSync(folder, { recursive: true });
    }
}
