// SPDX-License-Identifier: MIT
// The messages of a state as types: those of @langchain/core where it is installed, so that its models, prompts and
// helpers take them; else this package's own. Without it the imported names are `any`.
// @ts-ignore
import type { AIMessage as CoreAIMessage, BaseMessage as CoreMessage, BaseMessageLike as CoreMessageLike } from "@langchain/core/messages";
import type { AIMessage, BaseMessage, BaseMessageLike } from "./index.js";

/** Only `any` fits. */
type IsAny<Type> = { it: Type } extends { it: "nothing" } ? true : false;
/** A message that is read. */
export type StateMessage = IsAny<CoreMessage> extends true ? BaseMessage : CoreMessage;
/** What a model answers. */
export type StateAIMessage = IsAny<CoreAIMessage> extends true ? AIMessage : CoreAIMessage;
/** A message that is written, in any of its forms. */
export type StateMessageLike = IsAny<CoreMessageLike> extends true ? BaseMessageLike : BaseMessageLike | CoreMessageLike;
