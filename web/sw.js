// The page offline: everything is fetched once, and a new version replaces the old one as a whole: it waits until no page
// of the old one is open, or the only one says so before it has begun. web/build.mjs fills in what there is; the name of
// the cache is a hash of all of it.
const CACHE = "VERSION";
const FILES = [/* FILES */];

self.addEventListener("install", (event) => {
    // Past the browser's own cache, so that files of two versions never meet.
    const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
    event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
    event.waitUntil((async () => {
        for (const name of await caches.keys()) if (name.startsWith("sistrum-") && name !== CACHE) await caches.delete(name);
        await self.clients.claim();
    })());
});

self.addEventListener("message", (event) => {
    if (event.data !== "take over") return;
    event.waitUntil((async () => {
        const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
        if (all.filter((page) => page.url.startsWith(self.registration.scope)).length <= 1) await self.skipWaiting();
    })());
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
    event.respondWith((async () => {
        const cache = await caches.open(CACHE);
        const found = await cache.match(request, { ignoreSearch: true });
        return found ?? fetch(request);
    })());
});
