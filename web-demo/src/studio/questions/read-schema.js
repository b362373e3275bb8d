// SPDX-License-Identifier: MIT
// Finds a schema for the fields of an edit: the one that the request has, else one made of the
// arguments, so that a text is edited as a text. The engine checks the edit against the tool's own.

const TYPES = ["string", "number", "boolean"];

/** @param {{ schema: any, canonical: string }} request */
export function readSchema({ schema, canonical }) {
  if (typeof schema === "object" && schema !== null) return schema;
  const args = parsed(canonical);
  if (typeof args !== "object" || args === null || Array.isArray(args)) return undefined;
  const entries = Object.entries(args);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, value]) => [key, schemaOf(value)])),
    required: entries.map(([key]) => key),
  };
}

/** @param {unknown} value */
const schemaOf = (value) => (TYPES.includes(typeof value) ? { type: typeof value } : true);

/** @param {string} json @returns {unknown} */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
