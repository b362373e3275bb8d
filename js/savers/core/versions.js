// SPDX-License-Identifier: MIT
// Compares channel versions and reads savers' configs. Separate from checkpoints.js, so that the
// package's entry contains no code that only savers' methods use.

/** @typedef {import("../../base/merge-configs.js").Config} Config */

/** @typedef {number | string} ChannelVersion */

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
  return versions.reduce((max, version, index) =>
    index === 0 || compareChannelVersions(max, version) < 0 ? version : max,
  );
}

/** @param {Config} config */
export function getCheckpointId(config) {
  return config.configurable?.checkpoint_id || config.configurable?.thread_ts || "";
}
