// SPDX-License-Identifier: MIT
// Knows: what every message has (content, id, name, kwargs) and LangChain's JSON form of it.
// Owns: the two base classes and the shape test by which foreign messages are recognised.
// Must not know: the single kinds of message, models, tools, graphs.
import { checkArgument, isObject } from "../base/check-arguments.js";
import { formatted, printed } from "./format.js";
import { mergeContent, mergeDicts } from "./merge.js";

/** LangChain's own mark; its models and reducers recognise our instances by it. */
export const MESSAGE = /* @__PURE__ */ Symbol.for("langchain.message");

const NAMESPACE = /* @__PURE__ */ Object.freeze(["langchain_core", "messages"]);

const SILENT_FIELDS = /* @__PURE__ */ new Set(["type", "contentBlocks", "content_blocks"]);

let isLinked = false;

/**
 * @typedef {string | Array<Value>} Content
 * @typedef {Record<string, Value>} Fields
 */
/** @typedef {import("../base/callable.js").Value} Value */
/**
 * A message of this package or of LangChain, by its shape.
 * @typedef {{ content: Content, id?: string, name?: string, type: string, tool_call_id?: string,
 *   tool_calls?: import("./tool-calls.js").ToolCall[], additional_kwargs: Fields,
 *   response_metadata: Fields, [key: string]: Value }} Message
 */

/**
 * The type of anything message-shaped ("human", "ai", ...), of this package, of any version
 * of LangChain, or undefined when the value is no message.
 * @param {Value} value
 * @returns {string | undefined}
 */
export function messageType(value) {
  if (value === null || typeof value !== "object") return undefined;
  if (value[MESSAGE] === true && typeof value.type === "string") return value.type;
  if (typeof value._getType === "function") return value._getType();
  return undefined;
}

/** @param {unknown} value @returns {value is Message} */
export function isBaseMessage(value) {
  return messageType(value) !== undefined;
}

/**
 * Is it a piece of a message? A method `concat` is not enough: LangChain's whole system
 * messages have one too.
 * @param {Value} value
 * @returns {boolean}
 */
export function isBaseMessageChunk(value) {
  if (!isBaseMessage(value) || typeof value.concat !== "function") return false;
  const { constructor } = /** @type {{ constructor: Value }} */ (value);
  const name =
    typeof constructor?.lc_name === "function" ? constructor.lc_name() : constructor?.name;
  return typeof name === "string" && name.endsWith("Chunk");
}

/**
 * LangChain's classes of chunks, `instanceof` too, look for their base class among an object's
 * prototypes. From the first of LangChain's chunks on that is met, this package's chunks have that
 * class there, beneath all that is their own.
 * @param {Value} chunk anything
 */
export function linkChunks(chunk) {
  if (isLinked || !isBaseMessageChunk(chunk) || chunk._class !== undefined) return;
  // That of the class right beneath LangChain's BaseMessage, whose method this is.
  let proto = Object.getPrototypeOf(chunk);
  let above = proto && Object.getPrototypeOf(proto);
  while (above && !Object.hasOwn(above, "toDict"))
    [proto, above] = [above, Object.getPrototypeOf(above)];
  if (!above) return;
  isLinked = Reflect.setPrototypeOf(
    BaseMessageChunk.prototype,
    Object.create(proto, Object.getOwnPropertyDescriptors(BaseMessage.prototype)),
  );
}

/** @param {string} type @returns {(value: unknown) => boolean} */
export function testFor(type) {
  return (value) => messageType(value) === type;
}

/**
 * The fields that every kind of chunk joins in the same way.
 * @param {Value} left
 * @param {Value} right
 * @returns {Fields}
 */
export function joinCommon(left, right) {
  checkArgument(isObject(right), "concat(chunk): chunk must be a message");
  return {
    content: mergeContent(left.content, right.content),
    additional_kwargs: mergeDicts(left.additional_kwargs, right.additional_kwargs),
    response_metadata: mergeDicts(left.response_metadata, right.response_metadata),
    id: left.id ?? right.id,
    name: left.name ?? right.name,
  };
}

