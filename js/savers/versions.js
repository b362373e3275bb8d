// SPDX-License-Identifier: MIT
// The order of channel versions, and the words of savers' configs and writes. Apart from checkpoints.js, so that the entry
// of the package does not carry what only savers' methods use.

/** @typedef {number | string} ChannelVersion */

/** Numbers of writes that stand for themselves, whatever their place in a batch. */
export const WRITES_IDX_MAP = { __error__: -1, __scheduled__: -2, __interrupt__: -3, __resume__: -4 };

/**
 * @param {ChannelVersion} a
 * @param {ChannelVersion} b
 */
export function compareChannelVersions(a, b) {
  if (typeof a === "number" && typeof b === "number") return Math.sign(a - b);
  return String(a).localeCompare(String(b));
}

/** @param {...ChannelVersion} versions */
export function maxChannelVersion(...versions) {
  return versions.reduce((max, version, index) => (index === 0 || compareChannelVersions(max, version) < 0 ? version : max));
}

/** @param {any} config */
export function getCheckpointId(config) {
  return config.configurable?.checkpoint_id || config.configurable?.thread_ts || "";
}

/** The place of a write among those of a superstep. @param {string} taskPath @param {string} [taskId] @param {number} [idx] @returns {readonly [string, string, number]} */
export function writesSortKey(taskPath, taskId = "", idx = 0) {
  return [taskPath, taskId, idx];
}

/** By code point, as Python does. @param {string} a @param {string} b */
function compareTexts(a, b) {
  if (a === b) return 0;
  const others = [...b];
  let at = 0;
  for (const letter of a) {
    const other = others[at++];
    if (other === undefined) return 1;
    if (letter !== other) return /** @type {number} */ (letter.codePointAt(0)) - /** @type {number} */ (other.codePointAt(0)) < 0 ? -1 : 1;
  }
  return -1;
}

/** @param {readonly [string, string, number]} a @param {readonly [string, string, number]} b @returns {number} */
export function compareWritesSortKeys(a, b) {
  return compareTexts(a[0], b[0]) || compareTexts(a[1], b[1]) || a[2] - b[2];
}
