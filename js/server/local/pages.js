// SPDX-License-Identifier: MIT
// Knows, in a service worker, which pages offer a server, each on a port. The browser stops service
// workers and starts them again: then it asks all pages once more.
import { PortClient } from "./port.js";

/**
 * @typedef {{ id: string, postMessage: (message: unknown) => void }} Page
 * @typedef {{ matchAll: (options: { type: "window", includeUncontrolled: boolean }) =>
 *   Promise<Page[]> }} Clients
 */
/** @typedef {{ page: string, basePath: string, client: PortClient }} Offer */

/** How long pages of other programs, which answer nothing, are waited for. */
const ROUND_MS = 300;
/** How long the first page may take until it offers something. */
const FIRST_MS = 5000;

export class Pages {
  /** The newest last. @type {Offer[]} */
  #offers = [];
  #clients;
  /** @type {Promise<void> | undefined} */
  #asked;
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /**
   * @param {{ clients: Clients, addEventListener: (type: string, listener: (event: MessageEvent) =>
   *   void) => void }} worker a service worker's global scope
   */
  constructor({ clients, addEventListener }) {
    this.#clients = clients;
    addEventListener.call(globalThis, "message", ({ data, source, ports }) => {
      const page = /** @type {Page} */ (/** @type {unknown} */ (source));
      if (data?.weft === "offer") this.#take(page, data.basePath, ports[0]);
    });
  }

  /**
   * @param {Request} request
   * @param {{ clientId: string, basePath: string }} place who asks, and for which server
   * @returns {Promise<Response>}
   */
  async fetch(request, { clientId, basePath }) {
    const client = await this.#find(clientId, basePath);
    if (client !== undefined) return client.fetch(request, request.signal);
    const detail = "No page offers this server now.";
    return new Response(JSON.stringify({ detail }), {
      status: 503,
      headers: { "content-type": "application/json" },
    });
  }

  /** @param {Page} page @param {string} basePath @param {MessagePort} port */
  #take({ id: page }, basePath, port) {
    const client = new PortClient(port);
    this.#offers = this.#offers.filter((one) => one.page !== page || one.basePath !== basePath);
    this.#offers.push({ page, basePath, client });
    for (const wake of [...this.#waiting]) wake();
  }

  /**
   * @param {string} clientId
   * @param {string} basePath
   * @returns {Promise<PortClient | undefined>}
   */
  async #find(clientId, basePath) {
    await (this.#asked ??= this.#askAll());
    const end = Date.now() + FIRST_MS;
    for (;;) {
      this.#offers = this.#offers.filter(({ client }) => !client.isGone);
      const fitting = this.#offers.filter((one) => one.basePath === basePath);
      // A page that has a server of its own keeps to it.
      const offer = fitting.find(({ page }) => page === clientId) ?? fitting.at(-1);
      if (offer !== undefined || Date.now() >= end) return offer?.client;
      await this.#nextOffer(end - Date.now());
    }
  }

  async #askAll() {
    const pages = await this.#clients.matchAll({ type: "window", includeUncontrolled: true });
    for (const page of pages) page.postMessage({ weft: "ask" });
    const end = Date.now() + ROUND_MS;
    const isMissing = () => pages.some(({ id }) => !this.#offers.some(({ page }) => page === id));
    while (isMissing() && Date.now() < end) await this.#nextOffer(end - Date.now());
  }

  /** @param {number} ms */
  #nextOffer(ms) {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve(undefined);
      };
      const timer = setTimeout(wake, ms);
      this.#waiting.add(wake);
    });
  }
}
