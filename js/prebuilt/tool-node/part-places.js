// SPDX-License-Identifier: MIT
// By which number a part of a task's work is known, beside its name, so that it is found again after a question or a crash.
// Must not know what parts do.

/** Parts that an attempt at a task has begun, by name. @type {WeakMap<object, Map<string, number>>} */
const begun = new WeakMap();

/** How many of the name this attempt at the task has begun before. @param {any} task @param {string} name */
export function nextPlace(task, name) {
  const counts = begun.get(task) ?? new Map();
  const place = counts.get(name) ?? 0;
  begun.set(task, counts.set(name, place + 1));
  return place;
}
