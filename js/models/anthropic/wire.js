// SPDX-License-Identifier: MIT
// Converts messages to the turns of Anthropic's Messages API, in this direction only. What the
// service needs back (signatures, its own blocks) goes to it alone. Does not depend on HTTP.
import { isObject } from "../../base/check-arguments.js";
import { messageType } from "../../messages/index.js";
import {
  isCallBlock,
  isFrom,
  messageRefused,
  objectIn,
  placedParts,
  plainName,
} from "../message-parts.js";
import { readPart } from "../../messages/media.js";
import { inputBlocks, resultContent, textBlocks, withoutIndex } from "./blocks.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {{ role: string, content: Fields[] }} Turn */
/**
 * A call: the turn that has it, and the toolset that its tool is of.
 * @typedef {{ turn: Turn, toolset_name?: string | null }} Asked
 */

const FORBIDDEN = /[^\w-]/g;
const LONGEST_NAME = 128;
/** Blocks of LangChain that stand for others, or for pieces of others. */
const LEFT_OUT = [
  "input_json_delta",
  "server_tool_call",
  "server_tool_call_chunk",
  "server_tool_call_result",
];
const ROLES = ["assistant", "system"];

/**
 * Returns what the service is told: the leading system messages, and turns.
 * @param {readonly Message[]} messages
 * @param {string} provider name of the service: what only it understands goes back to it alone
 * @param {boolean} mustSign does the service refuse reasoning without a signature?
 * @returns {{ system: string | Fields[] | undefined, turns: Turn[] }}
 */
export function toWire(messages, provider, mustSign) {
  /** @type {Fields[]} */
  const system = [];
  /** @type {Turn[]} */
  const turns = [];
  /** Calls by their ids. @type {Map<string, Asked>} */
  const askedIn = new Map();
  for (const [at, message] of messages.entries()) {
    switch (messageType(message)) {
      case "system": {
        const blocks = inputBlocks(message.content, at);
        if (turns.length > 0) addTurn(turns, "system", blocks);
        else for (const block of blocks) system.push(block);
        break;
      }
      case "human":
        addTurn(turns, "user", inputBlocks(message.content, at));
        break;
      case "generic":
        addTurn(
          turns,
          ROLES.includes(message.role) ? message.role : "user",
          inputBlocks(message.content, at),
        );
        break;
      case "ai": {
        // What was cut off before its signature came is refused behind a proxy of Anthropic too.
        const isCut = message.response_metadata?.stop_reason == null;
        const blocks = answerBlocks(message, isFrom(message, provider), mustSign || isCut);
        const turn = addTurn(turns, "assistant", blocks);
        for (const { type, id, toolset_name } of blocks)
          if (type === "tool_use") askedIn.set(id, { turn, toolset_name });
        break;
      }
      case "tool":
        addResult(turns, askedIn, resultOf(message));
        break;
      default:
        throw messageRefused(messageType(message));
    }
  }
  trimEnd(turns);
  return { system: systemOf(system), turns };
}

/**
 * Returns the container in which the service worked on this exchange: it refuses results for what
 * still waits in there without its id.
 * @param {readonly Message[]} messages @param {string} provider
 * @returns {string | undefined}
 */
export function containerOf(messages, provider) {
  const from = messages.findLastIndex((message) => messageType(message) === "human");
  /** @type {Fields[]} */
  const answers = messages.slice(from + 1).filter((message) => isFrom(message, provider));
  const ids = answers.map(({ response_metadata }) => response_metadata.container?.id);
  return ids.findLast((id) => typeof id === "string");
}

/** Removes the blanks at the end of what the model shall go on with: they are refused. */
function trimEnd(/** @type {Turn[]} */ turns) {
  const { role, content = [] } = turns[turns.length - 1] ?? {};
  const last = content[content.length - 1];
  if (role === "assistant" && last?.type === "text") last.text = last.text.trimEnd();
}

/** @param {Fields[]} blocks */
function systemOf(blocks) {
  if (blocks.length === 0) return undefined;
  const [{ text, ...first }] = blocks;
  return blocks.length === 1 && Object.keys(first).length === 1 ? text : blocks;
}

