// SPDX-License-Identifier: MIT
// Knows: the JSON Schema of an answer that a node waits for, for whoever shows the question. Who brings zod brings its
// printer too. Owns that printer. Must not know: runs, zod.

/** @type {((schema: any) => any) | undefined} */
let printZod;

/** @param {(schema: any) => any} print for zod 3 and mini */
export function usePrinter(print) {
  printZod = print;
}

/** @param {any} schema */
export function isZod(schema) {
  return schema?._zod !== undefined || schema?._def?.typeName !== undefined;
}

/** Zod 4 prints itself, JSON Schema is one. @param {any} schema */
export function responseJson(schema) {
  if (typeof schema?.toJSONSchema === "function") return schema.toJSONSchema();
  return isZod(schema) ? (printZod?.(schema) ?? {}) : schema;
}
