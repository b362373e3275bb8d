// SPDX-License-Identifier: MIT
// Makes the names under which a model calls tools of MCP servers: model services allow fewer
// characters than MCP. Does not depend on what the tools do.

/** Maximum length that all model services take. */
const LONGEST = 64;

/**
 * Returns a name of letters, digits, `_` and `-`; a name that had to be cut ends in a hash of the
 * whole.
 * @param {string} name
 */
export function safeName(name) {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_");
  return plain.length <= LONGEST ? plain : withHash(plain, name);
}

/**
 * Gives each tool of a server its own name.
 * @param {readonly string[]} names the server's
 * @param {string | undefined} prefix
 * @returns {Map<string, string>} by the server's names
 */
export function toolNames(names, prefix) {
  const wanted = new Map(
    names.map((name) => [name, safeName(prefix === undefined ? name : `${prefix}__${name}`)]),
  );
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of wanted.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [original, name] of wanted)
    if (counts.get(name) !== 1 && original !== name) wanted.set(original, withHash(name, original));
  return wanted;
}

/** @param {string} name @param {string} whole */
function withHash(name, whole) {
  const hash = hashOf(whole);
  return `${name.slice(0, LONGEST - 1 - hash.length)}_${hash}`;
}

/** FNV-1a: names that differ get different endings, as a rule. @param {string} text */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(36).padStart(7, "0");
}
