// SPDX-License-Identifier: MIT
// The service worker: keeps every file of one version and answers from them, so that the studio
// opens without network and never shows files of two versions in one page. Files of older versions
// are kept while a page is open that may need them.

/**
 * Written by the build. `files`: names that change with their content. `pages`: the others, with
 * the SHA-256 of what belongs to this version.
 * @type {{ version: string, files: string[], pages: Record<string, string> }}
 */
const { version, files, pages } = /** @type {any} */ (globalThis).STUDIO_FILES;
const PREFIX = "weft-studio-";
const OWN = PREFIX + version;
const FIRST_PAGE = "index.html";

const worker = /** @type {any} */ (globalThis);
worker.addEventListener("install", (/** @type {any} */ event) =>
  event.waitUntil(keepAll().then(() => worker.skipWaiting())),
);
worker.addEventListener("activate", (/** @type {any} */ event) =>
  event.waitUntil(worker.clients.claim()),
);
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const name = nameOf(event.request);
  if (name === undefined) return;
  event.respondWith(answer(event.request, name));
  if (event.request.mode === "navigate") event.waitUntil(dropOld(event));
});

async function keepAll() {
  const cache = await caches.open(OWN);
  await cache.addAll(files);
  for (const [name, digest] of Object.entries(pages)) {
    const response = await fetch(name, { cache: "no-store" });
    const bytes = await response.clone().arrayBuffer();
    // A newer version is on the server by now: that one's service worker will keep it.
    if (!response.ok || (await digestOf(bytes)) !== digest)
      throw new Error(`${name} is not of version ${version}`);
    await cache.put(name, response);
  }
}

/** @param {ArrayBuffer} bytes */
async function digestOf(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {Request} request
 * @returns {string | undefined} the file below this folder; undefined where it is none of ours
 */
function nameOf({ method, url }) {
  const folder = new URL("./", worker.location.href).href;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || !(origin + pathname).startsWith(folder)) return undefined;
  const name = (origin + pathname).slice(folder.length) || FIRST_PAGE;
  return name in pages || name.startsWith("assets/") ? name : undefined;
}

/** @param {Request} request @param {string} name */
async function answer(request, name) {
  // The name of an asset says its content: any version's will do.
  const kept = await (name in pages
    ? (await caches.open(OWN)).match(name)
    : caches.match(new URL(name, worker.location.href).href));
  return kept ?? fetch(request);
}

/** Drops the files of other versions when no page but the one that opens is there. @param {any} event */
async function dropOld({ resultingClientId, replacesClientId }) {
  const { installing, waiting } = worker.registration;
  // A newer version's files may be on their way.
  if (installing || waiting) return;
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const own = [resultingClientId, replacesClientId];
  if (open.some((/** @type {{ id: string }} */ { id }) => !own.includes(id))) return;
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== OWN) await caches.delete(name);
}
