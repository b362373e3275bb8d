// SPDX-License-Identifier: MIT
// Reads checkpoint namespaces: labels `node:id`, and a number for a further graph of one node, joined by "|".

/** Of the graph whose node called, itself or in calls of task(). @param {any} metadata of a model, a message or a tool @returns {string[]} */
export function graphNamespace(metadata) {
  let calls = 0;
  for (let path = metadata?.langgraph_path; Array.isArray(path) && path[3] === true; path = path[1]) calls++;
  return nodeNamespace(metadata).slice(0, -1 - calls);
}

/** Of the node that called. @param {any} metadata of a model, a message or a tool @returns {string[]} */
export function nodeNamespace(metadata) {
  return (metadata?.langgraph_checkpoint_ns ?? "").split("|");
}

/** A namespace without ids and counts: the names of nodes. @param {string} namespace */
export function namesOf(namespace) {
  return namespace.split("|").filter((part) => !/^\d+$/.test(part)).map((part) => part.split(":")[0]).join("|");
}
