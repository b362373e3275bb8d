// SPDX-License-Identifier: MIT
// How a run ends: the engine's DONE and FAIL become its result or its error. Owns nothing.
import { GraphDrained, makeError } from "../errors.js";
import { COMMAND_RELEASE, DONE_HAS_CHECKPOINT, DONE_HAS_VALUES, DONE_INTERRUPTED, ERR_DRAINED, ERR_HOST, ERR_LIMIT, RUN_INVOKE } from "../engine/codes.js";
import { channelError, hostError, overwriting } from "./failures.js";
import { keepMirror } from "./mirror.js";

/** @typedef {import("./pump.js").Run} Run */
/** @typedef {import("../engine/block.js").Block} Block */

/**
 * @param {Run} run
 * @param {Block} block
 */
export function done(run, block) {
  const flags = block.opFlags;
  const isAsked = run.request.kind !== RUN_INVOKE || run.request.context?.traces === true;
  const checkpointId = isAsked && (flags & DONE_HAS_CHECKPOINT) !== 0 ? block.uuid() : undefined;
  finishBlock(run, block);
  keepMirror(run);
  run.finish({
    state: () => run.mirror.pick(run.graph.output),
    interrupted: run.stopped || (flags & DONE_INTERRUPTED) !== 0,
    interrupts: run.interrupts,
    breakpoint: run.breakpoint,
    hasValues: (flags & DONE_HAS_VALUES) !== 0,
    checkpointId,
  });
}

/**
 * @param {Run} run
 * @param {Block} block
 */
export function fail(run, block) {
  const status = block.int();
  const tasks = [];
  for (let count = block.word(); count > 0; count--) tasks.push(block.word());
  const words = [];
  for (let count = block.word(); count > 0; count--) words.push(block.string());
  const values = [];
  for (let count = block.word(); count > 0; count--) values.push(run.engine.slots.toValue(block.word()));
  for (let i = 0; i < values.length && block.at < block.end; i++) if (block.word() === 1) values[i] = overwriting(values[i]);
  finishBlock(run, block);
  if (status === ERR_HOST) run.lose(hostError(run, tasks, words));
  else if (status === ERR_LIMIT) run.lose(run.request.limits?.late());
  else if (status === ERR_DRAINED) run.lose(new GraphDrained(run.request.context.control.drainReason));
  else run.lose(words.length === 2 ? channelError(status, words, values) : makeError(status, words));
}

/**
 * What stands behind the end of a run: the releases.
 * @param {Run} run
 * @param {Block} block
 */
function finishBlock(run, block) {
  const { slots } = run.engine;
  while (block.next()) {
    if (block.op === COMMAND_RELEASE) while (block.at < block.end) slots.release(block.word());
  }
}
