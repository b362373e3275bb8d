// SPDX-License-Identifier: MIT
// Defines the messages with content only (human, system, function, chat) and RemoveMessage. Does
// not depend on AI and tool messages.
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

/** As the id of a RemoveMessage, it removes every earlier message. */
export const REMOVE_ALL_MESSAGES = "__remove_all__";

export const isHumanMessage = /* @__PURE__ */ testFor("human");
export const isSystemMessage = /* @__PURE__ */ testFor("system");
export const isFunctionMessage = /* @__PURE__ */ testFor("function");
export const isChatMessage = /* @__PURE__ */ testFor("generic");
export const isRemoveMessage = /* @__PURE__ */ testFor("remove");

// As in LangChain, these test the type only and accept whole messages too; a class's `isInstance`
// and `instanceof` distinguish chunks from whole messages.
export const isHumanMessageChunk = isHumanMessage;
export const isSystemMessageChunk = isSystemMessage;
export const isFunctionMessageChunk = isFunctionMessage;
export const isChatMessageChunk = isChatMessage;

/** A person's message. */
export class HumanMessage extends BaseMessage {}

/** A chunk of a person's message. */
export class HumanMessageChunk extends BaseMessageChunk {}

/** Instructions to the model. */
export class SystemMessage extends BaseMessage {
  /** Appends other instructions to these. @param {string | SystemMessage} other */
  concat(other) {
    return new SystemMessage(
      joinCommon(this, typeof other === "string" ? new SystemMessage(other) : other),
    );
  }
}

/** A chunk of instructions. */
export class SystemMessageChunk extends BaseMessageChunk {}

/** The result of a function call in OpenAI's older form. */
export class FunctionMessage extends BaseMessage {
  /** @param {Content | Fields} arg @param {string} [name] */
  constructor(arg, name) {
    super(name === undefined ? arg : { ...fieldsOf(arg), name });
  }
}

/** A chunk of a function's result. */
export class FunctionMessageChunk extends BaseMessageChunk {}

/** A message of a free role. */
export class ChatMessage extends BaseMessage {
  /** @param {Content | Fields} arg @param {string} [role] */
  constructor(arg, role) {
    super(arg);
    /** @type {string} */
    this.role = this.lc_kwargs.role = /** @type {string} */ (role ?? fieldsOf(arg).role);
  }
}

/** A chunk of a message of a free role. */
export class ChatMessageChunk extends BaseMessageChunk {
  /** @param {Content | Fields} arg @param {string} [role] */
  constructor(arg, role) {
    super(arg);
    /** @type {string} */
    this.role = this.lc_kwargs.role = /** @type {string} */ (role ?? fieldsOf(arg).role);
  }

  /** @param {ChatMessageChunk} chunk */
  concat(chunk) {
    return new ChatMessageChunk({ ...joinCommon(this, chunk), role: this.role });
  }
}

/** Makes a messages channel drop the message of this id. */
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
