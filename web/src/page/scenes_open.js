// Opening a scene: a shipped one, the user's own text of it, a file, or what a link holds.

import { cleanName, isShared, unpack } from "./share_code.js";
import { forgetText, keepText, keptText, openText, otherText, putAside, recall, remember } from "./store.js";

export const FIRST = "tanpura";
/** The folder that all files of the page lie in. The pages under learn/ say where it is: <html data-base="../">. */
export const base = () => new URL(document.documentElement.dataset.base || "./", document.baseURI);

const known = new Map();

/** A file of the page, asked for once. */
export function fetched(path, as = "json") {
    if (!known.has(path)) {
        const asked = fetch(new URL(path, base())).then((answer) => {
            if (!answer.ok) throw new Error(`${path} is missing on this server (${answer.status})`);
            return answer[as]();
        });
        asked.catch(() => known.delete(path));
        known.set(path, asked);
    }
    return known.get(path);
}

/** [{name, title, line, group, thumb}] of all shipped scenes. */
export const catalogue = () => fetched("scenes.json");
export const shippedText = (name) => fetched(`scenes/${name}.lua`, "text");

const SLOW = 300; // ms, after which it is said what is waited for
const TOO_LONG = 2000; // ms, after which a text that is compiled makes room for a newer one
const turns = new WeakMap(); // app -> which load is the newest
const compiling = new WeakMap(); // app -> the load that the Worker has

/** Knobs that were turned away from what the scene has: {name: value}. */
export function turned(scene) {
    const set = {};
    for (const knob of scene?.knobs ?? [])
        if (!knob.trigger && knob.value !== knob.fallback) set[knob.name] = knob.value;
    return set;
}

/** The same of the scene that is open; none while what is open has not been heard: knobs of another scene do not stay. */
export const turnedNow = (app) => ((app.scene?.work ?? app.work) === app.work ? turned(app.scene) : {});

/** Settings whose names still stand in the text: an edit may have removed a param. */
const knownIn = (text, set) =>
    Object.fromEntries(
        Object.entries(set).filter(([name]) => text.includes(`"${name}"`) || text.includes(`'${name}'`)),
    );

/** Loads app.work.text into the engine. Turned knobs stay where they are unless `set` says otherwise. `patient`: what is
 * wrong is not said yet. `rest`: ms from now, before which it is not heard. Of texts that come while the Worker has one,
 * only the newest is compiled. */
export async function loadWork(app, { set = null, patient = false, rest = 0 } = {}) {
    const turn = (turns.get(app) ?? 0) + 1, began = performance.now();
    turns.set(app, turn);
    while (compiling.get(app)) {
        const timer = setTimeout(() => turns.get(app) === turn && app.engine.giveUp?.(), TOO_LONG);
        await compiling.get(app);
        clearTimeout(timer);
        if (turns.get(app) !== turn) return { ok: false, late: true };
    }
    let done;
    const mine = new Promise((resolve) => (done = resolve));
    compiling.set(app, mine);
    mine.then(() => compiling.get(app) === mine && compiling.delete(app));
    const compiled = async () => {
        done();
        const left = began + rest - performance.now();
        if (left > 0) await new Promise((later) => setTimeout(later, left));
        return turns.get(app) === turn;
    };
    const work = app.work;
    const wanted = knownIn(work.text, set ?? turnedNow(app));
    let answer;
    try {
        const exact = work.peak > 0 && work.text === work.shipped && !Object.keys(wanted).length;
        answer = await app.engine.load(work.text, `${work.name.split("/").pop()}.lua`, wanted, { peak: work.peak, exact, compiled });
    } catch (error) {
        if (app.engine.state === "failed") return { ok: false, why: error?.message }; // it has been said
        answer = { ok: false, error: { text: error?.message ?? String(error), line: 0 } };
    } finally {
        done();
    }
    if (turns.get(app) !== turn) return { ok: false, late: true };
    if (!answer.ok) {
        app.scene ??= app.sounding ?? null; // it plays on
        if (!patient) app.emit("error", answer.error);
        return answer;
    }
    app.scene = app.sounding = answer.scene;
    app.scene.work = work;
    app.emit("error", null);
    app.emit("scene", answer.scene);
    return answer;
}

function mark(fragment) {
    try {
        history.replaceState(null, "", fragment ? `#${fragment}` : location.pathname + location.search);
    } catch {
        /* a page from a file */
    }
}

function refuse(app, why) {
    app.emit("say", why);
    return { ok: false, why };
}

/**
 * Opens a scene. {name}: a shipped one, with the user's text if there is one. {name, text, from}: any text;
 * from: "file", "link", "new". settings: {set: {K: 1e6}, scale, a4}.
 */
