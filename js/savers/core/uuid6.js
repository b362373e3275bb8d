// SPDX-License-Identifier: MIT
// Makes checkpoint ids like LangGraph's. Owns the last time used.

/** @type {bigint | undefined} */
let lastTick;

/**
 * Makes a UUID of version 6: later ones are greater.
 * @param {number} sequence superstep that it is for
 * @returns {string}
 */
export function uuid6(sequence) {
  const now = BigInt(Date.now()) * 10000n;
  lastTick = lastTick === undefined || now > lastTick ? now : lastTick + 1n;
  const time = (lastTick + 0x01b21dd213814000n).toString(16).padStart(15, "0");
  const clock =
    (((sequence >> 8) | 0x80) & 0xff).toString(16).padStart(2, "0") +
    (sequence & 0xff).toString(16).padStart(2, "0");
  const node = crypto.randomUUID().slice(24);
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-6${time.slice(12)}-${clock}-${node}`;
}
