// SPDX-License-Identifier: MIT
// Binds tools to models that bring tools, and to models inside LangChain's bindings and sequences.
// Loaded when an agent has such a model.

/** @typedef {import("../../models/base.js").ModelLike} ModelLike */
/** @typedef {(first: ModelLike, next: ModelLike) => ModelLike} Pipe */
/** @typedef {{ name?: string }} Named */

/**
 * Binds the agent's tools to a model that has tools or contains another model.
 * @param {ModelLike} llm
 * @param {readonly unknown[] | undefined} bound the model's own tools
 * @param {readonly unknown[]} tools the agent's tools
 * @param {Pipe} pipe
 * @param {Record<string, unknown>} [options] of each call
 * @returns {ModelLike | Promise<ModelLike>}
 */
export function bindInside(llm, bound, tools, pipe, options) {
  if (bound !== undefined) {
    checkBound(bound, tools);
    return llm;
  }
  const ready = withTools(llm, tools, pipe, options);
  if (ready === undefined) throw new Error(`llm ${llm} must define bindTools method.`);
  return ready;
}

/** @param {unknown} tool @returns {string | undefined} */
function nameOf(tool) {
  const known = /** @type {Named & { function?: Named } | null | undefined} */ (tool);
  return known?.function?.name ?? known?.name;
}

/** @param {readonly unknown[]} bound @param {readonly unknown[]} tools */
function checkBound(bound, tools) {
  if (bound.length !== tools.length)
    throw new Error(
      "Number of tools in the model.bindTools() and tools passed to createReactAgent must match",
    );
  const names = new Set(bound.map(nameOf));
  const missing = tools.map(nameOf).filter((name) => !names.has(name));
  if (missing.length > 0) {
    throw new Error(
      `Missing tools '${missing.join(",")}' in the model.bindTools().Tools in the model.bindTools() must match the tools passed to createReactAgent.`,
    );
  }
}

// Searches LangChain's bindings and sequences, which may contain the model.
/**
 * @param {ModelLike} llm
 * @param {readonly unknown[]} tools
 * @param {Pipe} pipe
 * @param {Record<string, unknown>} [options]
 * @returns {ModelLike | undefined} undefined when no model inside takes tools
 */
function withTools(llm, tools, pipe, options) {
  if (typeof llm?.bindTools === "function") return llm.bindTools(tools, options);
  if (llm?.bound !== undefined) {
    const inner = withTools(llm.bound, tools, pipe, options);
    return typeof inner?.withConfig === "function"
      ? inner.withConfig({ ...llm.kwargs, ...llm.config })
      : inner;
  }
  if (!Array.isArray(llm?.steps)) return undefined;
  /** @type {ModelLike[]} */
  const steps = llm.steps;
  const ready = steps.map((step) => withTools(step, tools, pipe, options));
  const at = ready.findIndex((step) => step !== undefined);
  if (at < 0) return undefined;
  if (llm.around !== undefined) return llm.around(ready[at]); // a model of withAgentName
  const chosen = /** @type {ModelLike} */ (ready[at]);
  return steps.map((step, index) => (index === at ? chosen : step)).reduce(pipe);
}
