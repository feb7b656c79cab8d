// A step of the tutorial: the words of docs/tutorial, with its scene to play, touch and edit where it is complete.

import { el } from "../page/dom.js";
import { tokens } from "../page/editor_context.js";
import { fetched } from "../page/scenes_open.js";

const KEYWORDS = new Set(
    "and break do else elseif end false for function goto if in local nil not or repeat return then true until while".split(
        " ",
    ),
);

/** Lua with a little colour, as nodes. */
export function coloured(text, words) {
    const nodes = [];
    let at = 0;
    for (const token of tokens(text)) {
        nodes.push(text.slice(at, token.from));
        const calls = /^\s*[{(]/.test(text.slice(token.to, token.to + 3));
        const kind =
            token.kind === "comment"
                ? "c"
                : token.kind === "text"
                  ? "s"
                  : token.kind === "number"
                    ? "n"
                    : token.kind === "name" && KEYWORDS.has(token.text)
                      ? "k"
                      : token.kind === "name" && words.has(token.text) && calls
                        ? "w"
                        : "";
        nodes.push(kind ? el("i", { class: kind }, token.text) : token.text);
        at = token.to;
    }
    nodes.push(text.slice(at));
    return nodes;
}

function codeNode(part, words) {
    if (part.language === "lua")
        return el("pre", { class: "lua", tabindex: "0", "aria-label": "Scene" }, ...coloured(part.code, words));
    return el(
        "details",
        { class: "terminal" },
        el("summary", {}, "in a terminal"),
        el("pre", { tabindex: "0" }, part.code),
    );
}

/** A place for the live box: it comes when it is asked for. */
function livePlace(part, live, first) {
    const name = part.name.replace(/\.lua$/, "");
    const place = el("div", { class: "live-place" });
    const come = () => {
        if (!place.isConnected) return null; // another chapter has taken the page
        button.hidden = true;
        for (const other of document.querySelectorAll(".live-place > button")) other.hidden = other === button;
        place.append(live.node);
        return live.open({ name: `tutorial/${name}`, text: part.text });
    };
    const button = el("button", { type: "button", class: "main", onclick: come }, `${part.name}: touch it, change it`);
    place.append(button);
    return { place, come: first ? come : null };
}

export async function showStep(place, step, live) {
    const schema = await fetched("schema.json").catch(() => ({ words: [] }));
    const words = new Set(schema.words.map((w) => w.word));
    const nodes = [el("h2", {}, step.title)];
    let first = null;
    for (const part of step.parts) {
        if (part.html !== undefined) {
            const block = el("div", { class: "words" });
            block.innerHTML = part.html; // from docs/tutorial, at build time
            nodes.push(block);
        } else if (part.picture)
            nodes.push(el("figure", {}, el("img", { src: part.picture, alt: part.words, loading: "lazy" })));
        else nodes.push(codeNode(part, words));
        if (part.text) {
            const made = livePlace(part, live, !first);
            first ??= made.come;
            nodes.push(made.place);
        }
    }
    place.replaceChildren(...nodes);
    await first?.();
}
