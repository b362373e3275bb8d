// SPDX-License-Identifier: MIT
// What the smoke checks assert with, in runtimes without node:assert.

/** @param {unknown} value what JSON would say of it, with undefined fields left out */
const plain = (value) => (value === undefined ? "undefined" : JSON.stringify(value, sortKeys));

/** @param {string} _ @param {any} value */
function sortKeys(_, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Throws unless both say the same as JSON, whatever the order of keys. */
export function equal(actual, expected, what = "") {
  const [got, wanted] = [plain(actual), plain(expected)];
  if (got !== wanted) throw new Error(`${what} expected ${wanted}, got ${got}`);
}

/** Throws unless the condition holds. */
export function holds(condition, what) {
  if (!condition) throw new Error(`does not hold: ${what}`);
}

/**
 * Throws unless `run` throws or rejects with an error of that name whose text contains `text`;
 * gives the error.
 * @param {() => any} run
 * @param {{ name?: string, code?: string, text?: string }} wanted
 */
export async function fails(run, { name, code, text }) {
  let error;
  try {
    await run();
  } catch (thrown) {
    error = thrown;
  }
  if (error === undefined)
    throw new Error(`expected ${name ?? code ?? text}, but nothing was thrown`);
  if (name !== undefined) equal(error.name, name, `(${error.message})`);
  if (code !== undefined) equal(error.code, code, `(${error.message})`);
  if (text !== undefined)
    holds(String(error.message).includes(text), `"${error.message}" contains "${text}"`);
  return error;
}

/** All that an async iterable gives. */
export async function collect(stream) {
  const items = [];
  for await (const item of await stream) items.push(item);
  return items;
}

/** A turn of the event loop, so that what follows is after an await. */
export const later = (ms = 1) => new Promise((resolve) => setTimeout(resolve, ms));
