// The menu of scenes: shipped ones with a picture of two seconds of their sound, and the user's own.

import { catalogue, openScene } from "./scenes_open.js";
import { el } from "./dom.js";
import { keptNames, keptText } from "./store.js";

const NS = "http://www.w3.org/2000/svg";

function picture(thumb) {
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("viewBox", "0 0 94 64");
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    for (const [kind, d] of Object.entries(thumb ?? {})) {
        const path = document.createElementNS(NS, "path");
        path.setAttribute("class", kind);
        path.setAttribute("d", d);
        svg.append(path);
    }
    return svg;
}

/** Whether every word of what is searched for is somewhere in the scene's words. */
export function matches(scene, searched) {
    const all = `${scene.name} ${scene.title} ${scene.line} ${scene.group}`.toLowerCase();
    return searched
        .toLowerCase()
        .split(/\s+/)
        .every((word) => all.includes(word));
}

export function mount(element, app) {
    element.classList.add("scenes");
    const search = el("input", {
        type: "search",
        placeholder: "Search scenes",
        "aria-label": "Search scenes",
        autocomplete: "off",
    });
    const lists = el("div", { class: "lists" });
    const none = el("p", { class: "aside", hidden: true }, "No scene has these words.");
    element.append(el("div", { class: "row" }, search), lists, none);
    let all = [],
        cards = [];

    function own(shipped) {
        const names = new Set(shipped.map((one) => one.name));
        return keptNames()
            .filter((name) => !names.has(name))
            .map((name) => ({
                name,
                title: name,
                line: /^\s*--+\s*(.*)/.exec(keptText(name)?.text ?? "")?.[1] ?? "",
                group: "Yours",
                thumb: null,
            }));
    }
    function card(scene) {
        const changed = scene.group !== "Yours" && keptText(scene.name);
        const button = el(
            "button",
            { type: "button", class: "scene", tabindex: "-1", "data-name": scene.name, onclick: () => choose(scene) },
            picture(scene.thumb),
            el(
                "span",
                { class: "words" },
                el("strong", {}, scene.title, changed ? el("em", {}, " yours") : null),
                el("small", {}, scene.line),
            ),
        );
        return { scene, button };
    }
    async function choose(scene) {
        app.emit("chosen", scene.name);
        if (scene.starter) {
            await openScene(app, {
                name: "mine",
                text: await (await fetch(new URL("scenes/starter.lua", document.baseURI))).text(),
                from: "new",
            });
        } else await openScene(app, { name: scene.name });
    }
    function show() {
        const groups = new Map();
        for (const scene of [...own(all), ...all]) {
            if (!groups.has(scene.group)) groups.set(scene.group, []);
            groups.get(scene.group).push(scene);
        }
        cards = [];
        const nodes = [];
        for (const [group, list] of groups) {
            const made = list.map(card);
            cards.push(...made);
            nodes.push(
                el(
                    "section",
                    { "aria-label": group },
                    el("h3", {}, group),
                    el("div", { class: "grid" }, ...made.map((one) => one.button)),
                ),
            );
        }
        lists.replaceChildren(...nodes);
        filter();
        current();
    }
    function filter() {
        let some = false;
        for (const one of cards) {
            one.button.hidden = !matches(one.scene, search.value);
            some ||= !one.button.hidden;
        }
        for (const section of lists.children) section.hidden = !section.querySelector("button:not([hidden])");
        none.hidden = some || !cards.length;
        reach();
    }
    /** One card is reached by Tab, the others by arrow keys. */
    function reach(wanted = null) {
        const shown = cards.filter((one) => !one.button.hidden);
        const now = wanted ?? shown.find((one) => one.button.getAttribute("aria-current")) ?? shown[0];
        for (const one of cards) one.button.tabIndex = one === now ? 0 : -1;
        return now;
    }
    function current() {
        for (const one of cards) {
            if (one.scene.name === app.work?.name) one.button.setAttribute("aria-current", "true");
            else one.button.removeAttribute("aria-current");
        }
        reach();
    }
    /** The card above or below: the nearest one in the next row. */
    function across(list, from, down) {
        const here = list[from].button.getBoundingClientRect();
        let best = null,
            least = Infinity;
        for (const one of list) {
            const there = one.button.getBoundingClientRect();
            if (down ? there.top < here.bottom - 1 : there.bottom > here.top + 1) continue;
            const far = 10 * Math.abs(there.top - here.top) + Math.abs(there.left - here.left);
            if (far < least) [best, least] = [one, far];
        }
        return best;
    }
    lists.addEventListener("keydown", (event) => {
        const list = cards.filter((one) => !one.button.hidden);
        const at = list.findIndex((one) => one.button === document.activeElement);
        if (at < 0) return;
        const to =
            event.key === "ArrowRight"
                ? list[at + 1]
                : event.key === "ArrowLeft"
                  ? list[at - 1]
                  : event.key === "Home"
                    ? list[0]
                    : event.key === "End"
                      ? list.at(-1)
                      : event.key === "ArrowDown" || event.key === "ArrowUp"
                        ? across(list, at, event.key === "ArrowDown")
                        : null;
        if (event.key === "ArrowUp" && !to) {
            search.focus();
            event.preventDefault();
        }
        if (!to) return;
        reach(to).button.focus();
        event.preventDefault();
    });
    search.addEventListener("input", filter);
    search.addEventListener("keydown", (event) => {
        const first = cards.find((one) => !one.button.hidden);
        if (event.key === "ArrowDown" && first) {
            reach(first).button.focus();
            event.preventDefault();
        } else if (event.key === "Enter" && first) choose(first.scene);
    });
    app.on("work", () => (all.length && own(all).length + all.length !== cards.length ? show() : current()));
    catalogue()
        .then((list) => {
            all = list;
            show();
        })
        .catch((error) => {
            lists.replaceChildren(
                el("p", { class: "aside" }, `The list of scenes could not be loaded: ${error.message}.`),
            );
        });
}
