// SPDX-License-Identifier: MIT
// Describes a graph's input, output, state, config and context as JSON Schema: by what its channels
// and schemas say. A channel without a schema is described as anything.
import { isStateSchema } from "../state/state-marks.js";
import { isZodObject, zodFields } from "../state/zod.js";
import { metas } from "../state/zod-meta.js";
import { jsonSchemaOf } from "../tools/schema.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./graphs.js").ServedGraph} ServedGraph */
/**
 * What a graph is made of, as far as its schemas are concerned. `_given`: as its author passed them
 * in.
 * @typedef {{ inputChannels?: unknown, outputChannels?: unknown, channels?: Json, builder?: {
 *   _inputDefinition?: Json, _given?: Partial<Record<"state" | "input" | "output" | "context",
 *   unknown>> } }} Parts
 */

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const MESSAGES = { type: "array", items: { type: "object" }, langgraph_type: "messages" };

/**
 * @param {ServedGraph} graph
 * @returns {{ input_schema: Json, output_schema: Json, state_schema: Json, config_schema: Json,
 *   context_schema: Json }}
 */
export function schemasOf(graph) {
  const { inputChannels, outputChannels, channels, builder } = /** @type {Parts} */ (graph);
  const { state, input, output, context } = builder?._given ?? {};
  const all = Object.keys(channels ?? {}).filter((name) => !isOwn(name));
  const outputs = namesOf(outputChannels);
  const inputs = namesOf(Object.keys(builder?._inputDefinition ?? {}));
  if (inputs.length === 0) inputs.push(...namesOf(inputChannels));
  return {
    input_schema: schemaOf(inputs.length > 0 ? inputs : all, input ?? state, true),
    output_schema: schemaOf(outputs.length > 0 ? outputs : all, output ?? state),
    state_schema: schemaOf(all, state),
    // Its older name: clients ask for either.
    config_schema: schemaOf([], context),
    context_schema: schemaOf([], context),
  };
}

/** @param {unknown} names @returns {string[]} those of the author's channels */
function namesOf(names) {
  return (Array.isArray(names) ? names : [names]).filter(
    (name) => typeof name === "string" && !isOwn(name),
  );
}

/** Channels that the engine makes. @param {string} name */
function isOwn(name) {
  return /^(__|branch:|join:)/.test(name);
}

/**
 * @param {string[]} names of channels
 * @param {unknown} given what describes them
 * @param {boolean} [isInput] nothing of it is required, and a field has its reducer's schema
 * @returns {Json}
 */
function schemaOf(names, given, isInput = false) {
  const said = describe(given, isInput);
  /** @type {Json} */
  const properties = { __proto__: null };
  for (const name of names) properties[name] = name === "messages" ? MESSAGES : {};
  Object.assign(properties, said.properties);
  const { required: _required, ...rest } = said;
  return { $schema: DIALECT, type: "object", ...(isInput ? rest : said), properties };
}

/**
 * @param {unknown} given a StateSchema, an object of zod's, or what describes nothing
 * @param {boolean} isInput
 * @returns {Json}
 */
function describe(given, isInput) {
  try {
    if (isStateSchema(given)) return isInput ? given.getInputJsonSchema() : given.getJsonSchema();
    return isZodObject(given) ? zodJson(given, isInput) : {};
  } catch {
    // A kind of field that JSON Schema has no words for.
    return {};
  }
}

/** @param {unknown} schema an object of zod's @param {boolean} isInput @returns {Json} */
function zodJson(schema, isInput) {
  const json = jsonSchemaOf(schema);
  /** @type {Json} */
  const properties = { __proto__: null, .../** @type {Json} */ (json.properties) };
  for (const [name, field] of Object.entries(zodFields(schema))) {
    const { reducer, jsonSchemaExtra } = metas.get(field) ?? {};
    const written = isInput && reducer?.schema ? jsonSchemaOf(reducer.schema) : properties[name];
    properties[name] = { .../** @type {Json} */ (written), ...jsonSchemaExtra };
  }
  return { ...json, properties };
}
