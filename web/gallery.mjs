// The gallery (tools/gallery.py) beside the page: each links to the other.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const mark = (html, name, value) => html.replace(/<html\b/, `<html data-${name}="${value}"`);

/** Puts a gallery into the folder of the page, and their links; false: there is none. */
export function joinGallery(dist, path) {
    if (!existsSync(path)) return false;
    const home = join(dist, "index.html"), page = readFileSync(home, "utf8");
    mkdirSync(join(dist, "gallery"), { recursive: true });
    writeFileSync(join(dist, "gallery/index.html"), mark(readFileSync(path, "utf8"), "page", "../index.html"));
    if (!/data-site="[^"]*gallery/.test(page)) writeFileSync(home, page.replace(/data-site="([^"]*)"/, 'data-site="$1 gallery"'));
    return true;
}
