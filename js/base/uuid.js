// SPDX-License-Identifier: MIT
// Formats bytes as hex digits, and ids in the form of UUIDs.

const HEX = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i++) text += HEX[bytes[i]];
  return text;
}

/** @param {Uint8Array} bytes 16 of them */
export function uuidOf(bytes) {
  let text = "";
  for (let i = 0; i < 16; i++)
    text += i === 4 || i === 6 || i === 8 || i === 10 ? `-${HEX[bytes[i]]}` : HEX[bytes[i]];
  return text;
}

/** Makes a UUID of version 4. @param {Uint8Array} bytes 16 random ones, modified in place */
export function randomUuidOf(bytes) {
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return uuidOf(bytes);
}

/**
 * @returns {string} a random UUID of version 4, also on pages without a secure context, which have
 *   no crypto.randomUUID
 */
export function randomUuid() {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return randomUuidOf(crypto.getRandomValues(new Uint8Array(16)));
}
