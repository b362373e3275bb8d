// SPDX-License-Identifier: MIT
// Random ids for host code that runs outside of a run. Draws nothing at import.
import { randomUuidOf } from "./hex.js";

/** @returns {string} a UUID of version 4; pages without a secure context have no crypto.randomUUID */
export function randomUuid() {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return randomUuidOf(crypto.getRandomValues(new Uint8Array(16)));
}
