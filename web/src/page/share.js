// Share by link: the scene, its knobs and its scale in the fragment of the address.

import { copy, el } from "./dom.js";
import { pack } from "./share_code.js";
import { turnedNow } from "./scenes_open.js";

const LONG = 8000; // characters that mail and chat programs pass on without cutting

export function mount(element, app) {
    element.classList.add("share");
    const field = el("input", {
        type: "text",
        readonly: true,
        "aria-label": "Link to this scene",
        placeholder: "the link appears here",
    });
    const said = el("p", { class: "aside", role: "status", "aria-live": "polite" });
    const make = el("button", { type: "button", class: "main" }, "copy a link");
    const send = navigator.share ? el("button", { type: "button" }, "send") : null;
    async function link() {
        if (!app.work) throw new Error("no scene is open");
        const fragment = await pack({
            name: app.work.name,
            text: app.work.text,
            set: turnedNow(app),
            ...app.tuning,
        });
        const address = new URL(location.href);
        address.hash = fragment;
        return address.href;
    }
    async function show(use) {
        try {
            const text = await link();
            field.value = text;
            const done = await use(text);
            const size = `${text.length} characters`;
            said.textContent = `${done} It holds the whole scene (${size}) and is sent nowhere until you send it.${text.length > LONG ? " Some mail and chat programs cut links of this length: a file is safer." : ""}`;
        } catch (error) {
            field.value = "";
            said.textContent = `No link: ${error.message}.`;
        }
    }
    make.addEventListener("click", () =>
        show(async (text) => {
            if (await copy(text)) return "The link is in the clipboard.";
            field.focus();
            field.select();
            return "Copy the link above.";
        }),
    );
    send?.addEventListener("click", () =>
        show(async (text) => {
            await navigator.share({ title: `Sistrum: ${app.work.name}`, url: text }).catch(() => {});
            return "Here is the link.";
        }),
    );
    field.addEventListener("focus", () => field.select());
    const stale = () => {
        field.value = "";
        said.textContent = "Scene, knobs and scale go into the address itself, after its #. No server sees them.";
    };
    for (const event of ["text", "work", "knobs", "tuning"]) app.on(event, stale);
    element.append(el("div", { class: "row" }, field, make, ...(send ? [send] : [])), said);
    stale();
}
