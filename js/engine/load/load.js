// SPDX-License-Identifier: MIT
// How this host has the engine: by the conditions of the package's import "#load"; a bundler that
// reads none (Parcel) takes load-inline.js in place of this file, as package.json says (`alias`).
export { INSTANCES, MEMORY_LIMIT, fillRandom, loadEngine } from "#load";
