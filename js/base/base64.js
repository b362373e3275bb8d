// SPDX-License-Identifier: MIT
// Converts bytes to base64.

const CHUNK = 0x8000;

/**
 * @param {ArrayBuffer | ArrayBufferView} value
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
