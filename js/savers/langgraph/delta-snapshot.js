// SPDX-License-Identifier: MIT
// What of a DeltaChannel is saved now and then. Recognised by its name, so that two copies of the package understand each other.

export class DeltaSnapshot {
  lg_name = "DeltaSnapshot";

  /** @param {any} value */
  constructor(value) {
    this.value = value;
  }
}

/** @param {any} value @returns {value is DeltaSnapshot} */
export function isDeltaSnapshot(value) {
  return value !== null && typeof value === "object" && value.lg_name === "DeltaSnapshot";
}
