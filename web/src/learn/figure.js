// A figure of a paper: knobs, the schemes beside each other, curves that are drawn again, published and measured numbers.

import { el } from "../page/dom.js";
import { makeKnob } from "../page/knobs.js";
import { readNpy } from "../page/takeaway_command.js";
import { shippedText } from "../page/scenes_open.js";
import { curvesOf, numbersOf, runOf, withScheme } from "./figures.js";
import { drawPlot } from "./plot.js";

const REST = 120; // ms without a turn, then it is computed again

function legend(figure) {
    return el(
        "p",
        { class: "legend" },
        ...figure.schemes.map((one, i) =>
            el(
                "span",
                {},
                el("i", { class: `line${i}` }),
                `${one.label}${one.label === one.scheme ? "" : ` (${one.scheme})`}`,
            ),
        ),
    );
}

/** Published beside measured; what is published holds for the paper's values only. */
function table(figure, numbers, asPrinted) {
    return el(
        "table",
        { class: "numbers" },
        el(
            "thead",
            {},
            el(
                "tr",
                {},
                el("th", {}, ""),
                el("th", {}, "the paper"),
                ...figure.schemes.map((one) => el("th", {}, one.label)),
            ),
        ),
        el(
            "tbody",
            {},
            ...numbers.map((row) =>
                el(
                    "tr",
                    {},
                    el("th", { scope: "row" }, row.what),
                    el("td", {}, row.only && !asPrinted ? "other values" : row.published),
                    ...row.measured.map((text) => el("td", {}, text)),
                ),
            ),
        ),
    );
}

async function compute(engine, figure, text, set) {
    const runs = [],
        files = figure.balance === false ? ["npy"] : ["npy", "csv"];
    for (const { scheme } of figure.schemes) {
        const answer = await engine.render({
            text: withScheme(text, scheme, figure.more),
            name: `${scheme}.lua`,
            settings: set,
            duration: figure.duration,
            files,
        });
        if (!answer.ok) {
            runs.push({ failed: answer.error.text });
            continue;
        }
        const run = runOf(
            readNpy(answer.files.npy),
            answer.files.csv ? new TextDecoder().decode(answer.files.csv) : null,
            figure.probes,
        );
        runs.push(run);
    }
    return runs;
}

export async function showFigure(place, figure, live, app) {
    const text = await shippedText(figure.scene);
    const plots = el("div", { class: "plots" }),
        numbers = el("div"),
        said = el("p", { class: "aside", role: "status" }, "computing …");
    const knobs = el("div", { class: "knob-list" }),
        hear = el("p", { class: "row" }),
        livePlace = el("div", { class: "live-place" });
    place.replaceChildren(
        el("h2", {}, figure.title),
        el("p", { class: "lead" }, figure.paper),
        ...figure.about.map((words) => el("p", {}, words)),
        el("section", { class: "figure" }, knobs, legend(figure), plots, numbers, said, hear, livePlace),
        el("p", { class: "aside" }, figure.cite),
    );
    let last = null,
        turn = 0,
        timer = 0;

    const answer = await app.engine.load(
        withScheme(text, figure.schemes[0].scheme, figure.more),
        `${figure.schemes[0].scheme}.lua`,
    );
    if (!answer.ok) {
        said.textContent = answer.error.text;
        return;
    }
    if (!place.isConnected) return;
    const all = answer.scene.knobs.filter((knob) => figure.knobs.includes(knob.name));
    const set = () => Object.fromEntries(all.map((knob) => [knob.name, knob.value]));
    const printedValues = () => all.every((knob) => knob.value === knob.fallback);

    function draw() {
        if (!last || !plots.isConnected) return;
        const seconds = figure.to ? figure.to / last.runs.find((run) => !run.failed).rate : figure.duration;
        const curves = curvesOf(figure, last.runs, last.set);
        plots.replaceChildren(
            ...curves.map((curve) => {
                const spot = el("div", { class: "spot" });
                return el("figure", {}, el("figcaption", {}, curve.title, el("span", {}, ` ${curve.unit}`)), spot);
            }),
        );
        curves.forEach((curve, i) =>
            drawPlot(plots.querySelectorAll(".spot")[i], curve, {
                labels: figure.schemes.map((one) => one.label),
                seconds,
                dots: figure.dots,
            }),
        );
        numbers.replaceChildren(table(figure, numbersOf(figure, last.runs, last.set), printedValues()));
    }
    /** No curves and numbers of other values beside what is wrong. */
    function nothing(why) {
        last = null;
        plots.replaceChildren();
        numbers.replaceChildren();
        said.textContent = why;
    }
    async function again() {
        const mine = ++turn,
            values = set(),
            start = performance.now();
        try {
            const runs = await compute(app.engine, figure, text, values);
            if (mine !== turn) return;
            last = { runs, set: values };
            const failed = runs.flatMap((run, i) => (run.failed ? [figure.schemes[i].label] : []));
            const why = runs.find((run) => run.failed)?.failed;
            said.textContent = why
                ? `${why}.${failed.length > 1 ? ` ${failed.slice(1).join(", ")}: no run either.` : ""}`
                : `Computed here in ${Math.round(performance.now() - start)} ms, the same numbers as sistrum render.`;
            draw();
        } catch (error) {
            if (mine === turn) nothing(error.message);
        }
    }
    const quiet = { engine: { knob() {} }, emit: (event, words) => event === "say" && (said.textContent = words) };
    knobs.append(
        ...all.map(
            (knob) =>
                makeKnob(
                    knob,
                    quiet,
                    () => {
                        clearTimeout(timer);
                        timer = setTimeout(again, REST);
                    },
                    "figure",
                ).node,
        ),
    );
    hear.append(
        "touch and hear it: ",
        ...figure.schemes.map((one) =>
            el(
                "button",
                {
                    type: "button",
                    onclick: async () => {
                        livePlace.append(live.node);
                        await app.wake();
                        await live.open({
                            name: `learn/${figure.id}-${one.scheme}`,
                            text: withScheme(text, one.scheme, figure.more),
                            set: set(),
                            edit: false,
                        });
                    },
                },
                one.label,
            ),
        ),
    );
    if (globalThis.ResizeObserver) new ResizeObserver(draw).observe(plots);
    await again();
}
