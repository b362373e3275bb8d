// SPDX-License-Identifier: MIT
// Describes a graph's input, output, state and config as JSON Schema: by what its channels and
// schemas say. A channel without a schema is described as anything.

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./graphs.js").ServedGraph} ServedGraph */
/** @typedef {{ toJSONSchema?: () => Json, getJsonSchema?: () => Json }} Described */

/**
 * @param {ServedGraph} graph
 * @returns {{ input_schema: Json, output_schema: Json, state_schema: Json, config_schema: Json,
 *   context_schema: Json }}
 */
export function schemasOf(graph) {
  const { inputChannels, outputChannels, channels } =
    /** @type {{ inputChannels?: unknown, outputChannels?: unknown, channels?: Json }} */ (graph);
  const all = Object.keys(channels ?? {}).filter((name) => !isOwn(name));
  const output = namesOf(outputChannels).filter((name) => !isOwn(name));
  const input = namesOf(inputChannels).filter((name) => !isOwn(name));
  return {
    input_schema: schemaOf(input.length > 0 ? input : all),
    output_schema: schemaOf(output.length > 0 ? output : all),
    state_schema: schemaOf(all),
    config_schema: schemaOf([]),
    context_schema: schemaOf([]),
  };
}

/** @param {unknown} names @returns {string[]} */
function namesOf(names) {
  return (Array.isArray(names) ? names : [names]).filter((name) => typeof name === "string");
}

/** Channels that the engine makes. @param {string} name */
function isOwn(name) {
  return name.startsWith("__") || name.startsWith("branch:") || name.startsWith("join:");
}

/** @param {string[]} names @returns {Json} */
function schemaOf(names) {
  const messages = { type: "array", items: { type: "object" } };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: Object.fromEntries(
      names.map((name) => [name, name === "messages" ? messages : {}]),
    ),
  };
}
