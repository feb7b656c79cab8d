// Knobs: params and inputs of the scene, its presets and triggers.

import { el } from "./dom.js";
import { held, printed, shareOf, typed, unitParts, valueAt } from "./knobs_value.js";

const STEPS = 1000; // of a slider

function unitOf(knob) {
    return unitParts(knob.unit ?? "").map(([text, raised]) => (raised ? el("sup", {}, text) : text));
}

/** "5e6 N/m": what a screen reader says. */
const spoken = (knob, value) => `${printed(value)}${knob.unit ? ` ${knob.unit}` : ""}`;

function makeTrigger(knob, app) {
    const strike = (strength) => app.engine.knob(knob.name, strength * (knob.max > 0 ? knob.max : 1));
    const button = el("button", { type: "button", class: "strike" }, knob.label || knob.name);
    // A pointer strikes at once, harder further right; a key or a click by other means strikes fully.
    button.addEventListener("pointerdown", (event) => {
        const box = button.getBoundingClientRect();
        strike(Math.min(1, Math.max(0.1, (event.clientX - box.left) / box.width)));
    });
    button.addEventListener("click", (event) => event.detail === 0 && strike(1));
    return el("div", { class: "knob trigger" }, button, el("span", { class: "where" }, "further right is harder"));
}

/** A slider, a field and a way back: {node, show(), turn(value), knob}. `among`: other knobs of the page have other ids. */
export function makeKnob(knob, app, changed, among = "knob") {
    const id = `${among}-${knob.name.replace(/\W/g, "_")}`;
    const slider = el("input", { type: "range", id, min: 0, max: STEPS, step: 1, list: null });
    const field = el("input", {
        type: "text",
        inputmode: "decimal",
        class: "value",
        autocomplete: "off",
        spellcheck: "false",
        "aria-label": `${knob.label || knob.name}, typed`,
    });
    const reset = el(
        "button",
        {
            type: "button",
            class: "reset",
            title: `back to ${printed(knob.fallback)}`,
            "aria-label": `${knob.label || knob.name} back to ${spoken(knob, knob.fallback)}`,
        },
        "↺",
    );
    const ends = el("span", { class: "ends" }, el("span", {}, printed(knob.min)), el("span", {}, printed(knob.max)));
    const node = el(
        "div",
        { class: knob.input ? "knob live" : "knob" },
        el(
            "label",
            { for: id },
            el("b", {}, knob.name),
            knob.label && knob.label !== knob.name ? el("span", {}, ` ${knob.label}`) : null,
            knob.cc >= 0 ? el("i", {}, ` cc ${knob.cc}`) : null,
        ),
        el(
            "span",
            { class: "line" },
            el("span", { class: "track" }, slider, ends),
            el("span", { class: "number" }, field, el("span", { class: "unit" }, ...unitOf(knob))),
            reset,
        ),
    );

    let typing = false;
    function show() {
        slider.value = Math.round(shareOf(knob, knob.value) * STEPS);
        slider.style.setProperty("--share", `${shareOf(knob, knob.value) * 100}%`);
        slider.setAttribute("aria-valuetext", spoken(knob, knob.value));
        if (!typing) field.value = document.activeElement === field ? String(knob.value) : printed(knob.value);
        reset.disabled = knob.value === knob.fallback;
        node.classList.toggle("turned", knob.value !== knob.fallback);
    }
    function turn(value) {
        const next = held(knob, value);
        if (next === knob.value) return show();
        knob.value = next;
        app.engine.knob(knob.name, next);
        show();
        changed(knob);
    }
    function take() {
        const value = typed(field.value);
        typing = false;
        if (Number.isNaN(value)) {
            if (field.value.trim()) app.emit("say", `“${field.value}” is not a number.`);
        } else {
            if (value < knob.min || value > knob.max)
                app.emit("say", `${knob.name} goes from ${printed(knob.min)} to ${printed(knob.max)}.`);
            turn(value);
        }
        show();
    }
    const move = (steps) => turn(valueAt(knob, shareOf(knob, knob.value) + steps / STEPS));
    slider.addEventListener("input", () => turn(valueAt(knob, slider.value / STEPS)));
    slider.addEventListener("dblclick", () => turn(knob.fallback));
    slider.addEventListener("keydown", (event) => {
        const step = event.shiftKey ? 1 : 10;
        const ways = {
            ArrowRight: step,
            ArrowUp: step,
            ArrowLeft: -step,
            ArrowDown: -step,
            PageUp: 100,
            PageDown: -100,
        };
        if (event.key in ways) move(ways[event.key]);
        else if (event.key === "Delete" || event.key === "Backspace") turn(knob.fallback);
        else if (event.key === "Enter") field.focus();
        else return;
        event.preventDefault();
    });
    field.addEventListener("focus", () => {
        field.value = String(knob.value);
        field.select();
    });
    field.addEventListener("input", () => (typing = true));
    field.addEventListener("blur", () => {
        if (typing) take();
        field.value = printed(knob.value);
    });
    field.addEventListener("keydown", (event) => {
        if (event.key === "Enter") {
            take();
            field.select();
        } else if (event.key === "Escape") {
            typing = false;
            slider.focus();
        }
    });
    reset.addEventListener("click", () => turn(knob.fallback));
    show();
    return { node, show, turn, knob };
}

