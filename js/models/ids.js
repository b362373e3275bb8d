// SPDX-License-Identifier: MIT
// Makes the ids of a model's runs, messages and calls: those of the graph's run around the call,
// which a test may set, else random ones.
import { scopeOf } from "../base/ambient.js";
import { randomUuid } from "../base/uuid.js";

/** @typedef {import("../base/callable.js").Value} Value */

/**
 * @param {Value} config of the call
 * @returns {string} a UUID
 */
export function nextId(config) {
  return scopeOf(config)?.task?.run?.ids?.next() ?? randomUuid();
}

/**
 * Makes the id of a tool call that a service left without one.
 * @param {Value} config of the call
 */
export function nextCallId(config) {
  return `call_${nextId(config).replaceAll("-", "").slice(0, 24)}`;
}
