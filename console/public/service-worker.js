// Shows a page that says what is wrong while Hearth cannot be reached, and brings the page back when somebody taps a notification.
// It keeps nothing else: what Hearth answers is never taken from a cache.
const cacheName = 'hearth-offline-1';
const files = ['/offline.html', '/offline.css', '/offline.js', '/icon-192.png'];
/** A wireless network that swallows everything is no network. */
const maxMs = 8_000;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const isOld = (name) => name.startsWith('hearth-offline-') && name !== cacheName;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.mode === 'navigate') event.respondWith(fromHearth(request));
  else if (files.includes(pathname))
    event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(request)));
});

async function fromHearth(request) {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(maxMs) });
  } catch {
    return (await caches.match('/offline.html')) ?? Response.error();
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(
    self.clients
      .matchAll({ type: 'window' })
      .then(([open]) => (open ? open.focus() : self.clients.openWindow('/'))),
  );
});
