// SPDX-License-Identifier: MIT
// Knows: how a schema of zod 3 or mini is shown to whoever answers a question. Must not know: questions.
import { fromZod3, isZod3 } from "./zod3.js";
import { fromZod4 } from "./zod4.js";

/** @param {any} schema */
export function printResponse(schema) {
  if (isZod3(schema)) return { ...closed(fromZod3(schema)), $schema: "http://json-schema.org/draft-07/schema#" };
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...fromZod4(schema) };
}

/** As LangChain prints zod 3: objects say that they drop what they do not name. @param {any} json @returns {any} */
function closed(json) {
  if (Array.isArray(json)) return json.map(closed);
  if (typeof json !== "object" || json === null) return json;
  const inner = Object.fromEntries(Object.entries(json).map(([key, value]) => [key, closed(value)]));
  return json.type === "object" && json.properties !== undefined && !("additionalProperties" in json) ? { ...inner, additionalProperties: false } : inner;
}