export function mount(element, app) {
    element.classList.add("knobs-panel");
    const head = el("div", { class: "row knobs-head" });
    const list = el("div", { class: "knob-list" });
    element.append(head, list);
    let all = [],
        scene = null,
        preset = null;

    function changed() {
        app.emit("knobs", scene?.knobs ?? []);
        if (preset) preset.value = "";
    }
    function takePreset() {
        const i = Number(preset.value);
        if (preset.value === "") return;
        app.engine.preset(i);
        app.emit("say", `Preset ${scene.presets[i]}.`);
    }
    function makeHead() {
        preset = scene.presets?.length
            ? el(
                  "select",
                  { "aria-label": "Preset", onchange: takePreset },
                  el("option", { value: "" }, "presets"),
                  ...scene.presets.map((name, i) => el("option", { value: i }, name)),
              )
            : null;
        const some = all.length > 0;
        head.replaceChildren(
            ...[
                preset,
                some
                    ? el(
                          "button",
                          { type: "button", onclick: () => all.forEach((one) => one.turn(one.knob.fallback)) },
                          "reset all",
                      )
                    : null,
                some
                    ? el(
                          "button",
                          {
                              type: "button",
                              onclick: () =>
                                  all.forEach((one) =>
                                      one.turn(
                                          valueAt(
                                              one.knob,
                                              shareOf(one.knob, one.knob.value) + 0.3 * (Math.random() - 0.5),
                                          ),
                                      ),
                                  ),
                          },
                          "at random",
                      )
                    : null,
            ].filter(Boolean),
        );
    }
    function show(next) {
        const focus = list.contains(document.activeElement) ? document.activeElement.id : "";
        scene = next;
        all = [];
        const nodes = [];
        for (const knob of scene?.knobs ?? []) {
            if (knob.trigger) nodes.push(makeTrigger(knob, app));
            else {
                const one = makeKnob(knob, app, changed);
                all.push(one);
                nodes.push(one.node);
            }
        }
        list.replaceChildren(
            ...(nodes.length
                ? nodes
                : [
                      el(
                          "p",
                          { class: "aside" },
                          "This scene has no knobs. A line such as ",
                          el("code", {}, 'local K = param { "K", 1e6, min = 1e3, max = 1e9, scale = "log" }'),
                          " makes one.",
                      ),
                  ]),
        );
        if (scene) makeHead();
        if (focus) document.getElementById(focus)?.focus();
    }
    /** Something else has moved knobs: a preset, MIDI. */
    function moved(knobs) {
        for (const one of all) {
            const now = knobs.find((knob) => knob.name === one.knob.name);
            if (now) one.knob.value = now.value;
            one.show();
        }
        app.emit("knobs", scene?.knobs ?? []);
    }
    app.on("scene", show);
    app.engine?.addEventListener?.("knobs", (event) => event.detail?.scene && moved(event.detail.scene.knobs));
    if (app.scene) show(app.scene);
}
