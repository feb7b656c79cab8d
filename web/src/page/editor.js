// The panel of the scene's text. The editor itself (CodeMirror) is a chunk of its own, loaded when it is seen.

import { changeText, loadWork, openScene, revert } from "./scenes_open.js";
import { copy, el, save } from "./dom.js";
import { fileStem } from "./takeaway_command.js";
import { olderTexts, putAside } from "./store.js";

const REST = 60; // ms without a keystroke, then the new text sounds, if it is one; it is compiled meanwhile
const PATIENCE = 300; // ms, then it is told what is wrong with it

/** Where a scene comes from, in words. */
function origin(work) {
    if (work.from === "link") return "from a link";
    if (work.from === "file") return "from a file";
    if (work.shipped !== null && work.text !== work.shipped) return "changed by you";
    if (work.shipped !== null) return "as shipped";
    return "yours";
}

const timeOf = (when) => new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

function makeHead(app, actions) {
    const name = el("strong", { class: "name" }),
        note = el("span", { class: "note" });
    const back = el(
        "button",
        {
            type: "button",
            class: "plain",
            onclick: actions.revert,
            title: "Your text is put aside; “older texts” has it",
        },
        "revert to the shipped scene",
    );
    const older = el("select", { class: "older", "aria-label": "Older texts of this scene", onchange: actions.older });
    const run = el("button", { type: "button", class: "plain", onclick: actions.now, title: "Ctrl-Enter" }, "load");
    const head = el(
        "div",
        { class: "editor-head" },
        el("span", { class: "what" }, name, note),
        el("span", { class: "spring" }),
        older,
        back,
        run,
    );
    function show() {
        const work = app.work;
        if (!work) return;
        name.textContent = `${work.name}.lua`;
        note.textContent = origin(work);
        back.hidden = work.shipped === null || work.text === work.shipped;
        const list = olderTexts(work.name);
        older.hidden = !list.length;
        older.replaceChildren(
            el("option", { value: "" }, "older texts"),
            ...list.map((one, i) => el("option", { value: i }, timeOf(one.when))),
        );
    }
    return { head, show, older };
}

export function mount(element, app) {
    element.classList.add("editor");
    let code = null,
        timer = 0,
        wrong = null,
        loading = null,
        shown = null;

    async function hear({ patient = false, rest = 0 } = {}) {
        clearTimeout(timer);
        const before = performance.now();
        const text = app.work.text;
        const answer = await loadWork(app, { patient, rest });
        const left = PATIENCE - (performance.now() - before);
        if (patient && answer.error && app.work.text === text)
            timer = setTimeout(() => app.emit("error", answer.error), Math.max(left, 0));
        if (answer.ok) app.emit("heard", { milliseconds: performance.now() - before });
    }
    function changed(text) {
        changeText(app, text);
        head.show();
        hear({ patient: true, rest: REST });
    }
    const head = makeHead(app, {
        revert: () => {
            revert(app);
            hear();
        },
        older: () => {
            const one = olderTexts(app.work.name)[head.older.value];
            if (!one) return;
            putAside(app.work.name, app.work.text);
            code?.put(one.text);
            changed(one.text);
            hear();
        },
        now: hear,
    });

    const place = el("div", { class: "code" });
    const plain = el("pre", { class: "code-plain", tabindex: "0", "aria-label": "Text of the scene" });
    const trouble = el("p", { class: "trouble", role: "status", "aria-live": "polite" });
    const hint = el(
        "p",
        { class: "aside" },
        "A change sounds as soon as you rest. ",
        el("kbd", {}, "Ctrl-Enter"),
        " at once, ",
        el("kbd", {}, "Ctrl-Space"),
        " completes, ",
        el("kbd", {}, "Esc"),
        " then ",
        el("kbd", {}, "Tab"),
        " leaves the editor.",
    );
    const file = el("input", {
        type: "file",
        accept: ".lua,text/plain",
        hidden: true,
        onchange: () => file.files[0] && openFile(file.files[0]),
    });
    const files = el(
        "p",
        { class: "row" },
        el("button", { type: "button", onclick: () => file.click() }, "open a file"),
        el(
            "button",
            {
                type: "button",
                onclick: () => app.work && save(app.work.text, `${fileStem(app.work.name)}.lua`, "text/plain"),
            },
            "save as a file",
        ),
        el(
            "button",
            {
                type: "button",
                onclick: async () =>
                    app.emit(
                        "say",
                        (await copy(app.work?.text ?? ""))
                            ? "The scene is in the clipboard."
                            : "This browser does not let the page copy.",
                    ),
            },
            "copy",
        ),
        file,
    );
    place.append(plain);
    element.append(head.head, place, trouble, hint, files);

    async function openFile(what) {
        file.value = "";
        if (what.size > 1 << 20) return app.emit("say", `${what.name} has more than 1 MB: that is no scene.`);
        openScene(app, { name: what.name.replace(/\.lua$/, ""), text: await what.text(), from: "file" });
    }
    element.addEventListener("dragover", (event) => event.preventDefault());
    element.addEventListener("drop", (event) => {
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        openFile(event.dataTransfer.files[0]);
    });

    function tell() {
        trouble.textContent = wrong ? wrong.text : "";
        trouble.hidden = !wrong;
        code?.mark(wrong);
    }
    function show() {
        head.show();
        const text = app.work?.text ?? "";
        if (!code) plain.textContent = text;
        else if (shown !== app.work) code.open(text);
        else code.put(text);
        if (shown !== app.work) wrong = null;
        shown = app.work;
        clearTimeout(timer);
        tell();
    }
    function load() {
        loading ??= import("./editor_code.js")
            .then(async (module) => {
                code = await module.make(place, app.work?.text ?? "", { changed, now: hear });
                plain.remove();
                tell();
                app.emit("editor", code);
            })
            .catch((error) => {
                loading = null;
                app.emit("say", `The editor could not be loaded: ${error.message}.`);
            });
        return loading;
    }
    app.on("work", show);
    app.on("error", (error) => {
        wrong = error;
        tell();
    });
    if (app.work) show();
    tell();
    // Loaded when it comes into view, or is reached by a key.
    if (globalThis.IntersectionObserver) {
        const seen = new IntersectionObserver((entries) => {
            if (!entries.some((entry) => entry.isIntersecting)) return;
            seen.disconnect();
            load();
        });
        seen.observe(element);
    } else load();
    element.addEventListener("focusin", load, { once: true });
}
