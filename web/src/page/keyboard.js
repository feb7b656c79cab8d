// Notes: keys on the screen, keys of the computer, MIDI; sustain, octave, scale.

import { el } from "./dom.js";
import { capOf, isBlack, isForPlaying, keyOf, noteName, octaveFor, velocityAt, windowOf } from "./keyboard_map.js";
import { mountMidi } from "./keyboard_midi.js";
import { mountTuning } from "./keyboard_tuning.js";

const WHITE_WIDTH = 40; // px, at least: a finger
const PAD = 60; // the key that a pad strikes: middle C

/** Who holds which key: a key sounds until the last of its holders lets go. */
function makeHands(app, shown) {
    const holders = new Map(); // who -> key
    const count = new Map(); // key -> holders
    return {
        down(who, key, velocity) {
            this.up(who);
            holders.set(who, key);
            count.set(key, (count.get(key) ?? 0) + 1);
            if (app.engine.state === "running" || !app.wake) app.engine.noteOn(key, velocity);
            else app.wake().then(() => holders.get(who) === key && app.engine.noteOn(key, velocity));
            shown(key, true, velocity);
        },
        up(who) {
            const key = holders.get(who);
            if (key === undefined) return;
            holders.delete(who);
            count.set(key, count.get(key) - 1);
            if (count.get(key) > 0) return;
            app.engine.noteOff(key);
            shown(key, false, 0);
        },
        keyOf: (who) => holders.get(who),
        allUp() {
            for (const who of [...holders.keys()]) this.up(who);
        },
    };
}

/** The keys of the screen. Several fingers play at a time; a finger that slides plays what it comes to. */
function makeKeys(app, hands, state) {
    const keys = el("div", { class: "keys-board", role: "group", "aria-label": "Keyboard" });
    const nodes = new Map();
    const pressed = new Map(); // pointer -> when its pressure was sent

    function build() {
        const white = Math.max(7, Math.min(36, Math.floor((keys.clientWidth || 360) / WHITE_WIDTH)));
        const range = windowOf(app.scene?.keys, white, state.octave);
        nodes.clear();
        const list = [];
        let at = 0;
        for (let key = range.first; key <= range.last; key++) if (!isBlack(key)) at++;
        const whites = at;
        at = 0;
        for (let key = range.first; key <= range.last; key++) {
            const black = isBlack(key),
                out = key < range.lowest || key > range.highest;
            if (black && key === range.last) continue;
            const node = el(
                "button",
                {
                    type: "button",
                    class: black ? "key black" : "key",
                    "data-key": key,
                    tabindex: "-1",
                    disabled: out,
                    "aria-label": noteName(key),
                    style: `left:${((black ? at - 0.31 : at) / whites) * 100}%;width:${((black ? 0.62 : 1) / whites) * 100}%`,
                },
                el("kbd", {}, capOf(key, state.octave)),
                key % 12 === 0 ? el("small", {}, noteName(key)) : null,
            );
            if (!black) at++;
            nodes.set(key, node);
            list.push(node);
        }
        keys.replaceChildren(...list);
        const first = list.find((node) => !node.disabled);
        if (first) first.tabIndex = 0;
        keys.dataset.first = range.first;
    }
    function keyAt(event) {
        const node = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".key");
        if (!node || !keys.contains(node) || node.disabled) return null;
        const box = node.getBoundingClientRect();
        return { key: Number(node.dataset.key), share: (event.clientY - box.top) / box.height };
    }
    function pressure(event, found) {
        if (event.timeStamp - (pressed.get(event.pointerId) ?? 0) < 20) return;
        pressed.set(event.pointerId, event.timeStamp);
        app.engine.midi(new Uint8Array([0xa0, found.key, Math.round(127 * Math.min(1, Math.max(0, found.share)))]));
    }
    keys.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        const found = keyAt(event);
        if (!found) return;
        event.preventDefault();
        keys.setPointerCapture?.(event.pointerId);
        hands.down(`pointer${event.pointerId}`, found.key, velocityAt(found.share));
    });
    keys.addEventListener("pointermove", (event) => {
        const who = `pointer${event.pointerId}`,
            held = hands.keyOf(who);
        if (held === undefined) return;
        const found = keyAt(event);
        if (found && found.key !== held) hands.down(who, found.key, velocityAt(found.share));
        else if (found) pressure(event, found);
    });
    for (const end of ["pointerup", "pointercancel"])
        keys.addEventListener(end, (event) => hands.up(`pointer${event.pointerId}`));
    keys.addEventListener("contextmenu", (event) => event.preventDefault());
    // By keys: arrows go along, Enter strikes.
    keys.addEventListener("keydown", (event) => {
        const at = Number(document.activeElement?.dataset?.key);
        if (event.key === "Enter" && !event.repeat) hands.down("enter", at, state.velocity);
        else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
            const next = nodes.get(at + (event.key === "ArrowRight" ? 1 : -1));
            if (!next || next.disabled) return;
            document.activeElement.tabIndex = -1;
            next.tabIndex = 0;
            next.focus();
        } else return;
        event.preventDefault();
    });
    keys.addEventListener("keyup", (event) => event.key === "Enter" && hands.up("enter"));
    keys.addEventListener("focusout", () => hands.up("enter"));
    return { keys, build, nodes };
}

