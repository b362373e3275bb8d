// SPDX-License-Identifier: MIT
// Loads this host's engine, by the conditions of the package's import "#load"; a bundler that reads
// none (Parcel) uses load-inline.js instead, by `alias` in package.json.
export { INSTANCES, MEMORY_LIMIT, fillRandom, loadEngine } from "#load";