/**
 * Gives a class its name, the type of its messages, its fields in JSON order, the names it knows
 * and its test by shape.
 * @param {Value} cls
 * @param {string} name
 * @param {string} type empty for the base classes
 * @param {string[]} [fields]
 * @param {string[]} [printedFields] those of them that are printed, in that order
 */
export function describeClass(cls, name, type, fields = [], printedFields = fields) {
  const { prototype } = cls;
  const all = ["content", "id", "name", ...fields, "additional_kwargs", "response_metadata"];
  const isChunk = name.endsWith("Chunk");
  const isInstance = (/** @type {unknown} */ value) => {
    const given = messageType(value);
    return (
      given !== undefined &&
      (type === "" || given === type) &&
      (!isChunk || isBaseMessageChunk(value))
    );
  };
  hidden(prototype, "_class", cls);
  hidden(prototype, "_type", type);
  hidden(prototype, "_fields", all);
  hidden(prototype, "_printed", printedFields);
  hidden(prototype, "_known", new Set([...all, ...SILENT_FIELDS]));
  hidden(prototype, Symbol.toStringTag, name);
  hidden(cls, "lc_name", () => name);
  hidden(cls, "isInstance", isInstance);
  hidden(cls, Symbol.hasInstance, isInstance);
}

/**
 * Also in what LangChain's messages say that they were made of: that is what they save.
 * @param {Message} message
 * @param {string | undefined} id
 */
export function setId(message, id) {
  message.id = id;
  if (Object.hasOwn(message, "lc_kwargs")) message.lc_kwargs.id = id;
}

/** @param {object} target @param {PropertyKey} key @param {unknown} value */
export function hidden(target, key, value) {
  Object.defineProperty(target, key, {
    value,
    enumerable: false,
    configurable: true,
    writable: true,
  });
}

/** @param {unknown} arg @returns {Fields} */
export function fieldsOf(arg) {
  if (typeof arg === "string" || Array.isArray(arg)) return { content: arg };
  if (arg === null || typeof arg !== "object") {
    throw new TypeError(`A message cannot be made from ${arg === null ? "null" : typeof arg}`);
  }
  return arg;
}

/** Everything that all messages have; made only through its subclasses. */
export class BaseMessage {
  /** @param {Content | Fields} arg */
  constructor(arg) {
    const fields = fieldsOf(arg);
    // What LangChain's messages have of their own, so that those who compare messages field by
    // field find it.
    this.lc_serializable = true;
    /** The fields that this message was made from. @type {Fields} */
    this.lc_kwargs = { content: fields.content };
    /** @type {readonly string[]} */
    this.lc_namespace = NAMESPACE;
    /** @type {Record<PropertyKey, Value>} */ (this)[MESSAGE] = true;
    /** @type {string} */
    this.type = /** @type {Record<PropertyKey, Value>} */ (this)._type;
    /** @type {Content} */
    this.content = fields.content;
    /** @type {string | undefined} */
    this.id = fields.id;
    /** @type {string | undefined} */
    this.name = fields.name;
    /** @type {Fields} */
    this.additional_kwargs = fields.additional_kwargs ?? {};
    /** @type {Fields} */
    this.response_metadata = fields.response_metadata ?? {};
    if (fields === arg) {
      if (fields.content === undefined) adoptBlocks(this, fields);
      keepGiven(this, fields);
    }
    this.lc_kwargs.additional_kwargs = this.additional_kwargs;
    this.lc_kwargs.response_metadata = this.response_metadata;
  }

  getType() {
    return this.type;
  }

  _getType() {
    return this.type;
  }

  get lc_id() {
    return [
      ...this.lc_namespace,
      /** @type {Record<PropertyKey, Value>} */ (this.constructor).lc_name(),
    ];
  }

  get lc_aliases() {
    return Object.fromEntries(
      /** @type {Record<PropertyKey, Value>} */ (this)._fields
        .slice(3)
        .map((/** @type {string} */ f) => [f, f]),
    );
  }

  get lc_secrets() {
    return undefined;
  }

  /** The text of the message, without its other blocks. */
  get text() {
    return textOf(this.content);
  }

  /** Content as a list of standard blocks; tool calls come last. */
  get contentBlocks() {
    return blocksOf(this);
  }

  /** @param {string | undefined} id */
  _updateId(id) {
    setId(this, id);
  }

