// Laws of the pages under Learn: node --test web/test/unit_figures.mjs. The figures' numbers are computed by the native
// program ($SISTRUM, or build/release/sistrum) where there is one: what they publish must come out.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { FIGURES, depthBound, keptOpen, knocks, runOf, withScheme } from "../src/learn/figures.js";
import { pathOf, ticks } from "../src/learn/plot.js";
import { readNpy } from "../src/page/takeaway_command.js";

const source = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.SISTRUM ?? join(source, "build/release/sistrum");
const textOf = (figure) => readFileSync(join(source, "scenes", `${figure.scene}.lua`), "utf8");

test("ticks are round and within their ends", () => {
    assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
    assert.deepEqual(ticks(-0.1, 0.11, 4), [-0.1, 0, 0.1]);
    assert.deepEqual(ticks(3, 3), [3]);
    for (const [low, high] of [
        [1e-7, 3e-7],
        [-5, 1e6],
        [99.2, 101.7],
    ])
        for (const t of ticks(low, high)) assert.ok(t >= low - 1e-12 && t <= high * 1.001);
});

test("a path of many values keeps the least and the largest of every column", () => {
    const values = Array.from({ length: 10000 }, (_, i) => (i === 5003 ? 7 : i === 5004 ? -9 : 0));
    const path = pathOf(
        values,
        (i) => i / 100,
        (v) => v,
        100,
    );
    assert.ok(path.includes("7.0") && path.includes("-9.0"));
    assert.ok(path.length < 5000);
    assert.equal(
        pathOf(
            [1, 2],
            (i) => i,
            (v) => v,
            100,
        ),
        "M0.0 1.0L1.0 2.0",
    );
});

test("another scheme stands in every contact of a figure's scene", () => {
    for (const figure of FIGURES)
        for (const { scheme } of figure.schemes) {
            const text = withScheme(textOf(figure), scheme, figure.more);
            for (const found of text.matchAll(/scheme = "(\w+)"/g)) assert.equal(found[1], scheme);
            assert.match(text, new RegExp(`scheme = "${scheme}"`));
            for (const knob of figure.knobs) assert.match(text, new RegExp(`param \\{ "${knob}"`), figure.id);
        }
});

test("what is measured is what its name says", () => {
    assert.deepEqual(knocks({ f: [0, 1, 1, -1, 0, 2, 0, 0], eta2: [-1, 1, 1, -1, -1, 1, -1, -1] }), {
        count: 2,
        closed: 3 / 8,
        pulls: 1 / 8,
    });
    assert.equal(keptOpen({ probes: { f: [0, 1, 0] }, energy: { total: [4, 4, 4], contact: [0, 3, 1] } }), 0.25);
    assert.ok(Math.abs(depthBound({ K: 1e13, alpha: 2.3, spacing: 0.8 / 87, energy: 2.011e-3 }) - 1.29e-4) < 1e-6);
    const run = runOf({ rows: 2, columns: 2, data: [1, 2, 3, 4] }, "time,total\n0.1,5\n0.2,6\n", ["a", "b"]);
    assert.deepEqual([run.probes, run.energy.total, Math.round(run.rate)], [{ a: [1, 3], b: [2, 4] }, [5, 6], 10]);
});

const runs = (figure) => {
    const folder = mkdtempSync(join(tmpdir(), "figure-"));
    try {
        return figure.schemes.map(({ scheme }) => {
            const path = (name) => join(folder, name);
            writeFileSync(path("a.lua"), withScheme(textOf(figure), scheme, figure.more));
            execFileSync(program, [
                "render",
                path("a.lua"),
                "--data",
                path("a.npy"),
                "--energy",
                path("a.csv"),
                "--quiet",
                "--duration",
                String(figure.duration),
            ]);
            return runOf(readNpy(readFileSync(path("a.npy"))), readFileSync(path("a.csv"), "utf8"), figure.probes);
        });
    } finally {
        rmSync(folder, { recursive: true });
    }
};
const figureOf = (id) => FIGURES.find((one) => one.id === id);
const skip = existsSync(program) ? false : "there is no native program";

test(
    "Ducceschi and Bilbao 2019: the published scheme pulls and keeps energy, the ledger does neither",
    { skip },
    () => {
        const [published, ledger] = runs(figureOf("glue"));
        assert.ok(Math.min(...published.probes.f) < -0.1);
        assert.equal(Math.min(...ledger.probes.f), 0);
        assert.ok(Math.abs(keptOpen(published) - 0.0013) < 1e-4); // docs/reproduction.md
        assert.ok(keptOpen(ledger) < 1e-12);
    },
);

test("Bilbao 2014: the bound is the printed one; newton and ledger keep it, quadratised does not", { skip }, () => {
    const figure = figureOf("depth"),
        all = runs(figure);
    const [bound, deepest] = figure.numbers(all, { K: 1e13 });
    assert.equal(bound.measured[0], "0.000129 m");
    assert.deepEqual(
        deepest.measured.map(parseFloat).map((x) => x < 1.29e-4),
        [true, true, false],
    );
});

test("Willemsen 2019: the published bridge sticks, with the ledger it rattles", { skip }, () => {
    const [published, ledger] = runs(figureOf("rattle")).map((run) => knocks(run.probes));
    assert.equal(ledger.pulls, 0);
    assert.ok(ledger.count > 200 && ledger.closed < 0.05, JSON.stringify(ledger));
    assert.ok(published.pulls > 0.01 && published.closed > 3 * ledger.closed, JSON.stringify(published));
});

test("Papetti, Avanzini and Rocchesso 2011: every digit of table 1, case 1", { skip }, () => {
    const figure = figureOf("blow"),
        [exit, energy] = figure.numbers(runs(figure), {});
    assert.equal(
        exit.measured
            .slice(0, 4)
            .map((text) => text.replace(" %", ""))
            .join(", "),
        exit.published.replace(" %", ""),
    );
    const printed = energy.published
        .replace(" %", "")
        .split(", ")
        .map((text) => Number(text.replace("−", "-")));
    energy.measured
        .slice(0, 4)
        .forEach((text, i) => assert.ok(Math.abs(parseFloat(text.replace("−", "-")) - printed[i]) < 0.0011, text));
    assert.equal(exit.measured[4], "+0.000 %");
});
