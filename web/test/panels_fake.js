// An engine that makes no sound, for panels alone: it reads params and inputs of a scene with a few regular expressions.

const NUMBER = "([-\\d.e+]+)";

function knobsOf(text, set) {
    const found = [];
    for (const m of text.matchAll(/(param|input)\s*\{\s*"([^"]+)"\s*,?\s*([-\d.e+]*)([^}]*)\}/g)) {
        const rest = m[4],
            get = (key) => Number(new RegExp(`${key}\\s*=\\s*${NUMBER}`).exec(rest)?.[1] ?? NaN);
        const fallback = Number(m[3] || 0),
            value = set?.[m[2]] ?? fallback;
        found.push({
            name: m[2],
            label: /label\s*=\s*"([^"]*)"/.exec(rest)?.[1] ?? "",
            unit: /unit\s*=\s*"([^"]*)"/.exec(rest)?.[1] ?? "",
            value,
            fallback,
            min: get("min") || 0,
            max: get("max") || 1,
            logarithmic: /scale\s*=\s*"log"/.test(rest),
            input: m[1] === "input",
            trigger: /trigger\s*=\s*true/.test(rest),
            cc: -1,
        });
    }
    return found;
}

export class FakeEngine extends EventTarget {
    log = [];
    state = "running";
    rate = 48000;
    async prepare() {}
    async start() {}
    async load(text, name, settings = {}) {
        const wrong = text.split("\n").findIndex((line) => /\bwrong\b/.test(line));
        if (wrong >= 0)
            return {
                ok: false,
                error: {
                    text: `${name}:${wrong + 1}: string: unknown key 'wrong'; its keys are name, length, tension`,
                    line: wrong + 1,
                },
            };
        return {
            ok: true,
            scene: {
                name,
                title: name,
                text,
                rate: 44100,
                oversample: 1,
                latency: 0,
                knobs: knobsOf(text, settings),
                presets: [...text.matchAll(/preset\s*\{\s*"([^"]+)"/g)].map((m) => m[1]),
                takesNotes: /play\s*\{/.test(text),
                pitched: /pitch\s*=/.test(text),
                keys: /pitch\s*=/.test(text) ? { lowest: 26, highest: 72 } : null,
                voices: 16,
                soundInputs: 0,
                bodies: [],
                links: [],
                probes: [],
                sceneRate: 44100,
                duration: Number(/duration\s*=\s*([\d.e-]+)/.exec(text)?.[1] ?? 1),
            },
        };
    }
    async render(what, progress, signal) {
        for (let i = 0; i <= 10; i++) {
            if (signal?.aborted) return { ok: false, error: { text: "Cancelled." } };
            progress?.(i / 10);
            await new Promise((done) => setTimeout(done, 30));
        }
        return { ok: true, files: Object.fromEntries(what.files.map((kind) => [kind, new Uint8Array(1000)])) };
    }
    hash = async () => (await (await fetch("hashes.json")).json()).tanpura;
    tune = async (how) => (this.log.push(["tune", how]), { ok: true });
}
for (const name of [
    "knob",
    "preset",
    "noteOn",
    "noteOff",
    "midi",
    "finger",
    "gain",
    "panic",
    "speed",
    "pause",
    "resume",
    "step",
])
    FakeEngine.prototype[name] = function (...what) {
        this.log.push([name, ...what]);
    };
