// SPDX-License-Identifier: MIT
// A server behind an address of a site without a backend: a service worker answers below a path,
// with a server of its own or with one that a page offers to it.
import { badArgument, checkArgument, isObject, readURL } from "../../base/check-arguments.js";
import { Pages } from "./pages.js";
import { PortClient, answerOn } from "./port.js";

/** @typedef {import("./port.js").Port} Port */
/** @typedef {{ clientId: string, basePath: string }} Place which page asks, and below which path */
/**
 * Who answers. A service worker tells it the place beside what the global fetch takes.
 * @typedef {{ fetch: (request: Request, init?: RequestInit & Partial<Place>) => Promise<Response>,
 *   basePath?: string }} Answering
 */
/**
 * @typedef {{ request: Request, clientId: string, respondWith: (response: Promise<Response>) =>
 *   void, waitUntil: (promise: Promise<unknown>) => void }} FetchEvent
 * @typedef {{ location: Location, clients: import("./pages.js").Clients & { claim: () =>
 *   Promise<void> }, addEventListener: (type: string, listener: (event: FetchEvent &
 *   MessageEvent) => void) => void }} Scope of a service worker
 */

/** @returns {Scope} @throws BAD_ARGUMENT outside of a service worker */
function workerScope(/** @type {string} */ call) {
  checkArgument("clients" in globalThis, `${call}: it is for service workers`);
  return /** @type {Scope} */ (/** @type {unknown} */ (globalThis));
}

/** The newest event that a service worker answers. @type {FetchEvent | undefined} */
let newest;

/**
 * Answers requests of pages below a path or address.
 * @param {Answering} server
 * @param {{ scope?: string }} [options]
 * @throws BAD_ARGUMENT
 */
export function serve(server, options = {}) {
  checkArgument(isObject(options), "serve(server, options): options must be an object");
  const { scope = server?.basePath } = options;
  checkArgument(
    typeof server?.fetch === "function",
    "serve(server, options): server must be one of createServer's, or of serveFrom's",
  );
  const worker = workerScope("serve(server, options)");
  const place = typeof scope === "string" ? readURL(scope, worker.location.href) : undefined;
  if (place === undefined)
    throw badArgument("serve(server, { scope }): scope must be a path or an address");
  const basePath = place.pathname.replace(/\/$/, "");
  checkArgument(
    basePath !== "" || place.origin !== worker.location.origin,
    "serve(server, { scope }): scope must leave the site's own pages out, as a path does",
  );
  checkArgument(
    server.basePath === undefined || server.basePath === basePath,
    `serve(server, { scope }): the server needs basePath ${JSON.stringify(basePath)}`,
  );
  worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener("fetch", (event) => {
    const { origin, pathname } = new URL(event.request.url);
    if (origin !== place.origin) return;
    if (pathname !== basePath && !pathname.startsWith(`${basePath}/`)) return;
    // Programs never navigate; a form of another site may, with a body that reads as JSON.
    if (event.request.mode === "navigate" && event.request.method !== "GET")
      return event.respondWith(Promise.resolve(noForms()));
    newest = event;
    event.respondWith(answer(event, server, basePath));
  });
}

function noForms() {
  return Response.json({ detail: "Forms are not taken here." }, { status: 403 });
}

/**
 * @param {FetchEvent} event kept alive until its answer is read or left
 * @param {Answering} server
 * @param {string} basePath
 */
async function answer(event, server, basePath) {
  /** @type {() => void} */
  let end = () => {};
  event.waitUntil(new Promise((resolve) => (end = () => resolve(undefined))));
  try {
    const { clientId } = event;
    const response = await server.fetch(event.request, { clientId, basePath });
    const reader = response.body?.getReader();
    if (reader === undefined) {
      end();
      return response;
    }
    return new Response(keptBody(reader, end), response);
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 * @param {() => void} end
 */
function keptBody(reader, end) {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * For createServer({ waitUntil }) in a service worker: keeps it alive while a run goes on.
 * @param {Promise<unknown>} promise
 */
export function waitUntil(promise) {
  try {
    newest?.waitUntil(promise);
  } catch {
    // The event is over: the worker lives as long as the browser lets it.
  }
}

/**
 * @param {Port} [port] to who offers a server; without one, in a service worker: pages
 * @returns {{ fetch: (input: string | URL | Request, init?: RequestInit & Partial<Place>) =>
 *   Promise<Response> }}
 * @throws BAD_ARGUMENT
 */
export function serveFrom(port) {
  if (port === undefined) {
    const pages = new Pages(workerScope("serveFrom()"));
    return {
      fetch: (request, place) =>
        pages.fetch(/** @type {Request} */ (request), /** @type {Place} */ (place)),
    };
  }
  const client = new PortClient(port);
  return {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return client.fetch(request, request.signal);
    },
  };
}

/**
 * Offers a page's server to its service worker, or a worker's server on a port.
 * @param {Answering} server
 * @param {{ port?: Port }} [options]
 * @returns {() => void} takes it back
 * @throws BAD_ARGUMENT
 */
export function offer(server, options = {}) {
  checkArgument(isObject(options), "offer(server, options): options must be an object");
  const { port } = options;
  checkArgument(
    typeof server?.fetch === "function",
    "offer(server, options): server must be one of createServer's",
  );
  if (port !== undefined) return answerOn(port, server);
  const container = globalThis.navigator?.serviceWorker;
  checkArgument(
    container !== undefined,
    "offer(server): a program without service workers needs { port }",
  );
  const life = new AbortController();
  /** @type {Set<() => void>} */
  const stops = new Set();
  const give = (/** @type {Pick<ServiceWorker, "postMessage"> | null} */ worker) => {
    if (life.signal.aborted || worker === null) return;
    const { port1, port2 } = new MessageChannel();
    const stop = answerOn(port1, server, () => stops.delete(stop));
    stops.add(stop);
    worker.postMessage({ weft: "offer", basePath: server.basePath }, [port2]);
  };
  // A service worker that was stopped and started again asks for it once more.
  container.addEventListener(
    "message",
    ({ data, source }) => {
      if (data?.weft === "ask") give(/** @type {ServiceWorker} */ (source));
    },
    { signal: life.signal },
  );
  container.startMessages();
  container.ready.then(({ active }) => give(active));
  return () => {
    life.abort();
    for (const stop of stops) stop();
  };
}
