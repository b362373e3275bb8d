// SPDX-License-Identifier: MIT
// Says which file a sample was imported from, by its digest. Does not depend on what the file
// holds.

/**
 * Reads the file behind a sample's module, as this worker's import did.
 * @param {unknown} name
 * @returns {Promise<{ sha256: string }>}
 */
export async function sourceOf(name) {
  if (typeof name !== "string" || !/^[\w-]+$/.test(name)) throw new TypeError("no such sample");
  const response = await fetch(new URL(`../samples/${name}.js`, import.meta.url));
  if (!response.ok) throw new TypeError(`no sample ${name}`);
  const digest = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
  return { sha256: hexOf(digest) };
}

/** @param {ArrayBuffer} bytes */
const hexOf = (bytes) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
