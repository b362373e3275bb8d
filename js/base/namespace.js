// SPDX-License-Identifier: MIT
// Reads the checkpoint namespaces that the metadata of a model, a message or a tool name: labels `node:id`, joined by "|".

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
