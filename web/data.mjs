// Writes what the page reads and the program knows: node data.mjs DIST PROGRAM SCENE_SAMPLES [CACHE]
//   scenes.json, scenes/**.lua   the shipped scenes, with pictures and how loud they are
//   schema.json                  words and keys of the scene language, for the editor
//   hashes.json                  SHA-256 of two seconds of every scene, from the native program
//   learn/steps.json, learn/img  the tutorial

import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parts } from "./markdown.mjs";
import { Host, encode } from "./src/engine/host.js";
import { thumb } from "./thumbs.mjs";

const source = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const [dist, program, samples, cache = join(source, "build/web")] = process.argv.slice(2).map((path) => resolve(path));
if (!samples) {
    console.error("usage: node data.mjs DIST PROGRAM SCENE_SAMPLES [CACHE]");
    process.exit(2);
}

const read = (path) => readFileSync(path, "utf8");
const json = (path, value) => writeFileSync(path, JSON.stringify(value));
const sha = (...what) => what.reduce((hash, one) => hash.update(one), createHash("sha256")).digest("hex");

/** What takes long is kept under a key of everything it depends on. */
function kept(name) {
    const path = join(cache, `${name}.json`);
    const old = existsSync(path) ? JSON.parse(read(path)) : {},
        now = {};
    return {
        async get(key, make) {
            now[key] = key in old ? old[key] : await make();
            return now[key];
        },
        save: () => json(path, now),
    };
}

// ---------------------------------------------------------------------------- scenes

const PAPERS = {
    bilbao2014: "Bilbao 2014",
    ducceschi2017: "Ducceschi 2017",
    ducceschi2019: "Ducceschi and Bilbao 2019",
    papetti2011: "Papetti, Avanzini and Rocchesso 2011",
    willemsen2019: "Willemsen 2019",
};

/** Name, path, title, line and group of every scene; instruments first. */
function listScenes() {
    const told = JSON.parse(
        execFileSync(program, ["scenes", "--json"], {
            env: { ...process.env, SISTRUM_SCENES: join(source, "scenes") },
        }),
    );
    const own = told.scenes
        .filter((one) => one.path.startsWith(join(source, "scenes")))
        .map((one) => ({
            name: one.name,
            path: one.path,
            title: one.title,
            line: one.about,
            group: one.kind === "instrument" ? "Instruments" : "Small scenes",
        }));
    const papers = Object.keys(PAPERS).flatMap((paper) =>
        readdirSync(join(source, "scenes", paper))
            .filter((file) => file.endsWith(".lua"))
            .sort()
            .map((file) => {
                const path = join(source, "scenes", paper, file);
                const line = /^--\s*(.*)/.exec(read(path))?.[1] ?? "";
                const name = file.replace(/\.lua$/, "");
                const title = name
                    .replace(/^fig(\d+)$/, "Figure $1")
                    .replace(/^case(\d+)$/, "Case $1")
                    .replaceAll("_", " ");
                return {
                    name: `${paper}/${name}`,
                    path,
                    title: `${title[0].toUpperCase()}${title.slice(1)}`,
                    line,
                    group: `Papers: ${PAPERS[paper]}`,
                };
            }),
    );
    const rank = (one) => (one.group === "Instruments" ? 0 : one.group === "Small scenes" ? 1 : 2);
    return [...own, ...papers].sort((a, b) => rank(a) - rank(b));
}

const secondsOf = (text) => Math.min(2, Number(/duration\s*=\s*([\d.e-]+)/.exec(text)?.[1] ?? 1));

/** How loud a scene is, as the page measures it where it does not know: then it opens without. 0: not known. */
function peakOf(name, text) {
    const host = new Host(peakOf.module ??= new WebAssembly.Module(readFileSync(join(source, "build/web/sistrum.wasm"))));
    const bytes = encode(text);
    host.exports.page_open(48000, 8e6);
    const fine = host.lend([bytes, `${name.split("/").pop()}.lua`, "", new Float64Array(0)], (t, n, ns, vs) =>
        host.exports.page_load(t, bytes.length, n, ns, vs, 0),
    );
    return fine ? host.exports.page_peak() : 0;
}

