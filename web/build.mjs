// Bundles the page into web/dist/:  node web/build.mjs [--test]
// build/web/ has sistrum.wasm already (web/wasm.mk); tools/web.sh calls both. --test adds the pages of web/test/ that tests open.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { joinGallery } from "./gallery.mjs";

const web = dirname(fileURLToPath(import.meta.url)), root = dirname(web), dist = join(web, "dist");
const made = join(root, "build/web");
const version = readFileSync(join(root, "include/sistrum/sistrum.h"), "utf8").match(/SIS_VERSION "(.*)"/)[1];
const common = { bundle: true, minify: true, target: ["es2022"], legalComments: "none", logLevel: "warning",
    define: { SISTRUM_VERSION: JSON.stringify(version) } };

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

// ---------------------------------------------------------------------------- scripts

// The worker and the worklet are one file each, without imports.
await build({ ...common, format: "iife", outdir: dist,
    entryPoints: [join(web, "src/engine/worker.js"), join(web, "src/engine/worklet.js")] });

// The pages share their chunks; what is imported when it is needed is a chunk of its own.
const pages = ["src/page/main.js", "src/learn/main.js"].filter((file) => existsSync(join(web, file)));
if (process.argv.includes("--test")) pages.push("test/engine_page.js");
await build({ ...common, format: "esm", splitting: true, outdir: dist, outbase: web, chunkNames: "chunks/[name]-[hash]",
    entryPoints: pages.map((file) => join(web, file)) });

// ---------------------------------------------------------------------------- files as they are

for (const name of ["index.html", "style.css", "style-panels.css", "theme.js", "learn", "icons", "manifest.webmanifest"])
    if (existsSync(join(web, name))) cpSync(join(web, name), join(dist, name), { recursive: true });
if (process.argv.includes("--test")) cpSync(join(web, "test/engine_page.html"), join(dist, "test/engine_page.html"));
for (const name of ["sistrum.wasm", "sistrum-plain.wasm"]) cpSync(join(made, name), join(dist, name));
writeFileSync(join(dist, "licences.txt"), licences());

/** Every licence of what the files are made of. */
function licences() {
    const line = "-".repeat(78);
    const lua = readFileSync(join(root, "build/lua/src/lua.h"), "utf8");
    const own = readFileSync(join(root, "LICENSE"), "utf8");
    const parts = [["Sistrum " + version, own], ["Lua", lua.slice(lua.lastIndexOf("* Copyright")).replace(/^\*+\/?[\s\S]?$/gm, "")
        .split("*****")[0].replace(/^\* ?/gm, "")]];
    for (const name of bundled()) parts.push([name, readFileSync(join(web, "node_modules", name, "LICENSE"), "utf8")]);
    return parts.map(([name, text]) => `${name}\n${line}\n${text.trim()}\n`).join("\n\n");
}

/** Packages that go into the page: the dependencies and theirs. */
function bundled() {
    const all = JSON.parse(readFileSync(join(web, "package-lock.json"), "utf8")).packages;
    return Object.entries(all).filter(([path, { dev }]) => path.startsWith("node_modules/") && !dev)
        .map(([path]) => path.slice("node_modules/".length)).filter((name) => existsSync(join(web, "node_modules", name, "LICENSE")));
}

// ---------------------------------------------------------------------------- scenes, words, hashes

const program = join(root, "build/release/sistrum"), samples = join(root, "build/release/bench/scene_samples");
if (existsSync(join(web, "data.mjs")))
    execFileSync(process.execPath, [join(web, "data.mjs"), dist, program, samples], { stdio: "inherit", cwd: root });

joinGallery(dist, join(root, "gallery/index.html")); // if it has been built

// ---------------------------------------------------------------------------- offline

function* filesOf(folder) {
    for (const name of readdirSync(folder).sort()) {
        const path = join(folder, name);
        if (statSync(path).isDirectory()) yield* filesOf(path);
        else yield relative(dist, path);
    }
}
// What the first visit brings offline: all but what only some browsers and tests need.
const kept = [...filesOf(dist)].filter((name) => !name.startsWith("test/") && !name.startsWith("gallery/") && name !== "sistrum-plain.wasm" && name !== "licences.txt");
const hash = createHash("sha256");
for (const name of kept) hash.update(name).update(readFileSync(join(dist, name)));
const worker = readFileSync(join(web, "sw.js"), "utf8")
    .replace('"VERSION"', JSON.stringify(`sistrum-${version}-${hash.digest("hex").slice(0, 12)}`))
    .replace("[/* FILES */]", JSON.stringify(["./", ...kept]));
writeFileSync(join(dist, "sw.js"), worker);

// ---------------------------------------------------------------------------- sizes

for (const name of ["index.html", "style.css", "style-panels.css", "src/page/main.js", "worker.js", "worklet.js", "sistrum.wasm"])
    if (existsSync(join(dist, name))) {
        const bytes = readFileSync(join(dist, name));
        console.log(`${(bytes.length / 1000).toFixed(0).padStart(6)} kB, ${(gzipSync(bytes, { level: 9 }).length / 1000).toFixed(0).padStart(4)} kB gzipped  ${name}`);
    }
