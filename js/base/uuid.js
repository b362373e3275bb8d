// SPDX-License-Identifier: MIT
// Bytes as hex digits, and ids in the form of UUIDs. Owns a table of digits; knows no meaning of
// any id.

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

/** A UUID of version 4. @param {Uint8Array} bytes 16 random ones, which it changes */
export function randomUuidOf(bytes) {
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return uuidOf(bytes);
}

/**
 * @returns {string} a random one of version 4; pages without a secure context have no
 *   crypto.randomUUID. Draws nothing at import
 */
export function randomUuid() {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return randomUuidOf(crypto.getRandomValues(new Uint8Array(16)));
}
