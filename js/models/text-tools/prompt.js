// SPDX-License-Identifier: MIT
// Writes a conversation with tools as one without: the tools in the system text, calls and results
// as text in the form in which the model writes its calls. Does not depend on how that is read.
import { AIMessage, HumanMessage, SystemMessage, messageType } from "../../messages/index.js";
import { embed } from "../answer-form.js";
import { readContent, readResult, resultText } from "../message-parts.js";

/** @typedef {import("../../messages/index.js").BaseMessage} BaseMessage */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/base.js").Content} Content */
/** @typedef {import("../../messages/base.js").ContentBlock} ContentBlock */
/** @typedef {import("../../messages/tool-calls.js").ToolCall} ToolCall */
/** @typedef {import("../../messages/tool-calls.js").InvalidToolCall} InvalidToolCall */
/** @typedef {import("../call-options.js").FunctionTool} FunctionTool */
/** @typedef {import("../../messages/media.js").Media} Media */
/** @typedef {{ tool_calls: ToolCall[], invalid_tool_calls: InvalidToolCall[] }} Calls */
/** @typedef {ReturnType<typeof import("../call-options.js").readToolChoice>} Choice */
/**
 * `tools`: those that the model may call now. `isObject`: answers are JSON objects. `profile`: of
 * the model.
 * @typedef {{ style: "constrained" | "fenced", tools: FunctionTool[], choice: Choice, isObject:
 *   boolean, profile?: import("../../types/models/base.js").ModelProfile }} Manner
 */

const PDF = "application/pdf";
const CALL_BLOCKS = ["tool_call", "tool_use", "function_call", "invalid_tool_call"];
const FENCED = `You can call tools. To call one, write a block of this form, with JSON in it:
<tool_call>
{"name": "the tool's name", "arguments": {"the parameter's name": "its value"}}
</tool_call>
Several blocks, one after another, call several tools. Write nothing after them: the results come in the next message, each as <tool_response>…</tool_response>.`;
const CONSTRAINED = `Answer with one JSON object. To call tools: {"calls": [{"tool": "the tool's name", "args": {"the parameter's name": "its value"}}]}. Their results come in the next message as {"results": […]}. To answer: {"answer": "your words"}.`;

/**
 * Returns the messages as a model without tools takes them.
 * @param {readonly BaseMessage[]} messages
 * @param {Manner} manner
 * @returns {BaseMessage[]}
 */
export function toPlainMessages(messages, manner) {
  /** Names of the tools by the ids of their calls. @type {Map<unknown, string>} */
  const names = new Map();
  /** @type {BaseMessage[]} */
  const plain = [];
  /** Results in a row, which become one message. @type {Message[]} */
  let results = [];
  const flush = () => {
    if (results.length > 0) plain.push(resultsMessage(results, names, manner));
    results = [];
  };
  for (const message of messages) {
    const type = messageType(message);
    if (type === "tool") {
      results.push(message);
      continue;
    }
    flush();
    for (const { id, name } of callsOf(message)) names.set(id, name);
    plain.push(type === "ai" ? answerMessage(message, manner) : message);
  }
  flush();
  return manner.tools.length > 0 ? withSystemText(plain, toolsText(manner)) : plain;
}

/**
 * Returns the schema of the object that the model must write.
 * @param {Manner} manner
 * @param {Record<string, unknown>} answer schema of the answer
 */
export function callsSchema({ tools, choice }, answer) {
  /** @type {Record<string, unknown>} */
  const $defs = {};
  const items = {
    anyOf: offered(tools, choice).map(({ name, parameters }, at) => {
      const place = `#/properties/calls/items/anyOf/${at}/properties/args`;
      const args = embed(parameters, { place, $defs, prefix: `${at}_` });
      return {
        type: "object",
        properties: { tool: { const: name }, args },
        required: ["tool", "args"],
        additionalProperties: false,
      };
    }),
  };
  const calls = { type: "array", items };
  const whole = isForced(choice)
    ? { properties: { calls: { ...calls, minItems: 1 } }, required: ["calls"] }
    : {
        properties: {
          calls,
          answer: embed(answer, { place: "#/properties/answer", $defs, prefix: "answer_" }),
        },
      };
  return {
    type: "object",
    ...whole,
    additionalProperties: false,
    ...(Object.keys($defs).length === 0 ? undefined : { $defs }),
  };
}

/** @param {Choice} choice */
function isForced(choice) {
  return choice?.type === "any" || choice?.type === "tool";
}

/** @param {FunctionTool[]} tools @param {Choice} choice */
function offered(tools, choice) {
  return choice?.type === "tool" ? tools.filter(({ name }) => name === choice.name) : tools;
}

/** @param {Manner} manner */
function toolsText({ style, tools, choice }) {
  const told = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ name, description, parameters }),
  );
  const must =
    choice?.type === "tool"
      ? [`Now you must call the tool ${choice.name}.`]
      : isForced(choice)
        ? ["Now you must call at least one tool."]
        : [];
  const how = style === "fenced" ? FENCED : CONSTRAINED;
  return [
    how,
    "The tools, one a line, with JSON Schemas of their parameters:",
    ...told,
    ...must,
  ].join("\n");
}

