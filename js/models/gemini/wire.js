// SPDX-License-Identifier: MIT
// Converts messages to Gemini's contents: roles in turn, the results of a turn in one content and
// in the order of its calls, signatures at their parts. Does not depend on HTTP or answers.
import { isRecord } from "../../base/check-arguments.js";
import { messageType } from "../../messages/index.js";
import {
  blockRefused,
  callsOf,
  isCallBlock,
  isFrom,
  messageRefused,
  readContent,
  readResult,
  resultText,
} from "../message-parts.js";
import { PROVIDER } from "./answer.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/media.js").Media} Media */
/** @typedef {import("../../messages/media.js").Part} Part */
/** @typedef {{ message: Message, at: number }} Result a message, and its place */
/**
 * A content before it is sent. `results`: messages with the results of `calls`, which are those of
 * the content before.
 * @typedef {{ role: "user" | "model", parts: Fields[], calls: Fields[], results: Result[] }} Turn
 */

const SERVICE = "Gemini";
/** Stands for the signature of a call that another model made. */
const NO_SIGNATURE = "skip_thought_signature_validator";
/** Models that take media inside the result of a call; for the others they stand beside it. */
const TAKES_MEDIA = /gemini-(?:[3-9]|[1-9]\d)/;
/** Models that refuse instructions, which then begin the first content. */
const NO_SYSTEM = /(?:^|\/)gemma-/;
/** Files that are taken in the result of a call. */
const OWN_FILES = /^(?:gs:|https:\/\/generativelanguage\.)/;
/** Media types where none is given. @type {Record<string, string>} */
const USUAL = { image: "image/png", audio: "audio/wav", video: "video/mp4" };

/**
 * @param {readonly Message[]} messages
 * @param {string} model the name that the service has for it
 * @param {boolean} [mayNest] are media inside the result of a call taken?
 * @returns {{ systemInstruction?: Fields, contents: Fields[] }}
 */
export function toContents(messages, model, mayNest = TAKES_MEDIA.test(model)) {
  /** @type {Fields[]} */
  const system = [];
  /** @type {Turn[]} */
  const turns = [];
  for (const [at, message] of messages.entries()) {
    const type = messageType(message);
    if (type === "system") system.push(...userParts(message.content, at));
    else if (type === "ai") {
      const parts = modelParts(message, at, model);
      if (parts.length === 0) continue;
      const turn = turnOf("model", turns);
      turn.parts.push(...parts);
      turn.calls.push(
        ...callsOf(message).map((call) => ({ ...call, isOwn: isFrom(message, PROVIDER) })),
      );
    } else if (type === "tool" || type === "function")
      turnOf("user", turns).results.push({ message, at });
    else if (type === "human" || type === "generic")
      turnOf("user", turns).parts.push(...userParts(message.content, at));
    else throw messageRefused(type);
  }
  const turned = turns.map(({ role, parts, calls, results }) => ({
    role,
    parts: role === "model" ? parts : [...responses(calls, results, mayNest), ...parts],
  }));
  const contents = turned.filter(({ parts }) => parts.length > 0);
  if (system.length === 0) return { contents };
  if (!NO_SYSTEM.test(model)) return { systemInstruction: { parts: system }, contents };
  if (contents[0]?.role === "user") contents[0].parts.unshift(...system);
  else contents.unshift({ role: "user", parts: system });
  return { contents };
}

/**
 * Returns the last turn if it has this role, else a new one.
 * @param {"user" | "model"} role @param {Turn[]} turns
 */
function turnOf(role, turns) {
  const last = turns[turns.length - 1];
  if (last?.role === role) return last;
  /** @type {Turn} */
  const turn = { role, parts: [], calls: role === "user" ? (last?.calls ?? []) : [], results: [] };
  turns.push(turn);
  return turn;
}

/** @param {Message["content"]} content @param {number} at @returns {Fields[]} */
function userParts(content, at) {
  return readContent(content)
    .filter((part) => part.kind !== "text" || part.text !== "")
    .map((part) => {
      if (part.kind === "text") return { text: part.text };
      if (part.kind !== "other") return mediaPart(part, at);
      // A part in Gemini's own form.
      const own = part.type === "non_standard" ? part.block.value : part.block;
      if (isRecord(own) && own.type === undefined) return own;
      throw blockRefused(SERVICE, at, part.block);
    });
}

/** @param {Media} media @param {number} at place of the message @returns {Fields} */
function mediaPart(media, at) {
  const part = placePart(media);
  const { block } = media;
  if (part === undefined) throw blockRefused(SERVICE, at, block);
  for (const key of ["videoMetadata", "mediaResolution"]) {
    const value = block[key] ?? block.metadata?.[key];
    if (value !== undefined) part[key] = value;
  }
  return part;
}

/** @param {Media} media @returns {Fields | undefined} */
function placePart({ kind, mimeType, data, url, fileId, text }) {
  if (text !== undefined) return { text };
  if (data !== undefined)
    return {
      inlineData: { mimeType: mimeType ?? USUAL[kind] ?? "application/octet-stream", data },
    };
  const fileUri = url ?? fileId;
  if (fileUri === undefined) return undefined;
  return { fileData: { mimeType, fileUri } };
}

