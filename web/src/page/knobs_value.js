// Values of knobs: where a value lies between its ends, and how the program prints it.

/** %.{digits}g of C, with a short exponent as `sistrum play` shows it: 5e6, 1.5e-5. */
export function printed(value, digits = 4) {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
    if (value === 0) return "0";
    const [mantissa, power] = value.toExponential(digits - 1).split("e");
    const exponent = Number(power);
    const bare = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
    if (exponent < -4 || exponent >= digits) return `${bare(mantissa)}e${exponent}`;
    return bare(value.toFixed(Math.max(0, digits - 1 - exponent)));
}

/** A number as people type it: 5e6, 0.02, 0,02 (some phones have no other point); NaN where it is none, and where it may be
 * one and a half or fifteen hundred: 1,500. */
export function typed(text) {
    let clean = String(text).trim().replace(/^[−–]/, "-");
    if (/^[+-]?\d*,\d+(e[+-]?\d+)?$/i.test(clean) && !/[1-9]\d*,\d{3}$/.test(clean)) clean = clean.replace(",", ".");
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(clean) ? Number(clean) : NaN;
}

const isLog = (knob) => Boolean(knob.logarithmic) && knob.min > 0 && knob.max > knob.min;

/** 0 .. 1: where a value lies on the way from min to max. */
export function shareOf(knob, value) {
    if (!(knob.max > knob.min)) return 0;
    const share = isLog(knob)
        ? Math.log(value / knob.min) / Math.log(knob.max / knob.min)
        : (value - knob.min) / (knob.max - knob.min);
    return Math.min(1, Math.max(0, share || 0));
}

/** The value at a share of the way; the ends are met exactly. */
export function valueAt(knob, share) {
    if (share <= 0) return knob.min;
    if (share >= 1) return knob.max;
    const value = isLog(knob)
        ? knob.min * Math.pow(knob.max / knob.min, share)
        : knob.min + share * (knob.max - knob.min);
    return Number(value.toPrecision(4)); // what a hand can set is what is shown
}

export function held(knob, value) {
    return Math.min(knob.max, Math.max(knob.min, value));
}

/** m^(alpha+1) with raised exponents, as parts: [text, raised?]. */
export function unitParts(unit) {
    const parts = [];
    let at = 0;
    for (const found of unit.matchAll(/\^(\([^)]*\)|[\w.+-]+)/g)) {
        parts.push([unit.slice(at, found.index), false], [found[1].replace(/[()]/g, ""), true]);
        at = found.index + found[0].length;
    }
    parts.push([unit.slice(at), false]);
    return parts.filter(([text]) => text).map(([text, raised]) => [text.replaceAll("alpha", "α"), raised]);
}
