// SPDX-License-Identifier: MIT
// Ends a run: the engine's DONE becomes its result (for FAIL see step-commands.js).
import {
  COMMAND_RELEASE,
  DONE_HAS_CHECKPOINT,
  DONE_HAS_VALUES,
  DONE_INTERRUPTED,
  RUN_INVOKE,
} from "../base/codes.js";
import { keepMirror } from "./channel-mirror.js";

/** @typedef {import("./run.js").Run} Run */
/** @typedef {import("../engine/block.js").Block} Block */

/**
 * @param {Run} run
 * @param {Block} block
 */
export function done(run, block) {
  const flags = block.opFlags;
  const { kind, context } = run.request;
  const isAsked = kind !== RUN_INVOKE || context?.traces || context?.stream !== undefined;
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
 * Executes the releases after a run's last command.
 * @param {Run} run
 * @param {Block} block
 */
export function finishBlock(run, block) {
  const { slots } = run.engine;
  while (block.next()) {
    if (block.op === COMMAND_RELEASE) while (block.at < block.end) slots.release(block.word());
  }
}
