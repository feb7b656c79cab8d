// The command line that writes the same bytes as the page.

/** One word of a POSIX shell. */
export function quoted(word) {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The last part of a scene's name, as a file is called. */
export const fileStem = (name) =>
    (name.split("/").pop() || "scene").replace(/\.lua$/, "").replace(/[^\p{L}\p{N}._+-]+/gu, "_") || "scene";

const OPTIONS = { wav: "-o", npy: "--data", csv: "--energy", json: "--json" };

/**
 * work: {name, text, shipped, from}; set: knobs that were turned; files: some of wav, npy, csv, json.
 * A shipped scene that was not changed is called by its name, any other by its file.
 */
export function command({ work, set = {}, duration = null, files = ["wav"] }) {
    const untouched = work.shipped !== null && work.shipped === work.text && work.from === "shipped";
    const stem = fileStem(work.name);
    const words = ["sistrum", "render"];
    if (untouched) words.push(work.name.includes("/") ? `scenes/${work.name}.lua` : work.name);
    else words.push(`${stem}.lua`);
    for (const kind of Object.keys(OPTIONS)) if (files.includes(kind)) words.push(OPTIONS[kind], `${stem}.${kind}`);
    for (const [name, value] of Object.entries(set)) words.push("--set", `${name}=${value}`);
    if (duration !== null) words.push("--duration", String(duration));
    return words.map(quoted).join(" ");
}

export async function sha256(bytes) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(digest, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** Shape and values of a .npy of float64, C order: {rows, columns, data}. */
export function readNpy(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const magic = String.fromCharCode(...bytes.subarray(1, 6));
    if (magic !== "NUMPY") throw new Error("this is no NumPy file");
    const wide = bytes[6] >= 2;
    const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
    const start = (wide ? 12 : 10) + length;
    const header = new TextDecoder().decode(bytes.subarray(wide ? 12 : 10, start));
    const shape = (/'shape':\s*\(([^)]*)\)/.exec(header)?.[1] ?? "")
        .split(",")
        .map((s) => s.trim())
        .filter(Boolean)
        .map(Number);
    if (!header.includes("'<f8'") || shape.length < 1) throw new Error("this NumPy file does not hold doubles");
    const data = new Float64Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.byteLength));
    return { rows: shape[0], columns: shape[1] ?? 1, data };
}
