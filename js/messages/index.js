// SPDX-License-Identifier: MIT
// Exports messages in LangChain's shape, without LangChain.
export {
  BaseMessage,
  BaseMessageChunk,
  isBaseMessage,
  isBaseMessageChunk,
  messageType,
  textOf,
} from "./base.js";
export {
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  REMOVE_ALL_MESSAGES,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
  isChatMessage,
  isChatMessageChunk,
  isFunctionMessage,
  isFunctionMessageChunk,
  isHumanMessage,
  isHumanMessageChunk,
  isRemoveMessage,
  isSystemMessage,
  isSystemMessageChunk,
} from "./human-system.js";
export { AIMessage, AIMessageChunk, isAIMessage, isAIMessageChunk } from "./ai.js";
export {
  ToolMessage,
  ToolMessageChunk,
  isDirectToolOutput,
  isToolMessage,
  isToolMessageChunk,
} from "./tool.js";
export { MessageCoercionError, coerceMessageLikeToMessage } from "./coerce.js";
export { UnknownMessageError, messageFromRecord, messageToRecord } from "./record.js";
export { mergeContent } from "./merge.js";
export { collapseToolCallChunks, isOpenAIToolCallArray } from "./tool-calls.js";
export { countTokensApproximately } from "./count-tokens.js";
export { trimMessages } from "./trim.js";
