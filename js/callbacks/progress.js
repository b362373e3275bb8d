// SPDX-License-Identifier: MIT
// Tells a watched attempt that its node is alive, whatever callback reports it.

const EVENTS = [
  "LLMStart",
  "ChatModelStart",
  "LLMNewToken",
  "LLMEnd",
  "LLMError",
  "ChainStart",
  "ChainEnd",
  "ChainError",
  "ToolStart",
  "ToolEvent",
  "ToolEnd",
  "ToolError",
  "RetrieverStart",
  "RetrieverEnd",
  "RetrieverError",
  "AgentAction",
  "AgentEnd",
  "Text",
  "CustomEvent",
];

/** @param {() => void} touch @returns {any} a handler of LangChain's shape */
export function progressHandler(touch) {
  const handler = {
    name: "IdleProgressHandler",
    awaitHandlers: true,
    raiseError: false,
    copy: () => handler,
  };
  return Object.assign(
    handler,
    Object.fromEntries(EVENTS.map((event) => [`handle${event}`, () => touch()])),
  );
}
