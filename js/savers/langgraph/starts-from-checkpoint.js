// SPDX-License-Identifier: MIT
// Tells whether a run goes on from a checkpoint of its choice.

/**
 * Does a run, or one around it, start from a checkpoint of its choice?
 * @param {import("../../run/run.js").Run} run
 * @returns {boolean}
 */
export function travels({ request: { checkpointId, checkpointMap, parent } }) {
  return (
    checkpointId !== undefined ||
    checkpointMap !== undefined ||
    (parent !== undefined && travels(parent.run))
  );
}
