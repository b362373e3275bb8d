// SPDX-License-Identifier: MIT
// Knows: the messages that carry content and nothing else: human, system, function, chat; and
// the one that removes. Owns: their classes and chunks. Must not know: AI and tool messages.
import {
  BaseMessage,
  BaseMessageChunk,
  describeClass,
  fieldsOf,
  hidden,
  joinCommon,
  testFor,
} from "./base.js";

/** @typedef {import("./base.js").Content} Content @typedef {import("./base.js").Fields} Fields */

/** Removes every message before it when it is the id of a RemoveMessage. */
export const REMOVE_ALL_MESSAGES = "__remove_all__";

export const isHumanMessage = /* @__PURE__ */ testFor("human");
export const isSystemMessage = /* @__PURE__ */ testFor("system");
export const isFunctionMessage = /* @__PURE__ */ testFor("function");
export const isChatMessage = /* @__PURE__ */ testFor("generic");
export const isRemoveMessage = /* @__PURE__ */ testFor("remove");

// As in LangChain these ask for the type alone and take whole messages too; a class's
// `isInstance` and `instanceof` tell chunks from whole messages.
export const isHumanMessageChunk = isHumanMessage;
export const isSystemMessageChunk = isSystemMessage;
export const isFunctionMessageChunk = isFunctionMessage;
export const isChatMessageChunk = isChatMessage;

/** What a person said. */
export class HumanMessage extends BaseMessage {}

/** A piece of what a person said. */
export class HumanMessageChunk extends BaseMessageChunk {}

/** Instructions to the model. */
export class SystemMessage extends BaseMessage {
  /** These instructions followed by others. @param {string | SystemMessage} other */
  concat(other) {
    return new SystemMessage(
      joinCommon(this, typeof other === "string" ? new SystemMessage(other) : other),
    );
  }
}

/** A piece of instructions. */
export class SystemMessageChunk extends BaseMessageChunk {}

/** The result of a function call in OpenAI's older form. */
export class FunctionMessage extends BaseMessage {
  /** @param {Content | Fields} arg @param {string} [name] */
  constructor(arg, name) {
    super(name === undefined ? arg : { ...fieldsOf(arg), name });
  }
}

/** A piece of a function's result. */
export class FunctionMessageChunk extends BaseMessageChunk {}

/** A message of a free role. */
export class ChatMessage extends BaseMessage {
  /** @param {Content | Fields} arg @param {string} [role] */
  constructor(arg, role) {
    super(arg);
    /** @type {string} */
    this.role = this.lc_kwargs.role = role ?? fieldsOf(arg).role;
  }
}

/** A piece of a message of a free role. */
export class ChatMessageChunk extends BaseMessageChunk {
  /** @param {Content | Fields} arg @param {string} [role] */
  constructor(arg, role) {
    super(arg);
    /** @type {string} */
    this.role = this.lc_kwargs.role = role ?? fieldsOf(arg).role;
  }

  /** @param {ChatMessageChunk} chunk */
  concat(chunk) {
    return new ChatMessageChunk({ ...joinCommon(this, chunk), role: this.role });
  }
}

/** Tells a messages channel to drop the message of this id. */
export class RemoveMessage extends BaseMessage {
  /** @param {Fields} fields */
  constructor(fields) {
    super({ content: [], ...fieldsOf(fields) });
  }
}

describeClass(HumanMessage, "HumanMessage", "human");
describeClass(HumanMessageChunk, "HumanMessageChunk", "human");
describeClass(SystemMessage, "SystemMessage", "system");
describeClass(SystemMessageChunk, "SystemMessageChunk", "system");
describeClass(FunctionMessage, "FunctionMessage", "function");
describeClass(FunctionMessageChunk, "FunctionMessageChunk", "function");
describeClass(ChatMessage, "ChatMessage", "generic", ["role"]);
describeClass(ChatMessageChunk, "ChatMessageChunk", "generic", ["role"]);
describeClass(RemoveMessage, "RemoveMessage", "remove");
// LangChain's own has the tag of its base class, and test runners compare tags.
hidden(RemoveMessage.prototype, Symbol.toStringTag, "BaseMessage");
