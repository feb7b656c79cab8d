// How a frame lies in its buffer: HEAD doubles, then floats: shapes of all bodies; of each link forces and penetrations; of
// each link the samples in contact; samples of the scope. The first places are those of page_look (web/wasm/look.c).

export const HEAD = 32;
export const FRAME = {
    system: 0,
    floats: 1,
    energy: 2, // kinetic, elastic, contact, supplied, dissipated, total, residual, scale
    status: 10,
    peak: 10,
    rms: 11,
    load: 12,
    limited: 13,
    residual: 14,
    voices: 15,
    keys: 16,
    waiting: 17,
    touching: 18,
    late: 19,
    played: 20,
    noteVoices: 21,
    handStored: 22,
    generation: 23,
    hand: 24,
    layout: 25,
    frames: 26,
    scope: 27,
    underruns: 28,
    number: 29,
};

const BODIES = ["mass", "string", "plate", "modal", "barrier"];
const LINKS = { 5: "contact", 6: "spring", 7: "bow" };
const LAWS = ["one-sided", "bilateral", "centre-limited"];

/** Bodies and links from the numbers of page_layout; `names` are { bodyNames, linkNames, linkEnds }. */
export function readLayout(numbers, names) {
    let at = 2;
    const bodies = [], links = [];
    for (let i = 0; i < numbers[0]; i++) {
        const [kind, driven, points, length, width, segments, segmentsY, frequency] = numbers.subarray(at, at + 8);
        at += 8;
        const places = numbers.slice(at, at + points);
        at += points;
        bodies.push({ name: names.bodyNames[i], kind: BODIES[kind], driven: driven !== 0, points, length, width,
            segments, segmentsY, frequency, places, rest: new Float32Array(points) });
    }
    const moving = (i) => (i >= 0 && bodies[i].kind !== "barrier" ? i : -1);
    for (let i = 0; i < numbers[1]; i++) {
        const [kind, above, below, points, distributed, gap, law] = numbers.subarray(at, at + 7);
        at += 7;
        const [atAbove, atBelow, yAbove, yBelow, height] = [0, 1, 2, 3, 4].map((k) =>
            Float64Array.from({ length: points }, (_, j) => numbers[at + 5 * j + k]));
        at += 5 * points;
        links.push({ name: names.linkNames[i], kind: LINKS[kind], above: moving(above), below: moving(below), points,
            distributed: distributed !== 0, aboveName: names.linkEnds[i][0], belowName: names.linkEnds[i][1],
            gap, law: LAWS[law], atAbove, atBelow, yAbove, yBelow, height });
    }
    return { bodies, links };
}

/** A Frame from its buffer; the arrays are its own. */
export function readFrame(buffer, layout, rate) {
    const head = new Float64Array(buffer, 0, HEAD);
    const body = new Float32Array(buffer.slice(8 * HEAD, 8 * HEAD + 4 * (head[FRAME.floats] + head[FRAME.scope])));
    let at = 0;
    const next = (count) => body.subarray(at, (at += count));
    const shapes = layout.bodies.map((one) => next(one.points));
    const forces = [], penetrations = [];
    for (const link of layout.links) {
        forces.push(next(link.points));
        penetrations.push(next(link.points));
    }
    const touched = next(layout.links.length);
    const [kinetic, elastic, contact, supplied, dissipated, total, residual, scale] = head.subarray(FRAME.energy, FRAME.energy + 8);
    return {
        time: head[FRAME.frames] / rate,
        frames: head[FRAME.frames],
        which: head[FRAME.hand] ? "hand" : "notes",
        layout,
        shapes,
        forces,
        penetrations,
        touched,
        energy: { kinetic, elastic, contact, supplied, dissipated, total, residual, scale },
        status: {
            peak: head[FRAME.peak],
            rms: head[FRAME.rms],
            load: head[FRAME.load],
            limited: head[FRAME.limited],
            residual: head[FRAME.residual],
            voices: head[FRAME.voices],
            keys: head[FRAME.keys],
            waiting: head[FRAME.waiting],
            touching: head[FRAME.touching],
            underruns: head[FRAME.underruns],
            late: head[FRAME.late],
        },
        scope: next(head[FRAME.scope]),
    };
}

/** A Frame of a scene that does not play yet: everything at rest. */
export function restFrame(scene) {
    const energy = { kinetic: 0, elastic: 0, contact: 0, supplied: 0, dissipated: 0, total: 0, residual: 0, scale: 0 };
    const status = { peak: 0, rms: 0, load: 0, limited: 0, residual: 0, voices: 0, keys: 0, waiting: 0, touching: 0, underruns: 0, late: 0 };
    return {
        time: 0,
        frames: 0,
        which: "hand",
        layout: scene.layout,
        shapes: scene.bodies.map((body) => body.rest),
        forces: scene.links.map((link) => new Float32Array(link.points)),
        penetrations: scene.links.map((link) => new Float32Array(link.points).fill(NaN)),
        touched: new Float32Array(scene.links.length),
        energy,
        status,
        scope: new Float32Array(0),
    };
}
