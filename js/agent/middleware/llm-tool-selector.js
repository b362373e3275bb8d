// SPDX-License-Identifier: MIT
// Lets a model choose which of many tools the agent's model is offered. Does not depend on tools.
import { checkArgument, isListOf, isObject, refuseUnknown } from "../../base/check-arguments.js";
import { SystemMessage, isHumanMessage } from "../../messages/index.js";
import { structuredOutput } from "../../models/structured-output.js";
import { createMiddleware } from "../create-middleware.js";
import { modelOf } from "../model-call.js";
import { signalOf } from "./retry.js";
import { nameOf } from "./tool-names.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../wrappers.js").ModelRequest} ModelRequest */

const CALL = "llmToolSelectorMiddleware(options)";
const OPTIONS = ["model", "systemPrompt", "maxTools", "alwaysInclude"];
const SYSTEM_PROMPT =
  "Your goal is to select the most relevant tools for answering the user's query.";
const INSIDE = { tags: ["nostream"], metadata: { lc_source: "llm_tool_selector" } };

/**
 * Makes a middleware that offers the model the tools that another call of a model selected.
 * @param {import("../../types/agent/middleware.js").LLMToolSelectorOptions} [options]
 */
export function llmToolSelectorMiddleware(options = {}) {
  checkArgument(isObject(options), `${CALL}: options must be an object`);
  refuseUnknown(options, CALL, OPTIONS);
  const { model: given, systemPrompt = SYSTEM_PROMPT, maxTools, alwaysInclude = [] } = options;
  checkArgument(typeof systemPrompt === "string", `${CALL}: options.systemPrompt must be a text`);
  checkArgument(
    maxTools === undefined || (Number.isSafeInteger(maxTools) && maxTools > 0),
    `${CALL}: options.maxTools must be a whole number from 1 on`,
  );
  checkArgument(
    isListOf(alwaysInclude, (name) => typeof name === "string"),
    `${CALL}: options.alwaysInclude must be a list of names of tools`,
  );
  if (given !== undefined && typeof given !== "string") modelOf(given);

  return createMiddleware({
    name: "LLMToolSelector",
    wrapModelCall: async (request, handler) => {
      const { tools } = request;
      // The provider's own tools have no description here.
      const isChosen = (/** @type {ToolLike} */ tool) =>
        typeof tool?.invoke === "function" && !alwaysInclude.includes(tool.name);
      const candidates = tools.filter(isChosen);
      const missing = alwaysInclude.filter(
        (/** @type {string} */ name) => !tools.some((tool) => nameOf(tool) === name),
      );
      if (missing.length > 0)
        throw new Error(`Tools in alwaysInclude not found in request: ${missing.join(", ")}`);
      if (candidates.length === 0) return handler(request);
      const query = request.messages.findLast(isHumanMessage);
      if (query === undefined) throw new Error("No user message found in request messages");
      const names = candidates.map(({ name }) => name);
      const selected = await select(query, candidates, request);
      const unknown = selected.filter((name) => !names.includes(name));
      if (unknown.length > 0)
        throw new Error(`Model selected invalid tools: ${unknown.map(String).join(", ")}`);
      const kept = new Set([...new Set(selected)].slice(0, maxTools ?? selected.length));
      return handler({
        ...request,
        tools: tools.filter((tool) => !isChosen(tool) || kept.has(tool.name)),
      });
    },
  });

  /**
   * @param {Message} query the user's message
   * @param {readonly ToolLike[]} candidates
   * @param {ModelRequest} request
   * @returns {Promise<string[]>}
   */
  async function select(query, candidates, request) {
    const model = modelOf(given ?? request.model);
    const schema = {
      type: "object",
      title: "ToolSelection",
      description: "The tools that are needed, the most relevant first.",
      properties: {
        tools: {
          type: "array",
          items: { type: "string", enum: candidates.map(({ name }) => name) },
        },
      },
      required: ["tools"],
    };
    const asked =
      typeof model.withStructuredOutput === "function"
        ? model.withStructuredOutput(schema)
        : structuredOutput(model, schema);
    const list = candidates.map(({ name, description }) => `- ${name}: ${description ?? ""}`);
    const most =
      maxTools === undefined
        ? ""
        : `\nList the most relevant first: only the first ${maxTools} are used.`;
    const prompt = `${systemPrompt}${most}\n\nAvailable tools:\n${list.join("\n")}`;
    const answer = await asked.invoke([new SystemMessage(prompt), query], {
      ...INSIDE,
      signal: signalOf(request.runtime),
    });
    if (!isListOf(answer?.tools, (name) => typeof name === "string"))
      throw new Error("The model that selects tools answered without a list of tools.");
    return answer.tools;
  }
}
