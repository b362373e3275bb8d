// SPDX-License-Identifier: MIT
// As much of Node's Buffer as files and digests need.
import { bytesToHex } from "@noble/hashes/utils.js";

export class Bytes extends Uint8Array {
  /** @param {"utf8" | "utf-8" | "hex"} [encoding] */
  toString(encoding = "utf8") {
    if (encoding === "hex") return bytesToHex(this);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(this);
  }

  /** @param {number} at */
  readUInt32LE(at) {
    return new DataView(this.buffer, this.byteOffset).getUint32(at, true);
  }
}

/** @param {string | Uint8Array} data @returns {Bytes} a copy */
export const bytesOf = (data) =>
  new Bytes(typeof data === "string" ? new TextEncoder().encode(data) : data);
