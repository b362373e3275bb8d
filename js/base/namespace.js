// SPDX-License-Identifier: MIT
// Splits and joins checkpoint namespaces: labels `node:id`, and a number for a further graph of the
// same node, joined by "|". The engine makes those of tasks (src/run/host/ids_and_namespaces.c).

/**
 * Metadata that a node's calls get; a path ends with the path of the calling task.
 * @typedef {{ langgraph_path?: any[], langgraph_checkpoint_ns?: string }} NodeMetadata
 */

const BETWEEN = "|";

/**
 * @param {string} text of a namespace
 * @returns {string[]} its labels, none at the root of a thread
 */
export function splitNamespace(text) {
  return text === "" ? [] : text.split(BETWEEN);
}

/** @param {readonly string[]} labels @returns {string} the text of the namespace */
export function joinNamespace(labels) {
  return labels.join(BETWEEN);
}

/**
 * @param {string} outer a namespace
 * @param {string} label of the child
 * @returns {string}
 */
export function innerNamespace(outer, label) {
  return outer === "" ? label : `${outer}${BETWEEN}${label}`;
}

/**
 * Returns the namespace of the graph whose node made the call, directly or through task() calls.
 * @param {unknown} metadata of a model, a message or a tool
 * @returns {string[]}
 */
export function graphNamespace(metadata) {
  let calls = 0;
  const given = /** @type {NodeMetadata | undefined} */ (metadata);
  for (let path = given?.langgraph_path; Array.isArray(path) && path[3] === true; path = path[1])
    calls++;
  return nodeNamespace(metadata).slice(0, -1 - calls);
}

/**
 * Returns the namespace of the node that made the call.
 * @param {unknown} metadata of a model, a message or a tool
 * @returns {string[]}
 */
export function nodeNamespace(metadata) {
  const given = /** @type {NodeMetadata | undefined} */ (metadata);
  return (given?.langgraph_checkpoint_ns ?? "").split(BETWEEN);
}

/** Removes ids and counts from a namespace: only names of nodes stay. @param {string} namespace */
export function namesOf(namespace) {
  return joinNamespace(
    splitNamespace(namespace)
      .filter((part) => !/^\d+$/.test(part))
      .map((part) => part.split(":")[0]),
  );
}
