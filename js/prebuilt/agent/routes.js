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
import { callsOf, messagesIn } from "../tool-calls/open-calls.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("./agent-model.js").AgentState} AgentState */

/**
 * Returns "tools" when the last message has tool calls, else the end.
 * @param {unknown} state a state with messages, or a list of messages
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
  const list = messagesIn(state, name);
  checkArgument(
    Array.isArray(list),
    `toolsCondition(state): state must be a list of messages, or an object with the list "${name}"`,
  );
  /** @type {Message | undefined} */
  const message = /** @type {Message[]} */ (list).at(-1);
  // Conditions also accept messages in their serialized form.
  if ((message?.tool_calls?.length ?? 0) > 0) return "tools";
  return routeModel(message, 0) === ROUTE_END ? END : "tools";
}

/** @param {Message | undefined} message the last one @param {number} flags REACT_* of the graph */
function routeModel(message, flags) {
  const isAi = message !== undefined && messageType(message) === "ai";
  return getEngine().call(
    "weft_route_model",
    flags | (isAi ? REACT_AI_LAST : 0),
    isAi ? callsOf(message).length : 0,
  );
}

/**
 * Routes after the model: to the tools' node, to one task per call (version "v2"), or to `end`.
 * @param {AgentState} state
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
/** @param {AgentState} state @param {OpenCall[]} calls @returns {Send[]} */
export function sendCalls(state, calls) {
  const ids = new Set(calls.map((call) => call.id));
  if (
    ids.size < calls.length ||
    ids.has(undefined) ||
    ids.has(/** @type {never} */ (null)) ||
    ids.has("")
  )
    return [new Send("tools", state)];
  return calls.map((call) => new Send("tools", { ...state, lg_tool_call: call }));
}

/**
 * Routes after the tools: to `end` when a direct tool answered the user, else to the model.
 * @param {Message[]} messages
 * @param {ReadonlySet<string>} direct names of tools with returnDirect
 * @param {string} model
 * @param {string} end
 */
export function afterTools(messages, direct, model, end) {
  let flags = 0;
  for (let at = messages.length - 1; at >= 0 && messageType(messages[at]) === "tool"; at--) {
    if (direct.has(messages[at].name ?? "")) flags = REACT_DIRECT_HIT;
  }
  return getEngine().call("weft_route_tools", flags) === ROUTE_END ? end : model;
}
