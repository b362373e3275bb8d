// SPDX-License-Identifier: MIT
// Converts messages to Gemini's contents: roles in turn, the results of a turn in one content and
// in the order of its calls, signatures at their parts. Does not depend on HTTP or answers.
import { isRecord } from "../../base/check-arguments.js";
import { messageType } from "../../messages/index.js";
import {
  blockRefused,
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
/** @typedef {import("../message-parts.js").Media} Media */
/** @typedef {import("../message-parts.js").Part} Part */
/**
 * A content before it is sent. `results`: messages with the results of `calls`, which are those of
 * the content before.
 * @typedef {{ role: "user" | "model", parts: Fields[], calls: Fields[], results: { message:
 *   Message, at: number }[] }} Turn
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

/** @param {Message} message @returns {Fields[]} */
function callsOf({ tool_calls, invalid_tool_calls }) {
  const invalid = (invalid_tool_calls ?? []).filter((/** @type {Fields} */ call) => call.id);
  return [...(tool_calls ?? []), ...invalid];
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
  return { fileData: { ...(mimeType === undefined ? {} : { mimeType }), fileUri } };
}

/** @param {Message} message @param {number} at @param {string} model @returns {Fields[]} */
function modelParts(message, at, model) {
  const own = isFrom(message, PROVIDER);
  const calls = callsOf(message);
  const parts = calls.map((call) => callPart(call, own));
  const open = new Map(calls.map((call, place) => [call.id, place]));
  /** @type {Set<number>} */
  const placed = new Set();
  /** @type {Fields[]} */
  const made = [];
  for (const part of readContent(message.content)) {
    const { block } = part;
    // LangChain's adapter keeps calls in Gemini's form, without ids.
    const place = isCallBlock(block)
      ? open.get(block.id)
      : block?.type === "functionCall" && placed.size < parts.length
        ? placed.size
        : undefined;
    if (place === undefined) made.push(...blockParts(part, own, at));
    else if (!placed.has(place)) {
      placed.add(place);
      if (own) sign(parts[place], block.thoughtSignature);
      made.push(parts[place]);
    }
  }
  // Calls that the content does not place follow it.
  made.push(...parts.filter((_, place) => !placed.has(place)));
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
  /** @type {Fields} */
  const functionCall = { name: name ?? "", args: isRecord(args) ? args : {} };
  const part = { functionCall };
  if (!own) return part;
  if (extras?.callId !== undefined) functionCall.id = extras.callId;
  // LangChain keeps it in the call itself.
  sign(part, extras?.thoughtSignature ?? thoughtSignature);
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
  if (part.kind === "text") return { text: part.text, ...(isThought ? { thought: true } : {}) };
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
 * @param {Fields[]} calls @param {{ message: Message, at: number }[]} results
 * @param {boolean} mayNest
 * @returns {Fields[]}
 */
function responses(calls, results, mayNest) {
  const ids = new Set(calls.map(({ id }) => id));
  /** @type {Map<Message, number>} */
  const placeOf = new Map();
  const free = new Set(calls.keys());
  for (const isById of [true, false])
    for (const { message } of results) {
      const { tool_call_id: id, name } = message;
      if (placeOf.has(message) || ids.has(id) !== isById) continue;
      const place = [...free].find((at) =>
        isById ? calls[at].id === id : (name ?? calls[at].name) === calls[at].name,
      );
      if (place === undefined) continue;
      free.delete(place);
      placeOf.set(message, place);
    }
  const made = results
    .map(({ message, at }) => ({ message, at, place: placeOf.get(message) ?? calls.length }))
    .sort((one, other) => one.place - other.place)
    .map(({ message, at, place }) => responsePart(message, calls[place], at));
  return mayNest ? made : [...made.map(withoutMedia), ...made.flatMap(mediaBeside)];
}

/**
 * @param {Message} message @param {Fields | undefined} call @param {number} at
 * @returns {Fields}
 */
function responsePart({ content, status, name }, call, at) {
  const isTaken = (/** @type {Media} */ media) => placePart(media) !== undefined;
  const parts = readResult(content, isTaken, OWN_FILES).map((part) => {
    if (part.kind === "other") return { text: JSON.stringify(part.block) };
    return part.kind === "text" ? { text: part.text } : mediaPart(part, at);
  });
  const text = resultText(parts.filter((part) => part.text !== undefined));
  const media = parts.filter((part) => part.text === undefined);
  const id = call?.isOwn ? call.extras?.callId : undefined;
  return {
    functionResponse: {
      ...(id === undefined ? {} : { id }),
      name: call?.name ?? name ?? "",
      response: { [status === "error" ? "error" : "output"]: text },
      ...(media.length === 0 ? {} : { parts: media }),
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
