// Take away: files that are byte for byte those of `sistrum render`, and proof that the bits are the same.

import { command, fileStem, sha256 } from "./takeaway_command.js";
import { copy, el, save } from "./dom.js";
import { fetched, turnedNow } from "./scenes_open.js";

const KINDS = [
    { kind: "wav", name: "sound", ending: "WAV", type: "audio/wav" },
    { kind: "npy", name: "all probes", ending: "NPY", type: "application/octet-stream" },
    { kind: "csv", name: "energies", ending: "CSV", type: "text/csv" },
    { kind: "json", name: "report", ending: "JSON", type: "application/json" },
];

const LONGEST = 600; // s

/** What is wrong with a number of seconds; "": nothing is, and nothing at all is the whole scene. */
export function wrongSeconds({ value, badInput = false }) {
    if (!badInput && (value === "" || (Number(value) > 0 && Number(value) <= LONGEST))) return "";
    return `Seconds to render: a number above 0, at most ${LONGEST}, or nothing for the whole scene. The program renders longer ones.`;
}

function makeFiles(app) {
    const seconds = el("input", {
        type: "number",
        min: 0,
        max: LONGEST,
        step: "any",
        "aria-label": "Seconds to render",
        inputmode: "decimal",
    });
    const shown = el("code", { tabindex: "0" });
    const bar = el("progress", { max: 1, value: 0, hidden: true, "aria-label": "Rendering" });
    const stop = el("button", { type: "button", hidden: true }, "cancel");
    const said = el("p", { class: "aside", role: "status", "aria-live": "polite" });
    const buttons = KINDS.map((one) =>
        el(
            "button",
            { type: "button", "data-kind": one.kind, onclick: () => render(one) },
            el("b", {}, one.ending),
            el("span", {}, one.name),
        ),
    );
    let running = null,
        chosen = "wav";

    const wrong = () => wrongSeconds({ value: seconds.value, badInput: seconds.validity.badInput });
    const duration = () =>
        seconds.value !== "" && !wrong() && Number(seconds.value) !== app.scene?.duration ? Number(seconds.value) : null;
    function line() {
        if (app.work)
            shown.textContent = command({
                work: app.work,
                set: turnedNow(app),
                duration: duration(),
                files: [chosen],
            });
    }
    function busy(is) {
        bar.hidden = stop.hidden = !is;
        bar.value = 0;
        for (const button of buttons) button.disabled = is;
    }
    async function render(one) {
        const work = app.work;
        if (!work || running) return;
        if (wrong()) {
            said.textContent = wrong();
            return seconds.focus();
        }
        chosen = one.kind;
        line();
        running = new AbortController();
        busy(true);
        said.textContent = "Rendering …";
        const start = performance.now();
        try {
            const answer = await app.engine.render(
                {
                    text: work.text,
                    name: `${work.name.split("/").pop()}.lua`,
                    settings: turnedNow(app),
                    duration: duration() ?? NaN,
                    files: [one.kind],
                },
                (done) => (bar.value = done),
                running.signal,
            );
            if (!answer.ok) said.textContent = running.signal.aborted ? "Cancelled." : answer.error?.text;
            else {
                const bytes = answer.files[one.kind];
                save(bytes, `${fileStem(work.name)}.${one.kind}`, one.type);
                const took = (performance.now() - start) / 1000;
                said.textContent = `${fileStem(work.name)}.${one.kind}, ${bytes.length} bytes in ${took.toFixed(1)} s. SHA-256 ${await sha256(bytes)}`;
            }
        } catch (error) {
            said.textContent = running.signal.aborted ? "Cancelled." : `It could not be rendered: ${error.message}.`;
        }
        running = null;
        busy(false);
    }
    stop.addEventListener("click", () => {
        running?.abort();
        app.engine.cancel?.();
    });
    let typed = false, // they stay through edits of that scene
        open = null;
    seconds.addEventListener("input", () => {
        typed = true;
        seconds.setAttribute("aria-invalid", String(wrong() !== ""));
        if (!running) said.textContent = wrong();
        line();
    });
    for (const event of ["work", "text", "knobs"]) app.on(event, line);
    function lengthOf(scene) {
        if (scene.work !== open) typed = false;
        open = scene.work;
        seconds.placeholder = scene.duration ?? 2;
        if (!typed) seconds.value = seconds.placeholder;
        if (!wrong()) seconds.removeAttribute("aria-invalid");
        line();
    }
    app.on("scene", lengthOf);
    if (app.scene) lengthOf(app.scene);
    line();
    const lua = el(
        "button",
        {
            type: "button",
            onclick: () => app.work && save(app.work.text, `${fileStem(app.work.name)}.lua`, "text/plain"),
        },
        el("b", {}, "LUA"),
        el("span", {}, "the scene"),
    );
    const png = el(
        "button",
        { type: "button", onclick: () => app.picture?.() },
        el("b", {}, "PNG"),
        el("span", {}, "what you see"),
    );
    return el(
        "div",
        {},
        el("div", { class: "row files" }, el("label", { class: "seconds" }, seconds, " s as"), ...buttons, lua, png),
        el(
            "p",
            { class: "try" },
            shown,
            el(
                "button",
                {
                    type: "button",
                    class: "plain",
                    onclick: async () =>
                        app.emit(
                            "say",
                            (await copy(shown.textContent))
                                ? "The command is in the clipboard."
                                : "This browser does not let the page copy.",
                        ),
                },
                "copy",
            ),
        ),
        el("p", { class: "aside" }, "This command writes the same bytes; in a report two times are those of the machine, and the scene has its path."),
        el("p", { class: "row" }, bar, stop),
        said,
    );
}