/** One pad, for scenes whose notes have no pitch. */
function makePad(hands) {
    const pad = el(
        "button",
        { type: "button", class: "pad" },
        el("b", {}, "strike"),
        el("small", {}, "lower is harder"),
    );
    pad.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        pad.focus();
        pad.setPointerCapture?.(event.pointerId);
        const box = pad.getBoundingClientRect();
        hands.down(`pointer${event.pointerId}`, PAD, velocityAt((event.clientY - box.top) / box.height));
    });
    for (const end of ["pointerup", "pointercancel"])
        pad.addEventListener(end, (event) => hands.up(`pointer${event.pointerId}`));
    pad.addEventListener(
        "keydown",
        (event) => (event.key === "Enter" || event.key === " ") && !event.repeat && hands.down("enter", PAD, 0.8),
    );
    pad.addEventListener("keyup", () => hands.up("enter"));
    return pad;
}

/** Keys of the computer, as in `sistrum play`. */
function listen(app, hands, state, actions) {
    addEventListener("keydown", (event) => {
        if (!isForPlaying(event) || !app.scene) return;
        const key = keyOf(event.code, state.octave);
        const button = event.target.closest?.("button, a, summary, input");
        if (key >= 0 && !event.shiftKey) {
            if (!event.repeat) hands.down(event.code, app.scene.pitched ? key : PAD, state.velocity);
        } else if (event.key === "," || event.key === ".") actions.shift(event.key === "," ? -1 : 1);
        else if (event.key === "-" || event.key === "+" || event.key === "=")
            actions.louder(event.key === "-" ? -0.08 : 0.08);
        else if (event.key === " " && !button) actions.sustain(!state.sustain);
        else if (event.key === "Escape") actions.panic();
        else return;
        event.preventDefault();
    });
    addEventListener("keyup", (event) => hands.up(event.code));
    addEventListener("blur", () => hands.allUp());
    document.addEventListener("visibilitychange", () => document.hidden && hands.allUp());
}

export function mount(element, app) {
    element.classList.add("keyboard");
    const state = { octave: 3, velocity: 100 / 127, sustain: false };
    let board = null;
    const hands = makeHands(app, (key, down, velocity) => {
        const node = board.nodes.get(key);
        if (node) {
            node.classList.toggle("down", down);
            node.style.setProperty("--hard", velocity);
        }
        app.emit("note", { key, down, velocity });
    });
    board = makeKeys(app, hands, state);
    const pad = makePad(hands);
    const place = el("span", { class: "place", role: "status", "aria-live": "polite" });
    const lower = el("button", { type: "button", "aria-label": "Octave down", title: "key ," }, "−");
    const higher = el("button", { type: "button", "aria-label": "Octave up", title: "key ." }, "+");
    const hold = el("button", { type: "button", "aria-pressed": "false", title: "space" }, "sustain");
    const quiet = el("button", { type: "button", title: "Esc" }, "all off");
    const loud = el("input", { type: "range", min: 1, max: 127, value: 100, "aria-label": "Velocity of keys" });
    const octaves = el("span", { class: "group" }, lower, place, higher);
    const row = el("div", { class: "row" }, octaves, el("label", { class: "soft" }, "velocity ", loud), hold, quiet);
    const silent = el(
        "p",
        { class: "aside", hidden: true },
        "Notes do not play this scene: it takes sound from outside, or your hand on the stage.",
    );
    const caps = el(
        "p",
        { class: "aside caps" },
        "Computer keys: ",
        el("kbd", {}, "z s x d c v g b h n j m"),
        " and ",
        el("kbd", {}, "q 2 w 3 e r 5 t 6 y 7 u"),
        ", octave ",
        el("kbd", {}, ", ."),
        ", sustain ",
        el("kbd", {}, "space"),
        ".",
    );
    const midi = el("div", { class: "midi" }),
        tuning = el("div", { class: "tuning" });
    element.append(board.keys, pad, silent, row, caps, el("div", { class: "row spread" }, tuning, midi));

    const actions = {
        shift(by) {
            state.octave = Math.min(8, Math.max(-1, state.octave + by));
            show();
        },
        louder(by) {
            state.velocity = Math.min(1, Math.max(0.05, state.velocity + by));
            loud.value = Math.round(state.velocity * 127);
        },
        sustain(on) {
            state.sustain = on;
            hold.setAttribute("aria-pressed", String(on));
            app.engine.midi(new Uint8Array([0xb0, 64, on ? 127 : 0]));
        },
        panic() {
            hands.allUp();
            if (state.sustain) this.sustain(false);
            app.engine.panic();
        },
    };
    function show() {
        const scene = app.scene;
        const pitched = Boolean(scene?.pitched);
        board.keys.hidden = octaves.hidden = caps.hidden = Boolean(scene) && !pitched;
        pad.hidden = !scene || pitched;
        silent.hidden = !scene || scene.takesNotes !== false || !(scene.soundInputs > 0);
        if (!silent.hidden) pad.hidden = true;
        tuning.hidden = Boolean(scene) && !pitched;
        place.textContent = `C${state.octave}`;
        if (!board.keys.hidden) board.build();
    }
    lower.addEventListener("click", () => actions.shift(-1));
    higher.addEventListener("click", () => actions.shift(1));
    hold.addEventListener("click", () => actions.sustain(!state.sustain));
    quiet.addEventListener("click", () => actions.panic());
    loud.addEventListener("input", () => (state.velocity = loud.value / 127));
    listen(app, hands, state, actions);
    let name = null;
    app.on("scene", (scene) => {
        hands.allUp();
        if (app.work?.name !== name) state.octave = octaveFor(scene.keys, state.octave); // an edit leaves the octave alone
        name = app.work?.name;
        if (state.sustain) actions.sustain(true);
        show();
    });
    if (globalThis.ResizeObserver) new ResizeObserver(() => !board.keys.hidden && board.build()).observe(element);
    mountMidi(midi, app, board.nodes);
    mountTuning(tuning, app);
    if (app.scene) state.octave = octaveFor(app.scene.keys, state.octave);
    show();
}
