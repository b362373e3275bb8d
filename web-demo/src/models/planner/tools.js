// SPDX-License-Identifier: MIT
// Finds what the bound tools are for, by their names and schemas. Must not know: sentences.

/**
 * @typedef {{ name: string, parameters: any }} Tool
 * @typedef {{ order?: Tool, saveNote?: Tool, listNotes?: Tool, findNotes?: Tool, clock?: Tool,
 *   calculator?: Tool }} Tools
 */

/** @type {[keyof Tools, RegExp][]} */
const NAMES = [
  ["saveNote", /^(?:save|add|write|create)_?note$/i],
  ["listNotes", /^(?:list|show|read)_?notes$/i],
  ["findNotes", /^(?:find|search)_?notes$/i],
  ["clock", /^(?:clock|time|current_?time|now)$/i],
  ["calculator", /^(?:calc\w*|arithmetic|math)$/i],
  ["order", /^(?:(?:place|make)_?)?order$|^buy$|^purchase$/i],
];

/** @param {any[]} declared in OpenAI's form @returns {Tools} */
export function toolsOf(declared) {
  /** @type {Tools} */
  const found = {};
  for (const item of declared) {
    const { name, parameters = {} } = item?.function ?? {};
    const [use] = NAMES.find(([, pattern]) => pattern.test(String(name))) ?? [];
    if (use !== undefined) found[use] ??= { name, parameters };
  }
  return found;
}

/**
 * The name of the first property that fits.
 * @param {Tool} tool @param {RegExp} name @param {string[]} types
 * @returns {{ name: string, schema: any } | undefined}
 */
export function propertyOf(tool, name, types) {
  const all = Object.entries(tool.parameters.properties ?? {});
  const fitting = all.filter(([, schema]) => types.includes(schema?.type));
  const found = fitting.find(([key]) => name.test(key)) ?? fitting[0];
  return found && { name: found[0], schema: found[1] };
}

/** Required properties besides these. @param {Tool} tool @param {(string | undefined)[]} known */
export function othersOf(tool, known) {
  return (tool.parameters.required ?? []).filter(
    (/** @type {string} */ name) => !known.includes(name),
  );
}