async function writeScenes() {
    const pictures = kept("thumbs"),
        peaks = kept("peaks"),
        list = [];
    const measure = sha(read(join(source, "live/program.c")), read(join(source, "music/level.c")));
    const tool = sha(read(join(source, "web/thumbs.mjs")), read(join(source, "web/src/page/takeaway_command.js")));
    for (const scene of listScenes()) {
        const text = read(scene.path),
            to = join(dist, "scenes", `${scene.name}.lua`);
        mkdirSync(dirname(to), { recursive: true });
        writeFileSync(to, text);
        const picture = await pictures.get(sha(text, tool), () => thumb(program, scene.path, secondsOf(text)));
        const peak = await peaks.get(sha(text, measure), () => peakOf(scene.name, text));
        list.push({ name: scene.name, title: scene.title, line: scene.line, group: scene.group, peak, thumb: picture });
    }
    pictures.save();
    peaks.save();
    writeFileSync(
        join(dist, "scenes/starter.lua"),
        read(join(source, "app/cli/starter.lua")).replaceAll("NAME", "mine"),
    );
    json(join(dist, "scenes.json"), list);
    return list;
}

// ---------------------------------------------------------------------------- hashes

function hashOf(path) {
    return new Promise((done, failed) => {
        const hash = createHash("sha256"),
            child = spawn(samples, [path], { stdio: ["ignore", "pipe", "inherit"] });
        child.stdout.on("data", (bytes) => hash.update(bytes));
        child.on("error", failed);
        child.on("close", (code) =>
            code === 0 ? done(hash.digest("hex")) : failed(new Error(`scene_samples failed on ${path}`)),
        );
    });
}

async function writeHashes(scenes) {
    const hashes = kept("hashes"),
        binary = sha(readFileSync(samples)),
        found = {};
    for (const { name } of scenes) {
        const path = join(source, "scenes", `${name}.lua`);
        found[name] = await hashes.get(sha(read(path), binary), () => hashOf(path));
    }
    hashes.save();
    json(join(dist, "hashes.json"), found);
}

// ---------------------------------------------------------------------------- tutorial

const STEPS = ["1-mass", "2-clash", "3-string", "4-tanpura", "5-piano", "6-tromba"];

/** Links between steps stay, others lose their target: those pages are not here. */
const linkOf = (target) =>
    /^https?:/.test(target) ? target : /^(\d-\w+)\.md$/.test(target) ? `#${target.replace(".md", "")}` : null;

function stepOf(id) {
    const folder = join(source, "docs/tutorial"),
        page = read(join(folder, `${id}.md`));
    const title = /^# (.*)$/m.exec(page)[1];
    const body = parts(page.replace(/^# .*\n/, "").replace(/^Next: .*$/m, ""), linkOf).filter(
        (part) => part.language !== "sh" || !/^cd /.test(part.code),
    );
    for (const part of body) if (part.name) part.text = read(join(folder, part.name));
    for (const part of body)
        if (part.picture) cpSync(join(folder, part.picture), join(dist, "learn", part.picture), { recursive: true });
    return { id, title: title.replace(/^\d+\. /, ""), parts: body };
}

function writeTutorial() {
    mkdirSync(join(dist, "learn/img"), { recursive: true });
    json(join(dist, "learn/steps.json"), STEPS.map(stepOf));
}

// ---------------------------------------------------------------------------- all

mkdirSync(join(dist, "scenes"), { recursive: true });
mkdirSync(cache, { recursive: true });
const schema = JSON.parse(execFileSync(program, ["help", "--reference", "--json"]));
json(join(dist, "schema.json"), schema);
const scenes = await writeScenes();
await writeHashes(scenes);
writeTutorial();
console.log(`${scenes.length} scenes, ${schema.words.length} words, ${STEPS.length} steps of the tutorial`);
