// SPDX-License-Identifier: MIT
// Gives the engine's routers the facts about a conversation and turns their answers into node
// names. Does not depend on tools or models.
import {
  REACT_AI_LAST,
  REACT_DIRECT_HIT,
  REACT_SEND_EACH,
  ROUTE_END,
  ROUTE_SEND,
} from "../../base/codes.js";
import { getEngine } from "../../engine/instance.js";
import { END, Send } from "../../base/constants.js";
import { checkArgument } from "../../base/check-arguments.js";
import { messageType } from "../../messages/base.js";
import { callsOf } from "../tool-calls/open-calls.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../base/callable.js").Value} Value */

/**
 * Returns "tools" when the last message has tool calls, else the end.
 * @param {Value} state a state with messages, or a list of messages
 * @param {string | { messagesKey?: string }} [key] the key of the messages; not the config that a
 *   graph passes
 * @returns {"tools" | typeof END}
 */
export function toolsCondition(state, key) {
  const name =
    typeof key === "string"
      ? key
      : typeof key?.messagesKey === "string"
        ? key.messagesKey
        : "messages";
  const list = Array.isArray(state) ? state : state?.[name];
  checkArgument(
    Array.isArray(list),
    `toolsCondition(state): state must be a list of messages, or an object with the list "${name}"`,
  );
  const message = list[list.length - 1];
  // Conditions also accept messages in their serialized form.
  if (message?.tool_calls?.length > 0) return "tools";
  return routeModel(message, 0) === ROUTE_END ? END : "tools";
}

/** @param {Message} message the last one @param {number} flags REACT_* of the graph */
function routeModel(message, flags) {
  const last = message !== undefined && messageType(message) === "ai" ? REACT_AI_LAST : 0;
  return getEngine().call(
    "weft_route_model",
    flags | last,
    last === 0 ? 0 : callsOf(message).length,
  );
}

/**
 * Routes after the model: to the tools' node, to one task per call (version "v2"), or to `end`.
 * @param {Value} state
 * @param {boolean} sendEach
 * @param {string} end
 * @returns {string | Send[]}
 */
export function afterModel(state, sendEach, end) {
  const message = state.messages[state.messages.length - 1];
  const route = routeModel(message, sendEach ? REACT_SEND_EACH : 0);
  if (route === ROUTE_END) return end;
  return route === ROUTE_SEND ? sendCalls(state, callsOf(message)) : "tools";
}

// Sends calls with duplicate or missing ids to one task: only the list tells them apart.
/** @param {Value} state @param {Value[]} calls @returns {Send[]} */
export function sendCalls(state, calls) {
  const ids = new Set(calls.map((call) => call.id));
  if (ids.size < calls.length || ids.has(undefined) || ids.has(null) || ids.has(""))
    return [new Send("tools", state)];
  return calls.map((call) => new Send("tools", { ...state, lg_tool_call: call }));
}

/**
 * Routes after the tools: to `end` when a direct tool answered the user, else to the model.
 * @param {Value[]} messages
 * @param {ReadonlySet<string>} direct names of tools with returnDirect
 * @param {string} model
 * @param {string} end
 */
export function afterTools(messages, direct, model, end) {
  let flags = 0;
  for (let at = messages.length - 1; at >= 0 && messageType(messages[at]) === "tool"; at--) {
    if (direct.has(messages[at].name)) flags = REACT_DIRECT_HIT;
  }
  return getEngine().call("weft_route_tools", flags) === ROUTE_END ? end : model;
}
