// The scale that keys play: some to choose from, or a Scala file; and where A4 lies.

import { el } from "./dom.js";
import { SCALES, looksLikeScala } from "./keyboard_scales.js";
import { typed } from "./knobs_value.js";

export function mountTuning(element, app) {
    const own = { name: "", text: null };
    const choice = el("select", { "aria-label": "Scale" });
    const file = el("input", { type: "file", accept: ".scl,.kbm,text/plain", multiple: true, hidden: true });
    const a4 = el("input", {
        type: "text",
        inputmode: "decimal",
        class: "value",
        value: "440",
        "aria-label": "Frequency of A4 in hertz",
    });
    element.append(
        el("label", { class: "soft" }, "scale ", choice),
        el("label", { class: "soft" }, "A4 ", a4, " Hz"),
        file,
    );
    let now = { scale: null, keys: null, a4: 440 },
        wanted = now, // now, with what the engine has not answered yet
        picked = "0";

    function list() {
        choice.replaceChildren(
            ...SCALES.map((one, i) => el("option", { value: i, title: one.about }, one.name)),
            own.text ? el("option", { value: "own" }, own.name) : "",
            el("option", { value: "file" }, "a Scala file …"),
        );
        choice.value = picked;
    }
    async function tune(change, name) {
        const next = (wanted = { ...wanted, ...change });
        let answer;
        try {
            answer = await app.engine.tune(next);
        } catch (error) {
            answer = { ok: false, error: { text: error.message } };
        }
        if (answer && answer.ok === false) {
            const why = answer.error?.text ?? answer.error;
            app.emit("say", `The scale is not taken: ${why}`);
            wanted = now;
            list();
            return false;
        }
        now = next;
        app.tuning = { scale: now.scale, a4: now.a4 === 440 ? null : now.a4 };
        app.emit("tuning", app.tuning);
        if (name) app.emit("say", `Scale: ${name}.`);
        return true;
    }
    async function take(files) {
        let scale = null,
            keys = null,
            name = "";
        for (const one of files) {
            const text = one.size <= 65536 ? await one.text() : null;
            if (text === null) return app.emit("say", `${one.name} has more than 64 kB: that is no scale.`);
            if (/\.kbm$/i.test(one.name)) keys = text;
            else {
                const looked = looksLikeScala(text);
                if (!looked.ok) return app.emit("say", `${one.name}: ${looked.error}.`);
                [scale, name] = [text, one.name];
            }
        }
        if (!(await tune(scale ? { scale, keys } : { keys }, name || "a keyboard map"))) return;
        if (scale) Object.assign(own, { name, text: scale });
        picked = own.text ? "own" : picked;
        list();
    }
    choice.addEventListener("change", async () => {
        if (choice.value === "file") {
            choice.value = picked;
            return file.click();
        }
        const to = choice.value,
            one = to === "own" ? own : SCALES[to];
        if (await tune({ scale: one.text, keys: null }, one.about ? `${one.name}, ${one.about}` : one.name))
            picked = to;
        list();
    });
    file.addEventListener("change", () => {
        if (file.files.length) take([...file.files]);
        file.value = "";
    });
    a4.addEventListener("change", async () => {
        const value = typed(a4.value);
        if (!(value >= 200 && value <= 1000)) app.emit("say", "A4 goes from 200 to 1000 Hz.");
        else await tune({ a4: value });
        a4.value = String(now.a4);
    });
    // What a link says.
    async function asked({ scale, a4: hertz }) {
        if (!(await tune({ ...(scale && { scale }), ...(hertz && { a4: hertz }), keys: null }))) return;
        const at = SCALES.findIndex((one) => one.text === now.scale);
        if (at < 0)
            Object.assign(own, { name: looksLikeScala(now.scale ?? "").title || "from the link", text: now.scale });
        picked = at < 0 ? "own" : String(at);
        a4.value = String(now.a4);
        list();
    }
    app.on("tune", asked);
    list();
    if (app.asked) asked(app.asked);
}