export async function openScene(app, { name, text = null, settings = {}, from = "shipped" }) {
    let shipped = null,
        kept = null,
        peak = 0; // about how loud it is; 0: not known
    if (text === null) {
        kept = openText(name);
        try {
            if (name === FIRST) shippedText(name).catch(() => {}); // beside the list
            const one = (await catalogue()).find((one) => one.name === name);
            if (one) shipped = await shippedText(name);
            peak = one?.peak ?? 0;
        } catch (error) {
            if (!kept) {
                return refuse(app, `${name} cannot be opened: ${error.message}.`);
            }
        }
        if (shipped === null && !kept) {
            return refuse(app, `There is no scene ${name.slice(0, 80)}.`);
        }
        text = kept?.text ?? shipped;
        if (shipped === null) from = "own";
    }
    app.work = { name, text, shipped, from, peak };
    if (from !== "link") {
        // A text that is kept nowhere yet comes again with the page; where there is no room for it, what was open before does.
        remember("last", from === "file" || from === "new" ? { name, text, from } : { name });
        mark(from === "shipped" ? `scene=${encodeURIComponent(name)}` : "");
    }
    app.scene = null; // until it is compiled
    app.emit("work", app.work);
    let told = false;
    const slow = setTimeout(() => {
        told = true;
        app.emit("say", `Opening ${name} …`);
    }, SLOW);
    const answer = await loadWork(app, { set: settings.set ?? {} });
    clearTimeout(slow);
    if (told && answer.ok) app.emit("say", "");
    if (answer.late || !answer.ok) return answer; // what is wrong has been said
    if (settings.scale || settings.a4) {
        app.asked = { scale: settings.scale ?? null, a4: settings.a4 ?? null }; // for a keyboard that is mounted later
        app.emit("tune", app.asked);
    }
    if (from === "link")
        app.emit("say", `This scene, ${name}, comes from a link. It runs in the same sandbox as every scene.`);
    else if (kept && shipped !== null && kept.text !== shipped)
        app.emit("say", `${name} as you left it; the editor can go back to the shipped one.`);
    return answer;
}

/** A name under which nothing is kept yet: mine, mine 2, ... */
export function freeName(wanted) {
    const name = cleanName(wanted);
    for (let i = 1; ; i++) {
        const one = i === 1 ? name : `${name} ${i}`;
        if (!keptText(one)) return one;
    }
}

/** The text in the editor has changed: it is kept, and handed on. */
export function changeText(app, text) {
    const work = app.work;
    if (!work || work.text === text) return;
    work.text = text;
    if (work.from === "link" || work.from === "file" || work.from === "new") {
        work.name = freeName(work.from === "link" ? `${work.name} (link)`.replace(/[()]/g, "") : work.name);
        work.from = "own";
        work.shipped = null;
        mark("");
        remember("last", { name: work.name });
        app.emit("work", work);
    }
    keepOther(app, work.name);
    if (work.shipped !== null && text === work.shipped) forgetText(work.name);
    else if (!keepText(work.name, text))
        app.emit("say", "This browser keeps nothing: take the scene away as a file before you leave.");
    app.emit("text", text);
}

/** What another tab has written is not lost where this one writes. */
function keepOther(app, name) {
    const other = otherText(name);
    if (other && putAside(name, other.text, other.when))
        app.emit("say", `${name} was changed in another tab too: “older texts” has what was written there.`);
}

/** Back to the shipped scene; what was written is put aside. */
export function revert(app) {
    const work = app.work;
    if (!work || work.shipped === null || work.text === work.shipped) return;
    keepOther(app, work.name);
    putAside(work.name, work.text);
    work.text = work.shipped;
    forgetText(work.name);
    app.emit("work", work);
}

/** What the address asks for: a shared scene, scene=NAME, or null; throws a sentence where a link is broken. */
export async function fromAddress(fragment = location.hash) {
    const bare = fragment.replace(/^#/, "").replace(/^s%3D/i, "s="); // some programs write it so
    const broken = (why) => new Error(`The link cannot be opened: ${why}.`);
    if (isShared(bare)) {
        const it = await unpack(bare).catch((error) => {
            throw broken(error.message);
        });
        return { name: it.name, text: it.text, from: "link", settings: { set: it.set, scale: it.scale, a4: it.a4 } };
    }
    const named = /^scene=(.+)$/.exec(bare);
    if (!named) return null;
    try {
        return { name: decodeURIComponent(named[1]) };
    } catch {
        throw broken("its name of a scene is no text");
    }
}

/** The first scene: what the address says, else what was open last, else the tanpura. */
export async function openFirst(app) {
    addEventListener("hashchange", () =>
        fromAddress()
            .then((asked) => asked && openScene(app, asked))
            .catch((error) => app.emit("say", error.message)),
    );
    let why = "";
    const asked = await fromAddress().catch((error) => {
        why = error.message;
        return null;
    });
    const last = recall("last"), text = typeof last?.text === "string" ? last.text : null;
    for (const one of [asked, last?.name ? { name: last.name, text, from: text === null ? "shipped" : last.from } : null, { name: FIRST }]) {
        if (!one) continue;
        const answer = await openScene(app, one);
        why ||= answer.why ?? "";
        if (!answer.ok && !answer.error) continue;
        if (why) app.emit("say", why); // after the scene is there, so that it is read
        return answer;
    }
    return { ok: false };
}
