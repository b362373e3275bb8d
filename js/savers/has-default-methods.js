// SPDX-License-Identifier: MIT
// Whether a saver of ours does what its class does, so that graphs may work on its store instead. Owns nothing.
import { JsonPlusSerializer } from "./base-saver.js";

const METHODS = ["getTuple", "list", "put", "putWrites", "deleteThread", "getNextVersion"];

/**
 * Are a saver's methods and its serializer those that `home` made them?
 * @param {any} saver
 * @param {any} home a prototype
 */
export function isUntouched(saver, home) {
  return METHODS.every((name) => saver[name] === home[name]) && saver.serde?.constructor === JsonPlusSerializer;
}
