// SPDX-License-Identifier: MIT
// Defines the special channel names that savers find in stored data, and ids made from names.
import { uuid5 as uuidOfName, uuidBytes } from "../../log/hashed-ids.js";

/** Partition of a store that keeps logs while they are cut. */
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
