// A plain static server of web/dist for tests:  node web/test/serve.mjs [PORT]; or serve() from another test.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm",
    ".json": "application/json", ".lua": "text/plain", ".txt": "text/plain", ".svg": "image/svg+xml", ".png": "image/png" };
const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), "dist");

/** Serves the folder; { url, close }. */
export function serve({ folder = dist, port = 0, headers = {} } = {}) {
    const server = createServer(async (request, answer) => {
        let path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
        if (path.endsWith("/")) path += "index.html";
        try {
            const bytes = await readFile(join(folder, path));
            answer.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", ...headers });
            answer.end(bytes);
        } catch {
            answer.writeHead(404).end("not found");
        }
    });
    return new Promise((resolve) => server.listen(port, "127.0.0.1", () =>
        resolve({ url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() })));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await serve({ port: Number(process.argv[2] ?? 8000) })).url);
