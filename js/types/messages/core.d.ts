// SPDX-License-Identifier: MIT
// The messages of a state as types: those of @langchain/core where it is installed, so that its
// models, prompts and helpers take them; else this package's own. Without it the imported names are
// `any`.
// @ts-ignore
import type * as Core from "@langchain/core/messages";
import type { AIMessage, BaseMessage, BaseMessageLike } from "./index.js";

/** Only `any` fits. */
type IsAny<Type> = { it: Type } extends { it: "nothing" } ? true : false;
/** A message that is read. */
export type StateMessage = IsAny<Core.BaseMessage> extends true ? BaseMessage : Core.BaseMessage;
/** What a model answers. */
export type StateAIMessage = IsAny<Core.AIMessage> extends true ? AIMessage : Core.AIMessage;
/** A message that is written, in any of its forms. */
export type StateMessageLike =
  IsAny<Core.BaseMessageLike> extends true
    ? BaseMessageLike
    : BaseMessageLike | Core.BaseMessageLike;
