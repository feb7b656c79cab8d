// All panels on one page with an engine that makes no sound.
import { FakeEngine } from "./panels_fake.js";
import { openFirst } from "../src/page/scenes_open.js";
import * as editor from "../src/page/editor.js";
import * as keyboard from "../src/page/keyboard.js";
import * as knobs from "../src/page/knobs.js";
import * as scenes from "../src/page/scenes.js";
import * as share from "../src/page/share.js";
import * as takeaway from "../src/page/takeaway.js";

const handlers = new Map();
const app = {
    engine: new FakeEngine(),
    scene: null,
    work: null,
    on: (event, f) => handlers.set(event, [...(handlers.get(event) ?? []), f]),
    emit: (event, detail) => (handlers.get(event) ?? []).forEach((f) => f(detail)),
};
app.on("say", (text) => (document.getElementById("said").textContent = text));
globalThis.app = app;
for (const [name, panel] of Object.entries({ editor, knobs, keyboard, share, takeaway, scenes })) {
    const section = document.createElement("section");
    section.id = name;
    document.querySelector("main").append(section);
    panel.mount(section, app);
}
openFirst(app);
