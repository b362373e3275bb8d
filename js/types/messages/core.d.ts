// SPDX-License-Identifier: MIT
// Declares the messages of a state: those of @langchain/core where it is installed, so that its
// models, prompts and helpers accept them; else this package's own. Without it the imported names
// are `any`.
// @ts-ignore
import type * as Core from "@langchain/core/messages";
import type { AIMessage, BaseMessage, BaseMessageLike } from "./index.js";

/** Tests for `any`: true if the type is any. */
type IsAny<Type> = { it: Type } extends { it: "nothing" } ? true : false;
/** A message in a state. */
export type StateMessage = IsAny<Core.BaseMessage> extends true ? BaseMessage : Core.BaseMessage;
/** A model's answer. */
export type StateAIMessage = IsAny<Core.AIMessage> extends true ? AIMessage : Core.AIMessage;
/** A message in any of its input forms. */
export type StateMessageLike =
  IsAny<Core.BaseMessageLike> extends true
    ? BaseMessageLike
    : BaseMessageLike | Core.BaseMessageLike;
