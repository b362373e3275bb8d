// SPDX-License-Identifier: MIT
// Knows: the messages that carry content and nothing else: human, system, function, chat; and
// the one that removes. Owns: their classes and chunks. Must not know: AI and tool messages.
import { BaseMessage, BaseMessageChunk, describeClass, fieldsOf, isBaseMessageChunk, messageType } from "./base.js";
import { mergeContent, mergeDicts } from "./merge.js";

/** @typedef {import("./base.js").Content} Content @typedef {import("./base.js").Fields} Fields */

/** Removes every message before it when it is the id of a RemoveMessage. */
export const REMOVE_ALL_MESSAGES = "__remove_all__";

/**
 * The fields that every kind of chunk joins in the same way.
 * @param {any} left
 * @param {any} right
 * @returns {Fields}
 */
export function joinCommon(left, right) {
  return {
    content: mergeContent(left.content, right.content),
    additional_kwargs: mergeDicts(left.additional_kwargs, right.additional_kwargs),
    response_metadata: mergeDicts(left.response_metadata, right.response_metadata),
    id: left.id ?? right.id,
    name: left.name ?? right.name,
  };
}

/** @param {string} type @returns {(value: any) => boolean} */
export function testFor(type) {
  return (value) => messageType(value) === type;
}

/** @param {string} type @returns {(value: any) => boolean} */
export function testForChunk(type) {
  return (value) => messageType(value) === type && isBaseMessageChunk(value);
}

export const isHumanMessage = testFor("human");
export const isSystemMessage = testFor("system");
export const isFunctionMessage = testFor("function");
export const isChatMessage = testFor("generic");
export const isRemoveMessage = testFor("remove");

// As in LangChain these ask for the type alone and take whole messages too; a class's
// `isInstance` and `instanceof` tell chunks from whole messages.
export const isHumanMessageChunk = isHumanMessage;
export const isSystemMessageChunk = isSystemMessage;
export const isFunctionMessageChunk = isFunctionMessage;
export const isChatMessageChunk = isChatMessage;

/** What a person said. */
export class HumanMessage extends BaseMessage {
  /** @param {Content | Fields} arg */
  constructor(arg) {
    super(arg);
    this.type = "human";
  }
}

/** A piece of what a person said. */
export class HumanMessageChunk extends BaseMessageChunk {
  /** @param {Content | Fields} arg */
  constructor(arg) {
    super(arg);
    this.type = "human";
  }

  /** @param {HumanMessageChunk} chunk */
  concat(chunk) {
    return new HumanMessageChunk(joinCommon(this, chunk));
  }
}

/** Instructions to the model. */
export class SystemMessage extends BaseMessage {
  /** @param {Content | Fields} arg */
  constructor(arg) {
    super(arg);
    this.type = "system";
  }

  /** These instructions followed by others. @param {string | SystemMessage} other */
  concat(other) {
    return new SystemMessage(joinCommon(this, typeof other === "string" ? new SystemMessage(other) : other));
  }
}

/** A piece of instructions. */
export class SystemMessageChunk extends BaseMessageChunk {
  /** @param {Content | Fields} arg */
  constructor(arg) {
    super(arg);
    this.type = "system";
  }

  /** @param {SystemMessageChunk} chunk */
  concat(chunk) {
    return new SystemMessageChunk(joinCommon(this, chunk));
  }
}

/** The result of a function call in OpenAI's older form. */
export class FunctionMessage extends BaseMessage {
  /** @param {Content | Fields} arg @param {string} [name] */
  constructor(arg, name) {
    super(name === undefined ? arg : { ...fieldsOf(arg), name });
    this.type = "function";
  }
}

/** A piece of a function's result. */
export class FunctionMessageChunk extends BaseMessageChunk {
  /** @param {Content | Fields} arg */
  constructor(arg) {
    super(arg);
    this.type = "function";
  }

  /** @param {FunctionMessageChunk} chunk */
  concat(chunk) {
    return new FunctionMessageChunk(joinCommon(this, chunk));
  }
}

/** A message of a free role. */
export class ChatMessage extends BaseMessage {
  /** @param {Content | Fields} arg @param {string} [role] */
  constructor(arg, role) {
    super(arg);
    this.type = "generic";
    /** @type {string} */
    this.role = role ?? fieldsOf(arg).role;
  }
}

/** A piece of a message of a free role. */
export class ChatMessageChunk extends BaseMessageChunk {
  /** @param {Content | Fields} arg @param {string} [role] */
  constructor(arg, role) {
    super(arg);
    this.type = "generic";
    /** @type {string} */
    this.role = role ?? fieldsOf(arg).role;
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
    this.type = "remove";
  }
}

describeClass(HumanMessage, "HumanMessage", [], isHumanMessage);
describeClass(HumanMessageChunk, "HumanMessageChunk", [], testForChunk("human"));
describeClass(SystemMessage, "SystemMessage", [], isSystemMessage);
describeClass(SystemMessageChunk, "SystemMessageChunk", [], testForChunk("system"));
describeClass(FunctionMessage, "FunctionMessage", [], isFunctionMessage);
describeClass(FunctionMessageChunk, "FunctionMessageChunk", [], testForChunk("function"));
describeClass(ChatMessage, "ChatMessage", ["role"], isChatMessage);
describeClass(ChatMessageChunk, "ChatMessageChunk", ["role"], testForChunk("generic"));
describeClass(RemoveMessage, "RemoveMessage", [], isRemoveMessage);
