// SPDX-License-Identifier: MIT
// Chooses how the servers' tabs are loaded, by the conditions of the package's import
// "#server-tabs"; Parcel, which reads none, uses lazy-tabs.js, by `alias` in package.json.
export { TABS } from "#server-tabs";
