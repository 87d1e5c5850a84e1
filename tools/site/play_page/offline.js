// Keeps the files of the page, so that it opens without a network. Files of another version are kept
// beside them until no tab shows that version any more.
importScripts("kept_list.js");

self.addEventListener("install", (event) => {
  // An older version may still be in the browser's other cache: ask the server whether it has changed.
  const files = KEPT.files.map((name) => new Request(name, { cache: "no-cache" }));
  event.waitUntil(caches.open(KEPT.name).then((cache) => cache.addAll(files)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(
    names.filter((name) => name.startsWith(KEPT.family) && name !== KEPT.name).map((name) => caches.delete(name)),
  )));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches.open(KEPT.name)
      .then((cache) => cache.match(event.request, { ignoreSearch: true }))
      .then((kept) => kept ?? fetch(event.request)),
  );
});
