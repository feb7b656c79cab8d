// Web MIDI: bytes are handed on as they come, MPE included; the program understands them.

import { el } from "./dom.js";

/** Whether a message is for an instrument: notes, controllers, bend, pressure, and tunings (MTS). */
export function isForInstrument(bytes) {
    if (!bytes?.length || bytes[0] < 0x80) return false;
    if (bytes[0] === 0xf0) return bytes.length < 4096 && (bytes[1] === 0x7e || bytes[1] === 0x7f);
    return bytes[0] < 0xf0;
}

export function mountMidi(element, app, nodes) {
    const choice = el("select", { "aria-label": "MIDI input" });
    const ask = el("button", { type: "button" }, "MIDI");
    const said = el("span", { class: "aside", role: "status", "aria-live": "polite" });
    element.append(ask, choice, said);
    choice.hidden = true;
    if (!navigator.requestMIDIAccess) {
        ask.hidden = true;
        said.textContent = "This browser has no MIDI; Chromium and Firefox have.";
        return;
    }
    let access = null,
        wanted = "all"; // an id stays wanted while its port is away
    const held = new Map(); // id of a port -> what ends its keys and pedals that are down

    function glow(bytes) {
        const kind = bytes[0] & 0xf0;
        if (kind !== 0x90 && kind !== 0x80) return;
        nodes.get(bytes[1])?.classList.toggle("down", kind === 0x90 && bytes[2] > 0);
    }
    /** Remembers what is down: a port that is pulled out sends no end of it. */
    function keep(id, [status, first, second]) {
        const kind = status & 0xf0, channel = status & 15, ends = held.get(id) ?? new Map();
        held.set(id, ends);
        if (kind === 0x90 && second > 0) ends.set(128 * channel + first, [0x80 | channel, first, 64]);
        else if (kind === 0x90 || kind === 0x80) ends.delete(128 * channel + first);
        else if (kind === 0xb0 && (first === 64 || first === 66)) {
            if (second > 63) ends.set(`pedal ${first} ${channel}`, [status, first, 0]);
            else ends.delete(`pedal ${first} ${channel}`);
        }
    }
    function letGo(id) {
        for (const bytes of held.get(id)?.values() ?? []) {
            app.engine.midi(new Uint8Array(bytes));
            glow(bytes);
        }
        held.delete(id);
    }
    function take(id, event) {
        const bytes = new Uint8Array(event.data ?? []);
        if (!isForInstrument(bytes)) return;
        keep(id, bytes);
        // Keys of MIDI are no gesture to a browser: where it holds the sound back, the page says so.
        if (!["running", "failed"].includes(app.engine.state)) app.wake?.();
        app.engine.midi(bytes);
        glow(bytes);
    }
    /** After every plug and unplug: who is there, and who is listened to. */
    function join() {
        const ports = [...access.inputs.values()].filter((port) => port.state !== "disconnected");
        const there = (id) => ports.some((port) => port.id === id), heard = there(wanted) ? wanted : "all";
        for (const port of access.inputs.values())
            port.onmidimessage = heard === "all" || heard === port.id ? (event) => take(port.id, event) : null;
        for (const id of [...held.keys()]) if (!there(id)) letGo(id);
        choice.replaceChildren(
            el("option", { value: "all" }, ports.length ? "all inputs" : "no input yet"),
            ...ports.map((port) => el("option", { value: port.id }, port.name || port.id)),
        );
        choice.value = heard;
        said.textContent = ports.length ? `${ports.length} MIDI input${ports.length > 1 ? "s" : ""}` : "plug one in";
    }
    async function open(quiet) {
        try {
            access = await navigator.requestMIDIAccess({ sysex: false });
        } catch (error) {
            if (!quiet) said.textContent = "The browser was not allowed to use MIDI.";
            return;
        }
        ask.hidden = true;
        choice.hidden = false;
        access.onstatechange = join;
        join();
    }
    choice.addEventListener("change", () => {
        wanted = choice.value;
        app.engine.panic();
        held.clear();
        join();
    });
    ask.addEventListener("click", () => open(false));
    // Where it was allowed before, no question is asked.
    navigator.permissions
        ?.query({ name: "midi" })
        .then((state) => state.state === "granted" && open(true))
        .catch(() => {});
}
