// SPDX-License-Identifier: MIT
// Measures the time in the engine's own calls, apart from that of nodes, storage and waiting: each
// export of a WebAssembly module is timed that is started after measureEngine().

let spentMs = 0;
/** Calls inside a call are a part of it. */
let depth = 0;

/** @returns {number} ms since the worker started */
export const engineMs = () => spentMs;

/** Times what is started from now on. */
export function measureEngine() {
  const { Instance, instantiate } = WebAssembly;
  WebAssembly.Instance = /** @type {typeof Instance} */ (
    /** @type {unknown} */ (
      class {
        /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} imports */
        constructor(module, imports) {
          this.exports = timed(new Instance(module, imports).exports);
        }
      }
    )
  );
  WebAssembly.instantiate = /** @type {typeof instantiate} */ (
    async (/** @type {any} */ source, /** @type {WebAssembly.Imports} */ imports) => {
      /** @type {any} */
      const made = await instantiate(source, imports);
      if (made.instance === undefined) return { exports: timed(made.exports) };
      return { ...made, instance: { exports: timed(made.instance.exports) } };
    }
  );
}

/** @param {WebAssembly.Exports} exports @returns {WebAssembly.Exports} */
function timed(exports) {
  return Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [
      name,
      typeof value === "function" ? timedCall(/** @type {any} */ (value)) : value,
    ]),
  );
}

/** @param {(...values: unknown[]) => unknown} call */
function timedCall(call) {
  return (/** @type {unknown[]} */ ...values) => {
    const begun = performance.now();
    depth++;
    try {
      return call(...values);
    } finally {
      if (--depth === 0) spentMs += performance.now() - begun;
    }
  };
}
