// SPDX-License-Identifier: MIT
// Calls an agent's model once: makes it of its name, binds the tools and the options of this call,
// and puts the instructions before the conversation. Does not depend on middlewares or graphs.
import { checkArgument, isRecord, shown } from "../base/check-arguments.js";
import { SystemMessage, isBaseMessage, textOf } from "../messages/index.js";
import { withAgentName } from "../prebuilt/agent/agent-name.js";
import { boundTools, madeModel } from "../prebuilt/agent/agent-model.js";
import { bindInside } from "../prebuilt/agent/bound-model.js";
import { pipe } from "../runnable/runnable.js";
import { MultipleToolsBoundError } from "./errors.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../models/base.js").ModelLike} ModelLike */
/** @typedef {import("./response-format.js").ResponseFormat} ResponseFormat */
/**
 * What a model is bound to. `format`: the form of its answer.
 * @typedef {{ model: unknown, tools: readonly unknown[], toolChoice: unknown, settings:
 *   Record<string, unknown> | undefined, format: ResponseFormat | undefined }} Binding
 */

/** Name of the schema that a service makes the answer fit. */
const SCHEMA_NAME = "extract";

/**
 * Makes the model of a name or of the AI SDK; others stay as they are.
 * @param {unknown} given
 * @returns {ModelLike}
 * @throws MultipleToolsBoundError if it brings tools of its own
 */
export function modelOf(given) {
  const model = /** @type {ModelLike} */ (madeModel(given));
  checkArgument(
    typeof model?.invoke === "function",
    `the \`model\` of an agent must be a chat model or its name, not ${shown(given)}`,
  );
  if ((boundTools(model)?.length ?? 0) > 0) throw new MultipleToolsBoundError();
  return model;
}

/** Binds models; remembers the last one, which the next call has nearly always too. */
export class Binder {
  /** What the last model was bound of; nothing at first. @type {unknown[]} */
  #last = [];
  /** @type {ModelLike | undefined} */
  #bound;
  #inline;

  /** @param {"inline" | undefined} includeAgentName */
  constructor(includeAgentName) {
    this.#inline = includeAgentName === "inline";
  }

  /** @param {Binding} binding @returns {ModelLike} */
  bind(binding) {
    const { model, tools, toolChoice, settings, format } = binding;
    const parts = [model, format, toolChoice, settings, ...tools];
    const last = this.#last;
    if (last.length !== parts.length || parts.some((part, index) => part !== last[index])) {
      const bound = boundTo(binding);
      this.#bound = this.#inline ? withAgentName(bound, "inline") : bound;
      this.#last = parts;
    }
    return /** @type {ModelLike} */ (this.#bound);
  }
}

/** @param {Binding} binding @returns {ModelLike} */
function boundTo({ model: given, tools: offered, toolChoice, settings, format }) {
  const model = modelOf(given);
  const answers = [...(format?.tools ?? [])].map(([name, strategy]) => strategy._declare(name));
  const tools = [...offered, ...answers];
  // Some models refuse to be told that they must call a tool, such as Claude while it thinks.
  const mustCall = answers.length > 0 && model.profile?.toolChoice !== false;
  const choice = toolChoice ?? (mustCall ? "any" : undefined);
  const options = {
    ...nativeOptions(format, model),
    ...settings,
    ...(choice === undefined ? undefined : { tool_choice: choice }),
  };
  if (tools.length > 0)
    return /** @type {ModelLike} */ (
      bindInside(model, undefined, tools, /** @type {never} */ (pipe), options)
    );
  return Object.keys(options).length > 0 && typeof model.withConfig === "function"
    ? model.withConfig(options)
    : model;
}

/**
 * Returns the options that request the service's own structured output. LangChain's models have
 * names of their own for them, by provider.
 * @param {ResponseFormat | undefined} format
 * @param {ModelLike} model
 */
function nativeOptions(format, model) {
  if (format?.provider === undefined) return undefined;
  const { schema, strict: wanted } = format.provider;
  const { schema: tight, isComplete } = closed(schema);
  const strict = wanted ?? (isComplete ? true : undefined);
  const json_schema = { name: SCHEMA_NAME, strict, schema: strict ? tight : schema };
  const asked = { response_format: { type: "json_schema", json_schema } };
  if (model.lc_namespace?.[0] !== "langchain") return asked;
  return {
    ...asked,
    outputConfig: { format: { type: "json_schema", schema: tight } },
    responseSchema: schema,
    ls_structured_output_format: { kwargs: { method: "json_schema" }, schema },
  };
}

/**
 * Closes a schema's objects, as services demand in strict mode. `isComplete`: does OpenAI's take
 * it then, which knows no optional properties?
 * @param {unknown} given
 * @returns {{ schema: unknown, isComplete: boolean }}
 */
function closed(given) {
  let isComplete = true;
  const schema = JSON.parse(JSON.stringify(given), (_, part) => {
    if (!isRecord(part) || ![part.type].flat().includes("object")) return part;
    const { properties, required, additionalProperties = false } = part;
    // Any object is meant: closed, it could only be empty.
    if (!isRecord(properties)) {
      isComplete = false;
      return part;
    }
    const needed = new Set([required].flat());
    const isFull = Object.keys(properties).every((key) => needed.has(key));
    isComplete &&= isFull && additionalProperties === false;
    return { ...part, additionalProperties };
  });
  return { schema, isComplete };
}

/**
 * Asks a model and checks that it answers with a message.
 * @param {ModelLike} model
 * @param {Message} system left out if it has no content
 * @param {readonly Message[]} messages
 * @param {Config} config
 * @returns {Promise<Message>}
 */
export async function askModel(model, system, messages, config) {
  const isEmpty = system.content === "" || system.content?.length === 0;
  const answer = await model.invoke(isEmpty ? [...messages] : [system, ...messages], config);
  checkArgument(
    isBaseMessage(answer),
    `the model must answer with a message, not ${shown(answer)}`,
  );
  return answer;
}

/**
 * Makes the instructions of a text: one block, as LangChain does, so that a middleware may mark it.
 * @param {string} text
 * @returns {Message}
 */
export function systemMessageOf(text) {
  const content = text === "" ? "" : [{ type: "text", text }];
  return /** @type {Message} */ (/** @type {unknown} */ (new SystemMessage({ content })));
}

/** Returns the text of a system message. @param {Message} message @returns {string} */
export function promptText(message) {
  return textOf(message.content);
}
