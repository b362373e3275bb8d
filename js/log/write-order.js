// SPDX-License-Identifier: MIT
// Orders the writes of a step when they are listed and applied. Does not depend on records.

/** Fixed numbers of special writes, whatever their place in a batch. */
export const WRITES_IDX_MAP = {
  __error__: -1,
  __scheduled__: -2,
  __interrupt__: -3,
  __resume__: -4,
};

/**
 * Returns the sort key of a write in a superstep.
 * @param {string} taskPath
 * @param {string} [taskId]
 * @param {number} [idx]
 * @returns {readonly [string, string, number]}
 */
export function writesSortKey(taskPath, taskId = "", idx = 0) {
  return [taskPath, taskId, idx];
}

/** Compares by code point, as Python does. @param {string} a @param {string} b */
function compareTexts(a, b) {
  if (a === b) return 0;
  const others = [...b];
  let at = 0;
  for (const letter of a) {
    const other = others[at++];
    if (other === undefined) return 1;
    if (letter !== other)
      return /** @type {number} */ (letter.codePointAt(0)) -
        /** @type {number} */ (other.codePointAt(0)) <
        0
        ? -1
        : 1;
  }
  return -1;
}

/**
 * @param {readonly [string, string, number]} a
 * @param {readonly [string, string, number]} b
 * @returns {number}
 */
export function compareWritesSortKeys(a, b) {
  return compareTexts(a[0], b[0]) || compareTexts(a[1], b[1]) || a[2] - b[2];
}

/**
 * @template {[taskId: string, channel: string, value: unknown, taskPath?: string]} Write
 * @param {Iterable<[place: string, write: Write]>} held by `<task id>,<number>`
 * @returns {Write[]} in their order
 */
export function inOrder(held) {
  const keyed = Array.from(held, ([place, write]) => ({
    key: writesSortKey(write[3] ?? "", write[0], Number(place.slice(place.lastIndexOf(",") + 1))),
    write,
  }));
  return keyed.sort((a, b) => compareWritesSortKeys(a.key, b.key)).map(({ write }) => write);
}
