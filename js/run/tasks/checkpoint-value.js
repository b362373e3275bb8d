// SPDX-License-Identifier: MIT
// Decodes values of a thread's log; the error about a damaged one names the thread.
import { makeError } from "../../base/errors.js";
import { ERR_LOG_CORRUPT } from "../../base/codes.js";
import { DamagedValue, decodeValue } from "../../engine/decode.js";

/**
 * Decodes the value of a text from the thread's log.
 * @param {import("../run.js").Run} run
 * @param {string | undefined} text
 * @returns {unknown}
 */
export function valueOf(run, text) {
  if (run.thread?.decode !== undefined) return run.thread.decode(text);
  try {
    return decodeValue(text);
  } catch (error) {
    if (!(error instanceof DamagedValue)) throw error;
    throw makeError(ERR_LOG_CORRUPT, [run.request.threadId ?? "", "of a value", error.message], {
      cause: error,
    });
  }
}
