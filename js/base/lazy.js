// SPDX-License-Identifier: MIT
// A part of the package behind a feature that the caller names, imported by the first call that
// asks for it, so that bundlers keep it out of a page's first load. No error, retry, commit,
// approval, parallel step or state value may need one.
import { makeError } from "./errors.js";
import { ERR_PART_NOT_LOADED } from "./codes.js";

/** @typedef {import("./callable.js").Value} Value */

const { Deno: deno, process } = /** @type {Record<PropertyKey, Value>} */ (globalThis);
/**
 * Deno (2.9) goes on, in all that comes later, with the AsyncLocalStorage of whoever called an
 * import(): a server's next request would be inside of the task that was the first to need a part.
 * So ours are called outside of everything.
 */
const outside =
  deno && process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage.snapshot();

/** @template Module */
export class LazyModule {
  #name;
  #import;
  /** What it exports, once it is there. @type {Module | undefined} */
  loaded;

  /**
   * @param {string} name of the feature, as an error tells it
   * @param {() => Promise<Module>} load
   */
  constructor(name, load) {
    this.#name = name;
    this.#import = load;
  }

  /**
   * @returns {Promise<Module>}
   * @throws PART_NOT_LOADED with the host's error as `cause`, as when a page is open while its site
   *   is replaced; the next call tries again (Firefox remembers the failure until the page is
   *   reloaded)
   */
  async load() {
    if (this.loaded !== undefined) return this.loaded;
    try {
      return (this.loaded = await (outside ? outside(this.#import) : this.#import()));
    } catch (error) {
      throw makeError(
        ERR_PART_NOT_LOADED,
        [this.#name, error instanceof Error ? error.message : String(error)],
        { cause: error },
      );
    }
  }
}
