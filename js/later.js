// SPDX-License-Identifier: MIT
// A part of the package that few programs need: loaded by the first call that does, so that bundlers lay it aside, and
// there without a wait from then on.

const { Deno: deno, process } = /** @type {any} */ (globalThis);
/**
 * Deno (2.9) goes on, in all that comes later, with the AsyncLocalStorage of whoever called an import(): a server's next
 * request would be inside of the task that was the first to need a part. So ours are called outside of everything.
 */
const outside = deno && process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage.snapshot();

/** @template Module */
export class Later {
  /** What it exports, once it is there. @type {Module} */
  now = /** @type {any} */ (undefined);

  /** @param {() => Promise<Module>} [load] */
  constructor(load) {
    /** Where it is: for a part that builds on who needs it, said by who stands above both. */
    this.load = /** @type {() => Promise<Module>} */ (load);
  }

  /** @returns {Promise<void> | undefined} nothing to wait for: it is there */
  need() {
    return this.now === undefined ? this.#wait() : undefined;
  }

  async get() {
    await this.need();
    return this.now;
  }

  async #wait() {
    this.now = await (outside ? outside(this.load) : this.load());
  }
}

/** @param {Later<any>[]} parts @returns {Promise<any> | undefined} */
export function needAll(parts) {
  return parts.some(({ now }) => now === undefined) ? Promise.all(parts.map((part) => part.need())) : undefined;
}

/** What few runs need (js/rare.js): js/graph/compiled.js says where it is. @type {Later<typeof import("./rare.js")>} */
export const RARE = /* @__PURE__ */ new Later();
