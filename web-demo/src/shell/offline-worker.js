// SPDX-License-Identifier: MIT
// The service worker: keeps every file of one version and answers from them, so that the studio
// opens without network and never shows files of two versions in one page. Files of older versions
// are kept while a page is open that may need them. Below agents/ the engine of an open studio
// answers, for applications that know an address alone.
import { serve, serveFrom } from "weftgraph/server/service-worker";

/**
 * Written by the build. `files`: names that change with their content. `pages`: the others, with
 * the SHA-256 of what belongs to this version.
 * @type {{ version: string, files: string[], pages: Record<string, string> }}
 */
const { version, files, pages } = /** @type {any} */ (globalThis).STUDIO_FILES;
const worker = /** @type {any} */ (globalThis);
const FOLDER = new URL("./", worker.location.href).href;
/** Another folder of the same host may have a studio of its own. */
const PREFIX = `weft-studio ${FOLDER} `;
const OWN = PREFIX + version;
const FIRST_PAGE = "index.html";
/** How long a browser may take to say which worker asks. */
const CLIENT_MS = 100;

worker.addEventListener("install", (/** @type {any} */ event) =>
  event.waitUntil(keepAll().then(() => worker.skipWaiting())),
);
worker.addEventListener("activate", (/** @type {any} */ event) =>
  event.waitUntil(worker.clients.claim()),
);
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const name = nameOf(event.request);
  if (name === undefined) return;
  event.respondWith(answer(event, name));
});

worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "opened") event.waitUntil(dropOld(event.source?.id));
});
serve(serveFrom(), { scope: "agents" });

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
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || !(origin + pathname).startsWith(FOLDER)) return undefined;
  const name = (origin + pathname).slice(FOLDER.length) || FIRST_PAGE;
  return name in pages || name.startsWith("assets/") ? name : undefined;
}

/** @param {any} event @param {string} name */
async function answer({ request, clientId }, name) {
  const address = new URL(name, worker.location.href).href;
  // The name of an asset says its content: any version's will do.
  if (!(name in pages)) return (await caches.match(address)) ?? fetch(request);
  const cache = (await cacheOf(clientId)) ?? (await caches.open(OWN));
  return (await cache.match(address)) ?? fetch(request);
}

/**
 * Finds the files of the version that a worker of a page is of.
 * @param {string} clientId
 * @returns {Promise<Cache | undefined>}
 */
async function cacheOf(clientId) {
  // Firefox answers when the worker has loaded, which waits for this very file.
  const late = new Promise((resolve) => setTimeout(resolve, CLIENT_MS));
  const client = clientId && (await Promise.race([worker.clients.get(clientId), late]));
  if (client?.type !== "worker") return undefined;
  for (const name of await caches.keys()) {
    const cache = name.startsWith(PREFIX) ? await caches.open(name) : undefined;
    if ((await cache?.match(client.url)) !== undefined) return cache;
  }
  return undefined;
}

/** Drops files of other versions, if no page but one is open. @param {string} page its id */
async function dropOld(page) {
  const { installing, waiting } = worker.registration;
  // A newer version's files may be on their way.
  if (installing || waiting) return;
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const isOther = (/** @type {{ id: string, url: string }} */ { id, url }) =>
    id !== page && url.startsWith(FOLDER);
  if (open.some(isOther)) return;
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== OWN) await caches.delete(name);
}
