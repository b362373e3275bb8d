// SPDX-License-Identifier: MIT
// Knows: the JSON Schema of an answer that a node waits for, for whoever shows the question, from any zod. Only
// `interrupt` loads it. Must not know: runs.
import { fromZod3, isZod3 } from "../tools/zod3.js";
import { fromZod4, isZod4 } from "../tools/zod4.js";

/** @param {any} schema zod, or JSON Schema, which is handed on as it is @returns {any} */
export function printResponse(schema) {
  if (isZod4(schema)) return typeof schema.toJSONSchema === "function" ? schema.toJSONSchema() : { $schema: "https://json-schema.org/draft/2020-12/schema", ...fromZod4(schema) };
  return isZod3(schema) ? { ...closed(fromZod3(schema)), $schema: "http://json-schema.org/draft-07/schema#" } : schema;
}

/** As LangChain prints zod 3: objects say that they drop what they do not name. @param {any} json @returns {any} */
function closed(json) {
  if (Array.isArray(json)) return json.map(closed);
  if (typeof json !== "object" || json === null) return json;
  const inner = Object.fromEntries(Object.entries(json).map(([key, value]) => [key, closed(value)]));
  return json.type === "object" && json.properties !== undefined && !("additionalProperties" in json) ? { ...inner, additionalProperties: false } : inner;
}
