// The stage, its time controls, the editor and the knobs in one box, which moves to where it is needed.

import { Stage } from "../page/stage.js";
import { Ring } from "../page/see_ring.js";
import { mount as mountEnergy } from "../page/energy.js";
import { mount as mountTime } from "../page/see_time.js";
import { mount as mountEditor } from "../page/editor.js";
import { mount as mountKnobs } from "../page/knobs.js";
import { el } from "../page/dom.js";
import { keptText } from "../page/store.js";
import { loadWork } from "../page/scenes_open.js";
import { save as savePicture } from "../page/see_picture.js";
import { stateWords } from "../page/stage_words.js";

export function makeApp(engine) {
    const heard = new Map();
    return {
        engine,
        scene: null,
        work: null,
        on: (event, f) => heard.set(event, [...(heard.get(event) ?? []), f]),
        emit(event, detail) {
            for (const f of heard.get(event) ?? []) f(detail);
        },
    };
}

/** The first touch starts the sound. */
function waking(app, button) {
    const { engine } = app;
    let starting = null;
    // Sound runs before the scene is in the audio thread: "begun" tells.
    const begun = new Promise((done) => engine.addEventListener("begun", done, { once: true }));
    const ready = () => Promise.race([begun, new Promise((later) => setTimeout(later, 1500))]);
    app.wake = () => {
        if (engine.state === "running") return Promise.resolve();
        const started = engine.start(); // at every gesture: of a tap only its end counts
        starting ??= started
            .then(ready)
            .catch((error) => app.emit("say", `The sound could not be started: ${error.message}.`))
            .finally(() => (starting = null));
        return starting;
    };
    engine.addEventListener("state", () => {
        const words = stateWords(engine.state);
        button.hidden = !words || engine.state === "off";
        button.textContent = words;
    });
    button.addEventListener("click", app.wake);
}

/** {node, open({name, text, set, edit})}: one for the whole page. */
export function makeLive(app) {
    const canvas = el("canvas", {
        tabindex: "0",
        role: "application",
        "aria-roledescription": "stage",
        "aria-label": "The sounding bodies",
    });
    const status = el("p", { class: "status", role: "status", "aria-live": "polite" });
    const wake = el("button", { type: "button", class: "wake", hidden: true });
    const energy = el("section", { class: "energy", "aria-label": "Energy" });
    const time = el("div", { class: "time", role: "toolbar", "aria-label": "Time" });
    const editor = el("section"),
        knobs = el("section");
    const panels = el("div", { class: "live-panels" }, editor, knobs);
    const node = el(
        "div",
        { class: "live" },
        el(
            "section",
            { class: "stage", "aria-label": "Stage" },
            el("div", { class: "card" }, canvas, el("span", { class: "chip", "data-chip": "", hidden: true }), wake, status),
            energy,
            time,
        ),
        panels,
    );

    app.stage = new Stage(canvas, app);
    app.picture = () => savePicture(app);
    app.show = (frame, jumped = false) => {
        if (jumped) app.stage.jump();
        app.stage.show(frame, []);
        app.emit("shown", frame);
    };
    app.engine.addEventListener("frame", ({ detail: frame }) => {
        if (!app.ring || frame.layout?.bodies.length !== app.scene?.bodies.length) return;
        const kept = app.ring.push(frame);
        app.emit("frame", frame);
        app.show(kept);
    });
    app.on("scene", (scene) => {
        app.ring = new Ring(scene.layout ?? scene);
        app.stage.open(scene);
    });
    app.on("say", (text) => (status.textContent = text ?? ""));
    app.on("error", (error) => {
        status.classList.toggle("bad", Boolean(error));
        status.textContent = error ? error.text : "";
    });
    app.engine.addEventListener("trouble", ({ detail }) => app.emit("say", detail.text));
    waking(app, wake);
    for (const name of ["pointerdown", "pointerup", "click", "keydown"]) canvas.addEventListener(name, () => app.wake(), { capture: true });
    mountEnergy(energy, app);
    mountTime(time, app);
    mountEditor(editor, app);
    mountKnobs(knobs, app);

    return {
        node,
        /** Shows a scene; edit: with its text and knobs below. */
        async open({ name, text, set = {}, edit = true }) {
            panels.hidden = !edit;
            app.work = { name, text: edit ? (keptText(name)?.text ?? text) : text, shipped: text, from: "shipped" };
            app.scene = null;
            app.emit("work", app.work);
            return loadWork(app, { set });
        },
    };
}
