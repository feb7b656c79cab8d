// Learn: six steps of the tutorial and four figures of the papers, live.

import { el } from "../page/dom.js";
import { base, fetched } from "../page/scenes_open.js";
import { FIGURES } from "./figures.js";
import { makeApp, makeLive } from "./live.js";
import { showFigure } from "./figure.js";
import { showStep } from "./step.js";

const find = (selector) => document.querySelector(selector);

function menu(steps) {
    const item = (id, words, small) =>
        el("li", {}, el("a", { href: `#${id}` }, words, small ? el("small", {}, small) : null));
    find("[data-steps]").append(...steps.map((step) => item(step.id, step.title)));
    find("[data-figures]").append(
        ...FIGURES.map((figure) =>
            item(
                figure.id,
                figure.title,
                figure.paper.replace(/, (figure|section).*/, "").replace(/, .* and \w+/, " et al."),
            ),
        ),
    );
}

function themes(app) {
    find(".theme").addEventListener("click", () => {
        const root = document.documentElement;
        const dark = root.dataset.theme
            ? root.dataset.theme === "dark"
            : matchMedia("(prefers-color-scheme: dark)").matches;
        root.dataset.theme = dark ? "light" : "dark";
        try {
            localStorage.setItem("sistrum-theme", root.dataset.theme);
        } catch {
            /* not kept */
        }
        app.stage?.colours();
    });
}

async function begin() {
    const { Engine, unsupported } = globalThis.sistrumEngine ?? (await import("../engine/engine.js"));
    const app = makeApp(new Engine({ base: base().href })),
        place = find("[data-page]").parentNode;
    globalThis.sistrum = app;
    const why = unsupported();
    const steps = await fetched("learn/steps.json");
    menu(steps);
    themes(app);
    const live = makeLive(app);
    if (why) place.before(el("p", { class: "trouble" }, why));
    else await app.engine.prepare().catch(() => {});

    async function show() {
        const id = location.hash.slice(1) || steps[0].id;
        const step = steps.find((one) => one.id === id),
            figure = FIGURES.find((one) => one.id === id);
        if (!step && !figure) return location.replace(`#${steps[0].id}`);
        for (const link of document.querySelectorAll(".menu a")) {
            if (link.hash === `#${id}`) link.setAttribute("aria-current", "page");
            else link.removeAttribute("aria-current");
            if (link.hash === `#${id}`)
                link.scrollIntoView({ inline: "center", block: "nearest", behavior: "instant" });
        }
        app.engine.panic();
        live.node.remove();
        // A page of its own: one that is still being made when another is asked for is not seen.
        const page = find("[data-page]").cloneNode(false);
        find("[data-page]").replaceWith(page);
        page.dataset.page = id;
        document.title = `${(step ?? figure).title}: Sistrum`;
        scrollTo(0, 0);
        try {
            if (step) await showStep(page, step, live);
            else await showFigure(page, figure, live, app);
        } catch (error) {
            page.append(el("p", { class: "trouble" }, `This page could not be shown: ${error.message}.`));
        }
        next(page, id);
    }
    function next(page, id) {
        const all = [...steps, ...FIGURES],
            at = all.findIndex((one) => one.id === id),
            to = all[at + 1];
        page.append(to ? el("p", { class: "next" }, el("a", { href: `#${to.id}` }, `Next: ${to.title}`)) : "");
    }
    addEventListener("hashchange", show);
    // The address says which page it is: this one does not change it.
    find(".skip").addEventListener("click", (event) => {
        event.preventDefault();
        find("[data-page]").focus();
    });
    await show();
}

begin();
