// SPDX-License-Identifier: MIT
// Tells a page that asks when any thread has changed, by this tab or by another one. Owns the
// listener.
import { watchThreads } from "weftgraph/savers/watch";

let count = 0;
let isListening = false;
/** @type {((count: number) => void)[]} */
let waiting = [];

/**
 * @param {number} seen the count that the page knows; another worker counts from 0 again
 * @param {import("weftgraph/savers/own").WeftSaver} saver
 * @returns {number | Promise<number>} how many changes there were, once it is another number
 */
export function changesSince(seen, saver) {
  if (!isListening) watchThreads(saver, heard);
  isListening = true;
  return seen === count ? new Promise((resolve) => waiting.push(resolve)) : count;
}

function heard() {
  count++;
  const told = waiting;
  waiting = [];
  for (const tell of told) tell(count);
}
