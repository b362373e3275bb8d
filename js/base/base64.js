// SPDX-License-Identifier: MIT
// Converts bytes to base64.

/** @typedef {import("./callable.js").Value} Value */

const CHUNK = 0x8000;

/**
 * @param {Value} value an ArrayBuffer or a view
 * @returns {string} base64
 */
export function bytesToText(value) {
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
  let text = "";
  for (let i = 0; i < bytes.length; i += CHUNK)
    text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return btoa(text);
}
