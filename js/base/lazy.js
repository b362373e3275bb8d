// SPDX-License-Identifier: MIT
// Loads an optional part of the package at the first call of the feature that needs it, so that
// bundlers keep it out of a page's first load. Errors, retries, commits, approvals, parallel steps
// and state values must work without such a part.
import { makeError } from "./errors.js";
import { ERR_PART_NOT_LOADED } from "./codes.js";

/**
 * What this module reads of the realm, which depends on the runtime.
 * @typedef {{ AsyncLocalStorage: { snapshot: () => <Result>(call: () => Result) => Result } }}
 *   Hooks
 * @typedef {{ Deno?: object, process?: { getBuiltinModule?: (name: string) => Hooks | undefined }
 *   }} Realm
 */

const { Deno: deno, process } = /** @type {Realm} */ (globalThis);
/**
 * Deno (2.9) keeps the AsyncLocalStorage context of the caller of import() for all later code: a
 * server's next request would run in the scope of the task that first loaded a part. So Weft's
 * imports run outside of every scope.
 */
const outside =
  deno && process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage.snapshot();

/** @template Module */
export class LazyModule {
  #name;
  #import;
  /** The module's exports, once loaded. @type {Module | undefined} */
  loaded;

  /**
   * @param {string} name of the feature, for the error text
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
