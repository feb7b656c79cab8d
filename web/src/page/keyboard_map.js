// Which keys of the computer play which notes: the same letters as `sistrum play` (app/play/play_piano.c).

export const CAPS = "zsxdcvgbhnjmq2w3er5t6y7ui9o0p";
const NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];

/** KeyZ -> 0, KeyS -> 1, ...: by the place on the keyboard, so that other layouts have the piano at the same place. */
export const PLACES = new Map(
    [...CAPS].map((cap, i) => [/\d/.test(cap) ? `Digit${cap}` : `Key${cap.toUpperCase()}`, i]),
);

/** MIDI key of a place, or -1. */
export function keyOf(code, octave) {
    const i = PLACES.get(code);
    const key = i === undefined ? -1 : 12 * (octave + 1) + i;
    return key >= 0 && key < 128 ? key : -1;
}

/** The letter that plays a MIDI key, or "". Of two letters the lower row wins. */
export function capOf(key, octave) {
    return CAPS[key - 12 * (octave + 1)] ?? "";
}

export function noteName(key) {
    return NAMES[((key % 12) + 12) % 12] + (Math.floor(key / 12) - 1);
}

export const isBlack = (key) => [1, 3, 6, 8, 10].includes(((key % 12) + 12) % 12);

/** Whether a key event is meant for playing: not typed into a field, no shortcut. */
export function isForPlaying(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
    const at = event.target;
    if (!at || !at.closest) return true;
    if (at.closest("[contenteditable=true], [contenteditable=''], textarea, select, .cm-editor")) return false;
    const field = at.closest("input");
    return !field || ["range", "button", "checkbox", "radio"].includes(field.type);
}

/** Keys that are shown: `white` white keys around the middle of a range, moved by whole octaves. */
export function windowOf(range, white, octave) {
    const lowest = range ? range.lowest : 0,
        highest = range ? range.highest : 127;
    let first = 12 * (octave + 1);
    const whites = (from) => {
        let count = 0,
            key = from;
        for (; count < white && key < 128; key++) if (!isBlack(key)) count++;
        return key - 1;
    };
    first = Math.max(0, Math.min(first, 120));
    while (isBlack(first)) first--;
    return { first, last: Math.min(127, whites(first)), lowest, highest };
}

/** The octave whose keys lie best within a range: that of middle C, unless it is elsewhere. */
export function octaveFor(range, preferred = 3) {
    if (!range) return preferred;
    const fits = (octave) => {
        const from = 12 * (octave + 1);
        return Math.min(from + 28, range.highest) - Math.max(from, range.lowest);
    };
    let best = preferred;
    for (let octave = -1; octave <= 8; octave++) {
        const gain = fits(octave) - fits(best);
        if (gain > 0 || (gain === 0 && Math.abs(octave - preferred) < Math.abs(best - preferred))) best = octave;
    }
    return best;
}

/** Velocity by where a key is struck: 0 its upper edge, 1 its lower one. */
export function velocityAt(share) {
    return Math.round((0.2 + 0.8 * Math.min(1, Math.max(0, share))) * 100) / 100;
}
