// SPDX-License-Identifier: MIT
// Chooses how the views of events are loaded, by the conditions of the package's import
// "#event-views"; Parcel, which reads none, uses lazy-views.js, by `alias` in package.json.
export { EVENTS } from "#event-views";
