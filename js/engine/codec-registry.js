// SPDX-License-Identifier: MIT
// Keeps the codecs that users register for instances of their own classes. Owns the list. Does not
// depend on the format.
import { makeError } from "../base/errors.js";
import { ERR_ARGUMENT } from "../base/codes.js";

/**
 * @typedef {{ name: string, is: (value: unknown) => boolean, encode: (value: unknown) => unknown,
 *   decode: (parts: unknown) => unknown }} Codec
 */

/** @type {Map<string, Codec>} */
const codecs = new Map();

/**
 * Registers a codec: instances for which `is` returns true are stored as `encode` returns them (any
 * storable value) and restored by `decode`. A second codec of the same name replaces the first.
 * @template Instance, Parts
 * @param {string} name
 * @param {import("../types/index.js").Codec<Instance, Parts>} codec
 */
export function registerCodec(name, codec) {
  const isUsable = typeof name === "string" && name !== "" && typeof codec?.is === "function";
  if (!isUsable || typeof codec.encode !== "function" || typeof codec.decode !== "function") {
    throw makeError(ERR_ARGUMENT, ["a codec has a name and the functions is, encode, decode"]);
  }
  const { is, encode, decode } = /** @type {Codec} */ (/** @type {unknown} */ (codec));
  codecs.set(name, { name, is, encode, decode });
}

/**
 * @param {unknown} value
 * @returns {Codec | undefined}
 */
export function registered(value) {
  for (const codec of codecs.values()) if (codec.is(value)) return codec;
  return undefined;
}

/**
 * @param {string} name
 * @returns {Codec | undefined}
 */
export function codecNamed(name) {
  return codecs.get(name);
}
