// SPDX-License-Identifier: MIT
// The words that savers find in what they store, and the ids that are made from names.
import { uuid5 as uuidOfName, uuidBytes } from "../../log/hash.js";

/** The partition of a store in which logs lie that are being cut. */
export const ROLLBACK = "rollback";

export const ERROR = "__error__";
export const INTERRUPT = "__interrupt__";
export const RESUME = "__resume__";
export const SCHEDULED = "__scheduled__";
export const TASKS = "__pregel_tasks";

/** @param {string} name @param {string} namespace a UUID */
export function uuid5(name, namespace) {
  const bytes = uuidBytes(namespace);
  if (bytes === undefined) throw new TypeError("Invalid UUID");
  return uuidOfName(name, bytes);
}