/** @param {Message} message @param {number} at @param {string} model @returns {Fields[]} */
function modelParts(message, at, model) {
  const own = isFrom(message, PROVIDER);
  const calls = callsOf(message);
  const parts = calls.map((call) => callPart(call, own));
  /** @type {Set<Fields>} */
  const placed = new Set();
  /** @type {Fields[]} */
  const made = [];
  for (const part of readContent(message.content)) {
    const { block } = part;
    // LangChain's adapter keeps calls in Gemini's form, without ids.
    const isOld = block?.type === "functionCall";
    const place = isOld ? placed.size : calls.findIndex(({ id }) => id === block?.id);
    const call = isOld || isCallBlock(block) ? parts[place] : undefined;
    if (call === undefined) made.push(...blockParts(part, own, at));
    else if (!placed.has(call)) {
      placed.add(call);
      if (own) sign(call, block.thoughtSignature);
      made.push(call);
    }
  }
  // Calls that the content does not place follow it.
  made.push(...parts.filter((part) => !placed.has(part)));
  const isSigned = parts.some((part) => part.thoughtSignature !== undefined);
  if (parts.length > 0 && !isSigned && !(own && message.response_metadata.model_name === model))
    for (const part of own ? [parts[0]] : parts) sign(part, NO_SIGNATURE);
  return made;
}

/** @param {Fields} part gets the signature, unless it has one @param {unknown} signature */
function sign(part, signature) {
  if (typeof signature === "string") part.thoughtSignature ??= signature;
}

/** @param {Fields} call @param {boolean} own @returns {Fields} */
function callPart({ name, args, extras, thoughtSignature }, own) {
  const id = own ? extras?.callId : undefined;
  const part = { functionCall: { id, name: name ?? "", args: isRecord(args) ? args : {} } };
  // LangChain keeps it in the call itself.
  if (own) sign(part, extras?.thoughtSignature ?? thoughtSignature);
  return part;
}

/**
 * Converts a block of an answer; reasoning and what the service's own tools did go back to Gemini
 * alone.
 * @param {Part} part @param {boolean} own @param {number} at
 * @returns {Fields[]}
 */
function blockParts(part, own, at) {
  const { block } = part;
  const made = partOf(part, own, at);
  if (made === undefined) return [];
  if (own) sign(made, block?.thoughtSignature);
  return made.text === "" && made.thoughtSignature === undefined ? [] : [made];
}

/** @param {Part} part @param {boolean} own @param {number} at @returns {Fields | undefined} */
function partOf(part, own, at) {
  const { block } = part;
  const isThought = own && block?.thought === true;
  if (part.kind === "text") return { text: part.text, thought: isThought || undefined };
  if (part.kind !== "other") return mediaPart(part, at);
  if (!own) return undefined;
  switch (block?.type) {
    case "reasoning":
      return { text: block.reasoning ?? "", thought: true };
    case "server_tool_call":
      return { executableCode: block.args };
    case "server_tool_call_result":
      return { codeExecutionResult: block.output };
    case "inlineData":
      return { inlineData: block.inlineData };
    case "non_standard":
      return isRecord(block.value) ? { ...block.value } : undefined;
    default:
      return undefined;
  }
}

/**
 * Converts the results of one turn, in the order of its calls: first by the calls' ids, then those
 * without a known id to the calls that are left.
 * @param {Fields[]} calls @param {Result[]} results @param {boolean} mayNest
 * @returns {Fields[]}
 */
function responses(calls, results, mayNest) {
  const ids = new Set(calls.map(({ id }) => id));
  /** By their calls. @type {Map<Fields, Result>} */
  const placed = new Map();
  const rest = new Set(results);
  for (const isById of [true, false])
    for (const result of rest) {
      const { tool_call_id: id, name } = result.message;
      if (ids.has(id) !== isById) continue;
      const call = calls.find(
        (one) => !placed.has(one) && (isById ? one.id === id : (name ?? one.name) === one.name),
      );
      if (call === undefined) continue;
      placed.set(call, result);
      rest.delete(result);
    }
  const made = calls.flatMap((call) => {
    const result = placed.get(call);
    return result === undefined ? [] : [responsePart(result, call)];
  });
  for (const result of rest) made.push(responsePart(result));
  return mayNest ? made : [...made.map(withoutMedia), ...made.flatMap(mediaBeside)];
}

/** @param {Result} result @param {Fields} [call] @returns {Fields} */
function responsePart({ message: { content, status, name }, at }, call) {
  const isTaken = (/** @type {Media} */ media) => placePart(media) !== undefined;
  const parts = readResult(content, isTaken, OWN_FILES).map((part) => {
    if (part.kind === "other") return { text: JSON.stringify(part.block) };
    return part.kind === "text" ? { text: part.text } : mediaPart(part, at);
  });
  const text = resultText(parts.filter((part) => part.text !== undefined));
  const media = parts.filter((part) => part.text === undefined);
  return {
    functionResponse: {
      id: call?.isOwn ? call.extras?.callId : undefined,
      name: call?.name ?? name ?? "",
      response: { [status === "error" ? "error" : "output"]: text },
      parts: media.length === 0 ? undefined : media,
    },
  };
}

/** @param {Fields} part */
function withoutMedia({ functionResponse: { parts: _media, ...rest } }) {
  return { functionResponse: rest };
}

/** @param {Fields} part */
function mediaBeside({ functionResponse: { name, parts } }) {
  return parts === undefined ? [] : [{ text: `The tool ${name} returned:` }, ...parts];
}
