// SPDX-License-Identifier: MIT
// Defines the snapshot of a DeltaChannel. It is recognised by name, so that two copies of the
// package understand each other.

/** @typedef {import("../../base/callable.js").Value} Value */

export class DeltaSnapshot {
  lg_name = "DeltaSnapshot";

  /** @param {unknown} value */
  constructor(value) {
    this.value = value;
  }
}

/** @param {Value} value @returns {value is DeltaSnapshot} */
export function isDeltaSnapshot(value) {
  return value !== null && typeof value === "object" && value.lg_name === "DeltaSnapshot";
}
