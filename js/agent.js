// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/agent`: agents, and beside them what code for LangChain
// imports from `langchain` too, so that only the import's name changes. Bundlers leave out what is
// not used.
export * from "./agent/index.js";
export * from "./agent/middleware/index.js";
export {
  AIMessage,
  AIMessageChunk,
  BaseMessage,
  BaseMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
  countTokensApproximately,
  trimMessages,
} from "./messages/index.js";
export { InMemoryStore } from "./stores/memory.js";
export { tool } from "./tools/tool.js";
