// SPDX-License-Identifier: MIT
// Refuses a call with a saver but without a thread to save in. Does not depend on runs.
import { isCommand } from "../base/constants.js";
import { ERR_EMPTY_INPUT } from "../base/codes.js";
import { writeOutput } from "../plan/writes.js";
import { makeError } from "../base/errors.js";
import { checkIdentifier, required } from "../savers/core/identifier.js";
import { commandRequest, writeInput } from "./input.js";

/** Discards all writes. */
const NOWHERE = /** @type {import("../run/tasks/entries.js").Entries} */ (
  new Proxy({}, { get: () => () => {} })
);

/**
 * Reports errors of the input first.
 * @param {import("../plan/definition.js").Plan} plan
 * @param {unknown} input
 */
function checkUnsaved(plan, input) {
  if (isCommand(input)) commandRequest(plan, input, true);
  else if (input === null || input === undefined)
    throw makeError(ERR_EMPTY_INPUT, [plan.definition.input ?? '"__start__"']);
  else if (plan.writeInput === undefined && (typeof input !== "object" || Array.isArray(input)))
    void writeOutput(plan, plan.nodes[0], { writes: NOWHERE }, input);
  else writeInput(plan, NOWHERE, input);
}

/**
 * Refuses the config.
 * @param {import("../base/merge-configs.js").Config} config
 * @param {import("../plan/definition.js").Plan} [plan] of a call
 * @param {unknown} [input]
 * @param {object} [saver]
 * @returns {unknown} always throws
 */
export function refuseUnnamed({ configurable }, plan, input, saver) {
  const { thread_id: threadId, checkpoint_id: id } = configurable ?? {};
  if (threadId !== undefined) {
    const isMemory = "storage" in /** @type {object} */ (saver);
    checkIdentifier("thread_id", threadId, false, isMemory);
    checkIdentifier("checkpoint_id", id, false, isMemory);
  }
  if (plan !== undefined) checkUnsaved(plan, input);
  return required({}, "thread_id", isCommand(input) ? "writes" : "checkpoint");
}
