// The engine without the page: tests reach it as globalThis.engine.
import { Engine, unsupported } from "../src/engine/engine.js";

const engine = new Engine({ base: "../" });
const frames = [];
engine.addEventListener("frame", ({ detail }) => {
    frames.push(detail);
    if (frames.length > 600) frames.shift();
});
const said = [];
engine.addEventListener("trouble", ({ detail }) => said.push(detail.text));
document.querySelector("#start").onclick = () => engine.start();
Object.assign(globalThis, { engine, frames, said, unsupported });
