// SPDX-License-Identifier: MIT
// Knows: what a tool gets as its second argument: the node's config with the call, its id and the state (LangGraph's
// ToolRuntime). Nothing of the node's config is made before the tool reads it. Must not know tools or plans.

/** @param {any} target @param {PropertyKey} key @param {any} value */
function own(target, key, value) {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * @param {any} config the node's, or undefined outside of a graph
 * @param {any} call in LangChain's form, with its type
 * @param {any} state the node's input
 * @returns {any}
 */
export function makeCallConfig(config, call, state) {
  const base = config ?? {};
  const made = {};
  for (const key of Reflect.ownKeys(base)) {
    Object.defineProperty(made, key, { get: () => base[key], set: (value) => own(made, key, value), enumerable: true, configurable: true });
  }
  return Object.assign(made, { toolCall: call, toolCallId: call.id, state, config: base });
}
