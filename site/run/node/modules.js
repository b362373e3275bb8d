// SPDX-License-Identifier: MIT
// Node's modules that a program finds in the page, each a stand-in of this folder, and what the
// page says beside what such a program printed.

/** @type {Record<string, string>} file of each, by the name that programs import */
export const STAND_INS = {
  "node:crypto": "crypto.js",
  "node:events": "events.js",
  "node:fs": "fs.js",
  "node:fs/promises": "fs-promises.js",
  "node:http": "http.js",
  "node:os": "os.js",
  "node:path": "path.js",
};

const FILES = ["node:fs", "node:fs/promises", "weftgraph/savers/file"];

/** @param {string[]} imports of a program @returns {string[]} */
export function differencesOf(imports) {
  return [
    ...(imports.some((name) => FILES.includes(name)) ? ["its files are in the tab's memory"] : []),
    ...(imports.includes("node:http") ? ["its port is inside the tab"] : []),
  ];
}
