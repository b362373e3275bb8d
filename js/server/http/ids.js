// SPDX-License-Identifier: MIT
// Makes the ids of threads and runs, which sort by time, and of a graph's own assistant.
import { randomUuid } from "../../base/uuid.js";
import { uuid5 } from "../../savers/core/constants.js";

const ASSISTANTS = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** Ids of one millisecond, which are counted so that they sort in the order of their making. */
const MOST_OF_MS = 4096;
let lastMs = 0;
let count = 0;

/** @returns {string} a UUID of version 7 */
export function newId() {
  const now = Date.now();
  if (now > lastMs) [lastMs, count] = [now, 0];
  else if (++count === MOST_OF_MS) [lastMs, count] = [lastMs + 1, 0];
  const time = lastMs.toString(16).padStart(12, "0");
  const place = count.toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${place}${randomUuid().slice(18)}`;
}

/** @param {string} graphId @returns {string} the id of the assistant that the graph is */
export function assistantIdOf(graphId) {
  return uuid5(graphId, ASSISTANTS);
}
