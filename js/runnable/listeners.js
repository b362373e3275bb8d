// SPDX-License-Identifier: MIT
// Notifies a Runnable's listeners of its runs, with records in a tracer's form. Does not depend on
// Runnables.
import { randomUuid } from "../base/uuid.js";

/**
 * @typedef {(run: Record<string, unknown>, config: Record<string, unknown>) => unknown} Listener
 */
/** @typedef {{ onStart?: Listener, onEnd?: Listener, onError?: Listener }} Listeners */

/**
 * @param {Listeners} listeners
 * @param {string} name
 * @param {unknown} inputs
 * @param {Record<string, unknown>} config
 * @param {(config: Record<string, unknown>) => unknown} run
 * @returns {Promise<unknown>}
 */
export async function watchRun({ onStart, onEnd, onError }, name, inputs, config, run) {
  const { runId = randomUuid(), runName = name, tags = [], metadata = {} } = config;
  const record = {
    id: runId,
    name: runName,
    run_type: "chain",
    start_time: Date.now(),
    inputs,
    tags,
    extra: { metadata },
    child_runs: [],
  };
  await onStart?.(record, config);
  try {
    const outputs = await run(config);
    await onEnd?.({ ...record, end_time: Date.now(), outputs }, config);
    return outputs;
  } catch (error) {
    await onError?.({ ...record, end_time: Date.now(), error: textOf(error) }, config);
    throw error;
  }
}

/** @param {unknown} error */
function textOf(error) {
  return error instanceof Error
    ? `${error.message}${error.stack === undefined ? "" : `\n\n${error.stack}`}`
    : String(error);
}
