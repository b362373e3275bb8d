// SPDX-License-Identifier: MIT
// Reads what LangChain's callbacks say of models, errors and questions into attributes, with the
// names of OpenTelemetry's conventions for generative AI (0.1.0). Never reads content.
import { isRecord } from "../base/check-arguments.js";
import { cut } from "./content.js";

/** @typedef {Record<string, unknown>} Fields */
/** @typedef {Record<string, string | number | boolean | string[]>} Attributes */

/** Longest name, id or code in an attribute, in characters. */
const MOST_TEXT = 256;
/** The conventions' names of providers by LangChain's, where they differ. */
const PROVIDERS = new Map([
  ["google", "gcp.gemini"],
  ["google_genai", "gcp.gemini"],
  ["google_vertexai", "gcp.vertex_ai"],
  ["azure", "azure.ai.openai"],
  ["amazon_bedrock", "aws.bedrock"],
  ["mistral", "mistral_ai"],
  ["mistralai", "mistral_ai"],
  ["xai", "x_ai"],
]);

/** @param {unknown} value @returns {Fields} */
const fieldsOf = (value) => (isRecord(value) ? value : {});

/** @param {unknown} value @returns {Fields[]} */
const listOf = (value) => (Array.isArray(value) ? value.map(fieldsOf) : []);

/** Leaves out what is unknown or no attribute. @param {Fields} fields @returns {Attributes} */
export function known(fields) {
  return /** @type {Attributes} */ (
    Object.fromEntries(
      Object.entries(fields)
        .filter(([, value]) => Array.isArray(value) || /^[sbn]/.test(typeof value))
        .map(([key, value]) => [key, typeof value === "string" ? cut(value, MOST_TEXT) : value]),
    )
  );
}

/**
 * @param {string} operation
 * @param {unknown} extra of the model's start
 * @param {Fields} metadata
 */
export function requestAttributes(operation, extra, metadata) {
  const params = fieldsOf(fieldsOf(extra).invocation_params);
  return known({
    "gen_ai.operation.name": operation,
    "gen_ai.provider.name": providerOf(metadata.ls_provider),
    "gen_ai.request.model": metadata.ls_model_name ?? params.model ?? params.model_name,
    "gen_ai.request.temperature": params.temperature,
    "gen_ai.request.max_tokens": params.max_tokens,
    "gen_ai.request.top_p": params.top_p,
  });
}

/** @param {unknown} provider */
function providerOf(provider) {
  return PROVIDERS.get(/** @type {string} */ (provider)) ?? provider;
}

/** @param {unknown} output of a model's end @returns {Fields} the message of its first answer */
export function answerOf(output) {
  const { generations } = fieldsOf(output);
  return fieldsOf(listOf([generations].flat(2))[0]?.message);
}

/** @param {Fields} message */
export function answerAttributes(message) {
  const said = fieldsOf(message.response_metadata);
  const usage = fieldsOf(message.usage_metadata);
  const input = fieldsOf(usage.input_token_details);
  const reason = said.finish_reason ?? said.stop_reason;
  const id = said.response_id ?? said.id ?? message.id;
  return known({
    "gen_ai.provider.name": providerOf(said.model_provider),
    "gen_ai.response.model": said.model_name ?? said.model,
    // An id that LangChain or this package made names no response of the service.
    "gen_ai.response.id": /^run-/.test(String(id)) ? undefined : id,
    "gen_ai.response.finish_reasons": reason && [String(reason)],
    "gen_ai.usage.input_tokens": usage.input_tokens,
    "gen_ai.usage.output_tokens": usage.output_tokens,
    "gen_ai.usage.cache_read.input_tokens": input.cache_read,
    "gen_ai.usage.cache_write.input_tokens": input.cache_creation,
    "gen_ai.usage.reasoning.output_tokens": fieldsOf(usage.output_token_details).reasoning,
  });
}

/** @param {unknown} error @returns {string} its code or name, if that is a short word */
export function errorType(error) {
  const { code, name } = Object(error);
  return (
    [code, name].find((word) => typeof word === "string" && /^[\w.:-]{1,64}$/.test(word)) ??
    "_OTHER"
  );
}

/**
 * Returns the attributes of each call that a question is about; none if it is about no tool calls.
 * @param {unknown} value of an interrupt
 * @returns {Attributes[]}
 */
export function callsOf(value) {
  return listOf([value].flat()).flatMap((request) => {
    const { action } = fieldsOf(request.action_request);
    const several = listOf(request.action_requests ?? request.actionRequests);
    const calls = several.length > 1 || action === undefined ? several : [{ name: action }];
    return calls.map((call) =>
      known({
        "gen_ai.tool.name": call.name,
        "gen_ai.tool.call.id": call.id ?? request.tool_call_id ?? request.id,
        "weft.approval.id": call.approval_id ?? request.approval_id,
        "weft.approval.digest": request.digest,
      }),
    );
  });
}
