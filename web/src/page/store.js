// What a user wrote, kept in this browser: one text a scene, and the last texts that were replaced.

const NOW = "sistrum-scene:",
    BEFORE = "sistrum-before:",
    KEPT = 5;

function storage() {
    try {
        return globalThis.localStorage ?? null;
    } catch {
        return null; // forbidden in this browser
    }
}

function read(key) {
    try {
        return JSON.parse(storage()?.getItem(key) ?? "null");
    } catch {
        return null;
    }
}

/** False: there is no room, or no storage. */
function write(key, value) {
    try {
        storage().setItem(key, JSON.stringify(value));
        return true;
    } catch {
        return false;
    }
}

const seen = new Map(); // name -> the text that this tab has read or written last

export function keepText(name, text, when = Date.now()) {
    const written = write(NOW + name, { text, when });
    if (written) seen.set(name, text);
    return written;
}

/** {text, when} or null. */
export function keptText(name) {
    const kept = read(NOW + name);
    return kept && typeof kept.text === "string" ? kept : null;
}

/** The same, for a scene that is opened. */
export function openText(name) {
    const kept = keptText(name);
    seen.set(name, kept?.text);
    return kept;
}

/** What another tab has written since, and has not been seen here: {text, when} or null. */
export function otherText(name) {
    const kept = keptText(name);
    return kept && kept.text !== seen.get(name) ? kept : null;
}

/** Texts that were replaced, the newest first: [{text, when}]. */
export function olderTexts(name) {
    const list = read(BEFORE + name);
    return Array.isArray(list) ? list.filter((one) => typeof one?.text === "string") : [];
}

/** Puts a text aside, so that there is a way back to it. */
export function putAside(name, text, when = Date.now()) {
    const list = olderTexts(name).filter((one) => one.text !== text);
    return write(BEFORE + name, [{ text, when }, ...list].slice(0, KEPT));
}

export function forgetText(name) {
    seen.delete(name);
    try {
        storage()?.removeItem(NOW + name);
    } catch {
        /* nothing to forget */
    }
}

/** Names of all scenes that have a text of the user's, the newest first. */
export function keptNames() {
    const all = storage(),
        found = [];
    for (let i = 0; all && i < all.length; i++) {
        const key = all.key(i);
        if (key?.startsWith(NOW))
            found.push({ name: key.slice(NOW.length), when: keptText(key.slice(NOW.length))?.when ?? 0 });
    }
    return found.sort((a, b) => b.when - a.when).map((one) => one.name);
}

export const remember = (what, value) => write(`sistrum-${what}`, value);
export const recall = (what) => read(`sistrum-${what}`);
