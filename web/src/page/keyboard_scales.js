// Scales to choose from, as texts of Scala files (docs/notes.md, Tunings).

function scala(title, steps) {
    return `! ${title}\n!\n${title}\n ${steps.length}\n!\n${steps.map((s) => ` ${s}`).join("\n")}\n`;
}

const equal = (count, period = 1200) =>
    Array.from({ length: count }, (_, i) => (((i + 1) * period) / count).toFixed(5));

/** Fifths of a size in cents, brought into an octave, from `down` fifths below to `up` above. */
function fifths(size, down, up) {
    const cents = [];
    for (let i = -down; i <= up; i++) if (i !== 0) cents.push((((i * size) % 1200) + 1200) % 1200);
    return [...cents.sort((a, b) => a - b).map((c) => c.toFixed(5)), "2/1"];
}

const SIZE_PURE = 1200 * Math.log2(1.5),
    SIZE_MEANTONE = 300 * Math.log2(5);

/** name, what it is, text (null: the twelve equal steps that are there without a file). */
export const SCALES = [
    { name: "12 equal steps", about: "the piano's", text: null },
    {
        name: "just",
        about: "5-limit: pure fifths and thirds of C",
        text: scala("Just intonation, 5-limit", [
            "16/15",
            "9/8",
            "6/5",
            "5/4",
            "4/3",
            "45/32",
            "3/2",
            "8/5",
            "5/3",
            "9/5",
            "15/8",
            "2/1",
        ]),
    },
    {
        name: "Pythagorean",
        about: "pure fifths from E flat to G sharp",
        text: scala("Pythagorean, E flat to G sharp", fifths(SIZE_PURE, 3, 8)),
    },
    {
        name: "meantone",
        about: "quarter comma: pure major thirds",
        text: scala("Quarter-comma meantone, E flat to G sharp", fifths(SIZE_MEANTONE, 3, 8)),
    },
    {
        name: "Werckmeister III",
        about: "every key usable, each of its own colour",
        text: scala("Werckmeister III (1691)", [
            "256/243",
            "192.18000",
            "32/27",
            "390.22500",
            "4/3",
            "1024/729",
            "696.09000",
            "128/81",
            "888.27000",
            "16/9",
            "1092.18000",
            "2/1",
        ]),
    },
    {
        name: "overtones 8 to 16",
        about: "8 notes an octave, all of one harmonic series",
        text: scala("Harmonics 8 to 16", ["9/8", "5/4", "11/8", "3/2", "13/8", "7/4", "15/8", "2/1"]),
    },
    {
        name: "slendro-like",
        about: "5 equal steps an octave",
        text: scala("Five equal steps, close to a slendro", equal(5)),
    },
    {
        name: "pelog-like",
        about: "7 of 9 equal steps an octave",
        text: scala(
            "Seven of nine equal steps, close to a pelog",
            [1, 2, 4, 5, 6, 7, 9].map((n) => ((n * 1200) / 9).toFixed(5)),
        ),
    },
    { name: "19 equal steps", about: "19 notes an octave", text: scala("19 equal steps", equal(19)) },
    { name: "quarter tones", about: "24 equal steps an octave", text: scala("24 equal steps", equal(24)) },
    {
        name: "Bohlen-Pierce",
        about: "13 equal steps of a twelfth, no octaves",
        text: scala("Bohlen-Pierce, 13 equal steps of 3/1", equal(13, 1200 * Math.log2(3))),
    },
];

/** Number of notes of a Scala text, or a sentence why it is none. The program judges the rest. */
export function looksLikeScala(text) {
    if (text.length > 65536) return { ok: false, error: "a scale file of more than 64 kB is not taken" };
    const lines = text.split(/\r?\n/).filter((line) => !line.startsWith("!"));
    const count = Number.parseInt(lines[1] ?? "", 10);
    if (!Number.isInteger(count) || count < 0)
        return { ok: false, error: "this is no Scala file: the line after its title must be the number of notes" };
    return { ok: true, count, title: lines[0].trim() };
}
