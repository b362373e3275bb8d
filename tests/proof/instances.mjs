// SPDX-License-Identifier: MIT
// Every instance of the engine that this process makes, with its calls in our hands: preloaded or
// imported before the package is used. Code that the engine does not vouch for sees what an
// instance's exports are replaced by.
const Real = WebAssembly.Instance;

/**
 * Called with each export's name, the function and its arguments; answers in its place.
 * @type {{ call?: (name: string, real: Function, args: any[], memory: WebAssembly.Memory) => any,
 *   memory?: (memory: WebAssembly.Memory) => any }}
 */
export const hooks = {};

WebAssembly.Instance = function Instance(module, imports) {
  const real = new Real(module, imports);
  if (typeof real.exports.weft_abi !== "function") return real;
  const { memory } = real.exports;
  const wrap = ([name, value]) => [
    name,
    typeof value === "function"
      ? (...args) => hooks.call?.(name, value, args, memory) ?? (hooks.call ? 0 : value(...args))
      : (hooks.memory?.(memory) ?? memory),
  ];
  return { exports: Object.fromEntries(Object.entries(real.exports).map(wrap)) };
};
WebAssembly.Instance.prototype = Real.prototype;
