// SPDX-License-Identifier: MIT
// Knows: which callback events are a sign of life of a node with an idle timeout. Must not know: timeouts.

const EVENTS = [
  "LLMStart", "ChatModelStart", "LLMNewToken", "LLMEnd", "LLMError", "ChainStart", "ChainEnd", "ChainError", "ToolStart",
  "ToolEvent", "ToolEnd", "ToolError", "RetrieverStart", "RetrieverEnd", "RetrieverError", "AgentAction", "AgentEnd", "Text", "CustomEvent",
];

/** @param {() => void} touch @returns {any} a handler of LangChain's shape */
export function progressHandler(touch) {
  const handler = { name: "IdleProgressHandler", awaitHandlers: true, raiseError: false, copy: () => handler };
  return Object.assign(handler, Object.fromEntries(EVENTS.map((event) => [`handle${event}`, () => touch()])));
}