/**
 * Adds blocks to the last turn if it is of the same role, else as a turn.
 * @param {Turn[]} turns
 * @param {string} role
 * @param {Fields[]} content
 * @returns {Turn} the turn with the blocks
 */
function addTurn(turns, role, content) {
  const last = turns[turns.length - 1];
  if (last?.role === role) {
    for (const block of content) last.content.push(block);
    return last;
  }
  const turn = { role, content };
  if (content.length > 0) turns.push(turn);
  return turn;
}

/**
 * Adds a result where the service expects it: directly after the turn that asked for it, before
 * all text.
 * @param {Turn[]} turns
 * @param {Map<string, Asked>} askedIn
 * @param {Fields} result
 */
function addResult(turns, askedIn, result) {
  const asked = askedIn.get(result.tool_use_id);
  if (asked === undefined) {
    addTurn(turns, "user", [result]);
    return;
  }
  const at = turns.lastIndexOf(asked.turn) + 1;
  if (turns[at]?.role !== "user") turns.splice(at, 0, { role: "user", content: [] });
  const { content } = turns[at];
  const { toolset_name } = asked;
  if (toolset_name) result.toolset_name = toolset_name;
  content.splice(content.findLastIndex(({ type }) => type === "tool_result") + 1, 0, result);
}

/** @param {Message} message @returns {Fields} */
function resultOf({ tool_call_id, content, status }) {
  return {
    type: "tool_result",
    tool_use_id: wireId(tool_call_id),
    content: resultContent(content),
    ...(status === "error" ? { is_error: true } : {}),
  };
}

/** Replaces what the service refuses in ids; other services use more. @param {unknown} id */
function wireId(id) {
  return String(id).replace(FORBIDDEN, (letter) => `_${letter.charCodeAt(0).toString(16)}`);
}

/**
 * @param {Message} message @param {boolean} isOwn did this service make it?
 * @param {boolean} mustSign
 * @returns {Fields[]}
 */
function answerBlocks(message, isOwn, mustSign) {
  const parts = placedParts(message);
  // A message in Anthropic's own form has its calls among its blocks alone.
  const isBare = parts.every(({ call }) => call === undefined);
  return parts.flatMap(({ call, block }) => {
    if (call !== undefined) return [callBlock(call, isOwn)];
    if (!isCallBlock(block)) return answerBlock(block, isOwn, mustSign);
    return isBare ? [callBlock({ ...block, args: block.args ?? block.input }, isOwn)] : [];
  });
}

/** @param {Fields} call @param {boolean} isOwn @returns {Fields} */
function callBlock({ id, name, args, extras }, isOwn) {
  return {
    ...(isOwn ? extras : {}),
    type: "tool_use",
    id: wireId(id),
    name: plainName(name).slice(0, LONGEST_NAME) || "_",
    input: objectIn(args),
  };
}

/**
 * Converts a block of an answer; what is neither text nor a call goes back to its service alone.
 * @param {Fields} block @param {boolean} isOwn @param {boolean} mustSign
 * @returns {Fields[]}
 */
function answerBlock(block, isOwn, mustSign) {
  const part = readPart(block);
  if (part.kind === "text") {
    const [made] = textBlocks(part.text, block);
    const { citations } = block;
    if (made === undefined) return [];
    return [isOwn && citations?.length > 0 ? { ...made, citations } : made];
  }
  const isKept = isOwn && part.kind === "other" && !LEFT_OUT.includes(part.type);
  if (!isKept || typeof block?.type !== "string") return [];
  if (part.type === "non_standard") return isObject(block.value) ? [block.value] : [];
  if (part.type === "thinking" || part.type === "reasoning") return thinkingOf(block, mustSign);
  const rest = withoutIndex(block);
  return [typeof rest.input === "string" ? { ...rest, input: {} } : rest];
}

/**
 * @param {Fields} block @param {boolean} mustSign
 * @returns {Fields[]} none without a signature, if the service refuses that; others demand it all
 */
function thinkingOf({ thinking, reasoning, signature, extras }, mustSign) {
  const signed = signature ?? extras?.signature;
  const text = thinking ?? reasoning ?? "";
  if (typeof signed === "string" && signed !== "")
    return [{ type: "thinking", thinking: text, signature: signed }];
  return mustSign || text === "" ? [] : [{ type: "thinking", thinking: text, signature: "" }];
}
