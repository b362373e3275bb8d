// SPDX-License-Identifier: MIT
// Brings what servers say into the forms that the views rely on. Must not know: how it is asked
// for.

/** @param {unknown} value @returns {any[]} the objects in it */
export const listOf = (value) =>
  Array.isArray(value) ? value.filter((one) => typeof one === "object" && one !== null) : [];

/**
 * A server's word for a state, in the form that the views rely on.
 * @param {any} state
 * @returns {import("./client.js").ThreadState}
 */
export function stateOf({
  values,
  next,
  tasks,
  metadata,
  created_at,
  checkpoint,
  parent_checkpoint,
}) {
  return {
    values: valuesOf(values),
    next: Array.isArray(next) ? next.map(String) : [],
    tasks: listOf(tasks).map((task) => ({
      ...task,
      name: String(task.name),
      interrupts: listOf(task.interrupts),
    })),
    metadata: { ...metadata, source: String(metadata?.source), step: Number(metadata?.step) },
    created_at: String(created_at),
    checkpoint: { ...checkpoint, checkpoint_id: String(checkpoint?.checkpoint_id) },
    parent_checkpoint: parent_checkpoint ?? null,
  };
}

/**
 * A workflow of functions has no channels: its state is what it returned last.
 * @param {unknown} values
 * @returns {Record<string, unknown>}
 */
function valuesOf(values) {
  if (values === undefined || values === null) return {};
  const isRecord = typeof values === "object" && !Array.isArray(values);
  return isRecord ? /** @type {Record<string, unknown>} */ (values) : { result: values };
}

/**
 * A server's word for a graph. What is no graph of nodes, as a workflow of functions, is drawn with
 * numbers for ids: its parts get the names that events of its runs have.
 * @param {any} drawn
 * @returns {import("./client.js").Drawing}
 */
export function drawingOf({ nodes, edges }) {
  const links = listOf(edges);
  /** @type {Map<unknown, string>} */
  const names = new Map();
  for (const { id, type, data } of listOf(nodes)) {
    if (typeof id !== "string" && typeof id !== "number") continue;
    const end = links.some(({ target }) => target === id) ? "__end__" : "__start__";
    const name = type === "schema" ? end : data?.name;
    const isGood = typeof name === "string" && ![...names.values()].includes(name);
    names.set(id, typeof id === "string" ? id : isGood ? name : String(id));
  }
  return {
    nodes: listOf(nodes)
      .filter(({ id }) => names.has(id))
      .map((node) => ({ ...node, id: names.get(node.id) })),
    edges: links.map((edge) => ({
      ...edge,
      source: names.get(edge.source) ?? edge.source,
      target: names.get(edge.target) ?? edge.target,
    })),
  };
}