/** @param {BaseMessage[]} messages @param {string} text */
function withSystemText(messages, text) {
  const [first, ...rest] = messages;
  if (first === undefined || messageType(first) !== "system")
    return [new SystemMessage(text), ...messages];
  const { content } = first;
  const joined =
    typeof content === "string" ? `${content}\n\n${text}` : [...content, { type: "text", text }];
  return [new SystemMessage({ ...fieldsOf(first), content: joined }), ...rest];
}

/** @param {Message} message */
function callsOf({ tool_calls, invalid_tool_calls }) {
  return [...(tool_calls ?? []), ...(invalid_tool_calls ?? [])];
}

/** @param {Message} message */
function fieldsOf({ id, name, additional_kwargs, response_metadata }) {
  return { id, name, additional_kwargs, response_metadata };
}

/** @param {Message} message of a model @param {Manner} manner */
function answerMessage(message, manner) {
  const { content, tool_calls = [], invalid_tool_calls = [] } = message;
  const blocks = typeof content === "string" ? content : withoutCalls(content ?? []);
  const write = manner.style === "fenced" ? fencedAnswer : objectAnswer;
  // Raw calls of another service would be read as calls again.
  const { tool_calls: _calls, ...additional_kwargs } = message.additional_kwargs ?? {};
  return new AIMessage({
    ...fieldsOf(message),
    additional_kwargs,
    content: write(blocks, { tool_calls, invalid_tool_calls }, manner),
    tool_calls: [],
  });
}

/** @param {ContentBlock[]} content */
function withoutCalls(content) {
  return content.filter((block) => !CALL_BLOCKS.includes(block?.type));
}

/** @param {Content} content @param {Calls} calls */
function fencedAnswer(content, { tool_calls, invalid_tool_calls }) {
  const written = [
    ...tool_calls.map(
      ({ name, args }) => `<tool_call>\n${safeJson({ name, arguments: args ?? {} })}\n</tool_call>`,
    ),
    ...invalid_tool_calls.map(({ args }) => String(args ?? "")),
  ].join("\n");
  if (written === "") return content;
  if (typeof content !== "string") return [...content, { type: "text", text: written }];
  return content === "" ? written : `${content}\n${written}`;
}

/**
 * @param {Content} content @param {Calls} calls
 * @param {Manner} manner
 */
function objectAnswer(content, { tool_calls, invalid_tool_calls }, { isObject }) {
  const calls = [
    ...tool_calls.map(({ name, args }) => ({ tool: name, args: args ?? {} })),
    ...invalid_tool_calls.map(({ name, args }) => ({ tool: name ?? "", args: String(args ?? "") })),
  ];
  if (calls.length === 0 && !isObject) return content;
  const blocks = typeof content === "string" ? [] : content.filter(isNoText);
  const answer = textIn(readContent(content));
  const text = safeJson({
    ...(calls.length === 0 ? {} : { calls }),
    ...(answer === "" ? {} : { answer }),
  });
  return blocks.length === 0 ? text : [...blocks, { type: "text", text }];
}

/** @param {import("../../messages/media.js").Part[]} parts */
function textIn(parts) {
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
}

/** @param {ContentBlock} block */
function isNoText(block) {
  return typeof block !== "string" && block?.type !== "text";
}

/** @param {Message[]} results @param {Map<unknown, string>} names @param {Manner} manner */
function resultsMessage(results, names, { style, profile = {} }) {
  const isTaken = (/** @type {Media} */ media) => mayFollow(media, profile);
  const read = new Map(results.map((message) => [message, readResult(message.content, isTaken)]));
  const told = results.map((message) => ({
    name: names.get(message.tool_call_id) ?? message.name ?? "",
    text: resultText((read.get(message) ?? []).flatMap(textOfPart)),
    ...(message.status === "error" ? { error: true } : {}),
  }));
  const text =
    style === "fenced"
      ? told
          .map(({ text: content, ...rest }) => ({ ...rest, content }))
          .map((result) => `<tool_response>\n${safeJson(result)}\n</tool_response>`)
          .join("\n")
      : safeJson({
          results: told.map(({ name, text: result, ...rest }) => ({ tool: name, result, ...rest })),
        });
  const others = [...read.values()]
    .flat()
    .filter(({ kind }) => kind !== "text" && kind !== "other")
    .map(({ block }) => block);
  return new HumanMessage(
    others.length === 0 ? text : { content: [{ type: "text", text }, ...others] },
  );
}

/** @param {import("../../messages/media.js").Part} part of a result @returns {object[]} its text */
function textOfPart(part) {
  if (part.kind === "other") return [{ text: JSON.stringify(part.block) }];
  return part.kind === "text" ? [part] : [];
}

/**
 * May it stand in a message of the user? A model that takes none would refuse all that follows.
 * @param {Media} media @param {NonNullable<Manner["profile"]>} profile
 */
function mayFollow({ kind, mimeType, data, url, text }, profile) {
  const {
    imageInputs = true,
    imageUrlInputs = true,
    audioInputs,
    videoInputs,
    pdfInputs,
  } = profile;
  const isThere = data !== undefined || (imageUrlInputs && url !== undefined);
  if (kind === "image") return imageInputs && isThere;
  if (kind === "audio") return audioInputs === true && data !== undefined;
  if (kind === "video") return videoInputs === true && isThere;
  return text !== undefined || (mimeType === PDF && pdfInputs === true && isThere);
}

/** Writes JSON that holds no mark of a fence. @param {unknown} value */
function safeJson(value) {
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("```", "\\u0060``");
}
