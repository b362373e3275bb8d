// SPDX-License-Identifier: MIT
// Defines the snapshot of a DeltaChannel. It is recognised by name, so that two copies of the
// package understand each other.

export class DeltaSnapshot {
  lg_name = "DeltaSnapshot";

  /** @param {unknown} value */
  constructor(value) {
    this.value = value;
  }
}

/** @param {unknown} value @returns {value is DeltaSnapshot} */
export function isDeltaSnapshot(value) {
  return (
    value !== null &&
    typeof value === "object" &&
    /** @type {{ lg_name?: unknown }} */ (value).lg_name === "DeltaSnapshot"
  );
}
