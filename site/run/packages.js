// SPDX-License-Identifier: MIT
// Names the file that holds a package's entry on the site.

/** @param {string} name such as "weftgraph/models/demo" or "node:fs/promises" */
export const fileOf = (name) => name.replace("@", "").replaceAll(/[/:]/g, "--");
