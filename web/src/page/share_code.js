// A scene as a link: text and settings, deflated, in the fragment of the address. Browsers send no fragment to
// a server, so nothing leaves the machine. What comes in is not trusted: its size is limited while it inflates.

export const LIMITS = { link: 100000, inflated: 1 << 20, text: 1 << 20, name: 80, knobs: 1000 };
const MARK = "s=";

function toBase64url(bytes) {
    let text = "";
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text) {
    if (!/^[\w-]*$/.test(text)) throw new Error("it holds characters that no link of Sistrum has");
    const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(raw, (c) => c.charCodeAt(0));
}

/** All bytes that a stream gives, or an error as soon as there are more than `most`. */
async function gather(stream, most) {
    const reader = stream.getReader(),
        parts = [];
    let size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        if (size > most) {
            reader.cancel().catch(() => {});
            throw new Error(`it unpacks to more than ${Math.round(most / 1024)} kB`);
        }
        parts.push(value);
    }
    const all = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

/** Through a CompressionStream or DecompressionStream, in small pieces, so that reading can stop it. */
function through(bytes, transform) {
    const PIECE = 512;
    let at = 0;
    const source = new ReadableStream({
        pull(controller) {
            if (at >= bytes.length) return controller.close();
            controller.enqueue(bytes.subarray(at, at + PIECE));
            at += PIECE;
        },
    });
    return source.pipeThrough(transform);
}

function needStreams() {
    if (typeof CompressionStream === "undefined" || typeof DecompressionStream === "undefined")
        throw new Error("this browser cannot compress; a newer one can");
}

/** A name that may stand in a file name and on the page. */
export function cleanName(name) {
    const clean = String(name ?? "")
        .normalize("NFC")
        .replace(/[^\p{L}\p{N} ._/+-]/gu, "")
        .replace(/\.\.+/g, ".")
        .trim()
        .slice(0, LIMITS.name);
    return clean.replace(/^[./ ]+/, "").replace(/\.lua$/, "") || "scene";
}

function finiteNumbers(object) {
    const found = {};
    if (object === null || typeof object !== "object" || Array.isArray(object)) return found;
    for (const [key, value] of Object.entries(object).slice(0, LIMITS.knobs))
        if (typeof value === "number" && Number.isFinite(value) && key.length < 64 && key !== "__proto__")
            found[key] = value;
    return found;
}

/** What a link may say, with everything else left out. */
export function cleaned(raw) {
    if (raw === null || typeof raw !== "object" || typeof raw.text !== "string") throw new Error("it holds no scene");
    if (raw.text.length > LIMITS.text) throw new Error(`its scene has more than ${LIMITS.text / 1024} kB`);
    const a4 = Number(raw.a4);
    return {
        name: cleanName(raw.name),
        text: raw.text,
        set: finiteNumbers(raw.set),
        scale: typeof raw.scale === "string" && raw.scale.length <= 65536 ? raw.scale : null,
        a4: a4 >= 200 && a4 <= 1000 ? a4 : null,
    };
}

/** The fragment of a link, without its #: {name, text, set, scale, a4}. */
export async function pack(what) {
    needStreams();
    const it = cleaned(what);
    const small = { v: 1, name: it.name, text: it.text };
    if (Object.keys(it.set).length) small.set = it.set;
    if (it.scale) small.scale = it.scale;
    if (it.a4) small.a4 = it.a4;
    const bytes = new TextEncoder().encode(JSON.stringify(small));
    if (bytes.length > LIMITS.inflated) throw new Error(`the scene has more than ${LIMITS.inflated / 1024} kB`);
    const packed = await gather(through(bytes, new CompressionStream("deflate-raw")), LIMITS.link);
    const text = MARK + toBase64url(packed);
    if (text.length > LIMITS.link)
        throw new Error(`the link would have ${text.length} characters; browsers take ${LIMITS.link}`);
    return text;
}

/** Whether a fragment is such a link. */
export const isShared = (fragment) => fragment.replace(/^#/, "").startsWith(MARK);

/** What a link holds. Errors are sentences that go on after "the link cannot be opened: ". */
export async function unpack(fragment) {
    const text = fragment.replace(/^#/, "");
    if (!text.startsWith(MARK)) throw new Error("it holds no scene");
    if (text.length > LIMITS.link)
        throw new Error(`it has ${text.length} characters; at most ${LIMITS.link} are taken`);
    needStreams();
    let bytes;
    try {
        bytes = fromBase64url(text.slice(MARK.length));
    } catch {
        throw new Error("it was cut off or changed on its way");
    }
    let inflated;
    try {
        inflated = await gather(through(bytes, new DecompressionStream("deflate-raw")), LIMITS.inflated);
    } catch (error) {
        if (/unpacks to/.test(error.message)) throw error;
        throw new Error("it was cut off or changed on its way");
    }
    let raw;
    try {
        raw = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(inflated));
    } catch {
        throw new Error("it was cut off or changed on its way");
    }
    return cleaned(raw);
}
