// SPDX-License-Identifier: MIT
// Chooses how the rarely used part of the savers is loaded, by the conditions of the package's
// import "#saver-methods"; Parcel, which reads none, uses lazy-methods.js, by `alias` in
// package.json.
export { METHODS } from "#saver-methods";
