// SPDX-License-Identifier: MIT
// Makes a handler that counts every callback as progress of a watched attempt.

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

/** @param {() => void} touch @returns {object} a handler of LangChain's shape */
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
