// SPDX-License-Identifier: MIT
// Tells whether a run starts from a chosen checkpoint.

/**
 * Checks whether a run or one of its parents starts from a chosen checkpoint.
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