/** Two seconds in this browser, hashed, beside the hash of the native program. */
function makeBits(app) {
    const here = el("code"),
        native = el("code"),
        lamp = el("strong", { role: "status", "aria-live": "polite" });
    const button = el("button", { type: "button" }, "hash two seconds");
    const table = el(
        "dl",
        { class: "facts", hidden: true },
        el("div", {}, el("dt", {}, "this browser"), el("dd", {}, here)),
        el("div", {}, el("dt", {}, "native program"), el("dd", {}, native)),
    );
    function clear() {
        table.hidden = true;
        lamp.textContent = "";
        lamp.className = "";
    }
    async function run() {
        const work = app.work;
        if (!work) return;
        clear();
        button.disabled = true;
        lamp.textContent = "hashing …";
        try {
            const shipped = work.shipped !== null && work.text === work.shipped;
            const hashes = shipped ? await fetched("hashes.json").catch(() => ({})) : {};
            const hash = await app.engine.hash({ text: work.text, name: `${work.name.split("/").pop()}.lua` });
            if (app.work !== work) return clear();
            if (typeof hash !== "string") throw new Error(hash?.error?.text ?? "the engine gave no hash");
            here.textContent = hash;
            const expected = hashes[work.name];
            native.textContent =
                expected ??
                (shipped
                    ? "was not computed when this page was built"
                    : `build/release/bench/scene_samples ${fileStem(work.name)}.lua | sha256sum`);
            table.hidden = false;
            lamp.textContent = !expected ? "" : expected === hash ? "the same bits" : "other bits: please report this";
            lamp.className = !expected ? "" : expected === hash ? "good" : "bad";
        } catch (error) {
            lamp.textContent = `No hash: ${error.message}`;
            lamp.className = "bad";
        } finally {
            button.disabled = false;
        }
    }
    button.addEventListener("click", run);
    for (const event of ["work", "text"]) app.on(event, clear);
    return el(
        "div",
        { class: "bits" },
        el("h3", {}, "Same bits"),
        el(
            "p",
            { class: "aside" },
            "Every probe at every step of two seconds, as SHA-256: here and in the native program.",
        ),
        el("div", { class: "row" }, button, lamp),
        table,
    );
}

export function mount(element, app) {
    element.classList.add("takeaway");
    element.append(makeFiles(app), makeBits(app));
}
