// SPDX-License-Identifier: MIT
// Knows: LangGraph's rule for which errors may pass when a node is tried again. Must not know: runs.

/** Trying again does not mend these. */
const LASTING_STATUS = [400, 401, 402, 403, 404, 405, 406, 407, 409];

/** @param {any} error @returns {boolean} LangGraph's rule for policies without one */
export function isPassing(error) {
  if (typeof error !== "object" || error === null) return false;
  const message = String(error.message);
  if (message.startsWith("Cancel") || message.startsWith("AbortError") || error.name === "AbortError" || error.name === "GraphValueError") return false;
  if (error.code === "ECONNABORTED" || error.error?.code === "insufficient_quota") return false;
  return !LASTING_STATUS.includes(Number(error.response?.status ?? error.status));
}
