// SPDX-License-Identifier: MIT
// As much of node:crypto as file savers need. The page's own SHA-256 answers later, Node's at once.
import { sha256 } from "@noble/hashes/sha2.js";
import { Bytes, bytesOf } from "./bytes.js";

/** @param {number} size @returns {Bytes} */
export const randomBytes = (size) => crypto.getRandomValues(new Bytes(size));

/** @param {string} name */
export function createHash(name) {
  if (name !== "sha256") throw new Error(`"${name}" is not on this site: it has sha256.`);
  const state = sha256.create();
  const hash = {
    /** @param {string | Uint8Array} data */
    update(data) {
      state.update(bytesOf(data));
      return hash;
    },
    /** @param {"hex"} [encoding] */
    digest(encoding) {
      const digest = bytesOf(state.digest());
      return encoding === undefined ? digest : digest.toString(encoding);
    },
  };
  return hash;
}
