// SPDX-License-Identifier: MIT
// Checks the savers' option `keep`, which says which checkpoints stay. The code that prunes is
// loaded when a run has ended.
import { ERR_ARGUMENT } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";

/** @typedef {{ last?: number, days?: number, pinned?: readonly string[] }} Keep */
/**
 * @typedef {Keep & { every?: number, onError?: (error: unknown, threadId: string) => void }}
 *   KeepOptions
 */

/** @param {unknown} given @returns {asserts given is KeepOptions} */
export function checkKeep(given) {
  const { last, days, pinned = [], every = 1 } = /** @type {Partial<KeepOptions>} */ (given ?? {});
  const isCount = (/** @type {unknown} */ value) =>
    Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < 2 ** 32;
  const wrong =
    last === undefined && days === undefined
      ? "say what to keep: { last } or { days }"
      : last !== undefined && !isCount(last)
        ? "`last` is a positive integer"
        : days !== undefined && !(days > 0)
          ? "`days` is a positive number"
          : !Array.isArray(pinned) ||
              pinned.some((id) => !/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))
            ? "`pinned` is a list of checkpoint ids"
            : !isCount(every)
              ? "`every` is a positive integer"
              : undefined;
  if (wrong !== undefined) throw makeError(ERR_ARGUMENT, [wrong]);
}
