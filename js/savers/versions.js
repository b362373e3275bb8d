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