  /**
   * For people: a heading, the calls of tools, the text.
   * @param {string} [format] any but "pretty" gives the message's JSON
   */
  toFormattedString(format = "pretty") {
    return format === "pretty" ? formatted(this) : JSON.stringify(this);
  }

  /** Node's console prints it. @param {number | null} depth */
  [Symbol.for("nodejs.util.inspect.custom")](depth) {
    return depth === null ? this : printed(this, depth);
  }

  /** @returns {{ type: string, data: Fields }} */
  toDict() {
    return { type: this.type, data: kwargsOf(this) };
  }

  /** @returns {{ lc: 1, type: "constructor", id: string[], kwargs: Fields }} */
  toJSON() {
    return { lc: 1, type: "constructor", id: this.lc_id, kwargs: escaped(kwargsOf(this)) };
  }
}

/** A message that arrives in pieces; pieces are joined by `concat`. */
export class BaseMessageChunk extends BaseMessage {
  /**
   * @param {unknown} chunk
   * @returns {unknown}
   */
  concat(chunk) {
    const { _class } = /** @type {Record<PropertyKey, Value>} */ (this);
    if (_class === BaseMessageChunk) throw new TypeError(`${this.constructor.name} has no concat`);
    return new _class(joinCommon(this, chunk));
  }
}

describeClass(BaseMessage, "BaseMessage", "");
describeClass(BaseMessageChunk, "BaseMessageChunk", "");

/**
 * The key under which LangChain keeps plain data that its reader would take for a record of its
 * own.
 */
export const ESCAPED = "__lc_escaped__";

/**
 * The same with such data marked, as LangChain's own messages write it.
 * @param {Value} value
 * @param {unknown[]} [above]
 * @returns {Value}
 */
function escaped(value, above = []) {
  if (typeof value !== "object" || value === null || above.includes(value)) return value;
  const inner = [...above, value];
  if (Array.isArray(value)) return value.map((item) => escaped(item, inner));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const keys = Object.keys(value);
  if ("lc" in value || (keys.length === 1 && keys[0] === ESCAPED)) return { [ESCAPED]: value };
  return Object.fromEntries(keys.map((key) => [key, escaped(value[key], inner)]));
}

/** @param {BaseMessage} message @param {Fields} fields */
function adoptBlocks(message, fields) {
  const blocks = fields.contentBlocks ?? fields.content_blocks;
  if (!Array.isArray(blocks)) return;
  message.content = blocks;
  message.response_metadata = { output_version: "v1", ...message.response_metadata };
}

/**
 * Also what the message, or the copy of one, that they are of was made from.
 * @param {Message} message
 * @param {Fields} fields
 */
function keepGiven(message, fields) {
  const { lc_kwargs: kwargs, _known: known } = message;
  for (const key in fields)
    if (known.has(key) ? !SILENT_FIELDS.has(key) : !key.startsWith("lc_") && key !== "__proto__")
      kwargs[key] = fields[key];
  const before = fields.lc_kwargs;
  if (isObject(before))
    for (const key in before) if (!known.has(key) && !(key in kwargs)) kwargs[key] = before[key];
}

/** @param {Message} message @returns {Fields} */
function kwargsOf(message) {
  /** @type {Fields} */
  const kwargs = {};
  for (const field of message._fields) {
    if (message[field] !== undefined) kwargs[field] = message[field];
  }
  for (const key in message.lc_kwargs)
    if (!message._known.has(key)) kwargs[key] = message.lc_kwargs[key];
  return kwargs;
}

/** @param {unknown} content @returns {string} */
export function textOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  let text = "";
  for (const block of content) {
    if (
      block !== null &&
      typeof block === "object" &&
      block.type === "text" &&
      typeof block.text === "string"
    )
      text += block.text;
  }
  return text;
}

/** @param {Message} message @returns {unknown[]} */
function blocksOf(message) {
  const { content } = message;
  const blocks =
    typeof content === "string" ? [{ type: "text", text: content }] : [...(content ?? [])];
  for (const call of message.tool_calls ?? []) {
    const told = blocks.some((block) => block?.type === "tool_call" && block.id === call.id);
    if (!told) blocks.push({ type: "tool_call", id: call.id, name: call.name, args: call.args });
  }
  return blocks;
}
