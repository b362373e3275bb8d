// SPDX-License-Identifier: MIT
// Defines what every message has (content, id, name, kwargs) and its JSON form in LangChain's
// format: the two base classes, and the test that recognises foreign messages by shape. Does not
// depend on the kinds of messages, models, tools or graphs.
import { checkArgument, isObject } from "../base/check-arguments.js";
import { blocksOf } from "./content-blocks.js";
import { formatted, printed } from "./format.js";
import { mergeContent, mergeDicts } from "./merge.js";

/** LangChain's own mark, by which its models and reducers recognise Weft's instances. */
export const MESSAGE = /* @__PURE__ */ Symbol.for("langchain.message");

const NAMESPACE = /** @type {string[]} */ (
  /* @__PURE__ */ Object.freeze(["langchain_core", "messages"])
);

const SILENT_FIELDS = /* @__PURE__ */ new Set(["type", "contentBlocks", "content_blocks"]);

let isLinked = false;

/**
 * @typedef {import("../types/messages/index.js").MessageContent} Content
 * @typedef {import("../types/messages/index.js").ContentBlock} ContentBlock
 * @typedef {import("../types/messages/index.js").UsageMetadata} UsageMetadata
 * @typedef {import("./tool-calls.js").ToolCall} ToolCall
 * @typedef {import("./tool-calls.js").InvalidToolCall} InvalidToolCall
 * @typedef {import("./tool-calls.js").ToolCallChunk} ToolCallChunk
 */
/**
 * Fields that a message is made from. Unknown ones are kept.
 * @typedef {{ content?: Content, id?: string, name?: string, role?: string, tool_call_id?: string,
 *   tool_calls?: unknown[], invalid_tool_calls?: unknown[], tool_call_chunks?: ToolCallChunk[],
 *   status?: "success" | "error", metadata?: Record<string, unknown>,
 *   additional_kwargs?: Record<string, unknown>, response_metadata?: Record<string, unknown>,
 *   [key: string]: unknown }} Fields
 */
/** @typedef {import("../base/callable.js").Value} Value */
/**
 * A message of this package or of LangChain, by its shape.
 * @typedef {{ content: Content, id?: string, name?: string, type: string, tool_call_id?: string,
 *   tool_calls?: ToolCall[], additional_kwargs: Record<string, unknown>,
 *   response_metadata: Record<string, unknown>, [key: string]: Value }} Message
 */
/**
 * What `describeClass` puts on the prototype of a message's class.
 * @typedef {{ _class: MessageClass, _type: string, _fields: string[], _printed: string[],
 *   _known: Set<string> }} Described
 * @typedef {(new (fields: Fields) => BaseMessage) & { lc_name(): string, readonly name: string }}
 *   MessageClass
 */

/**
 * Returns the type of anything message-shaped ("human", "ai", ...), of this package or any version
 * of LangChain; undefined if the value is no message.
 * @param {unknown} value
 * @returns {string | undefined}
 */
export function messageType(value) {
  if (value === null || typeof value !== "object") return undefined;
  const given = /** @type {{ [MESSAGE]?: unknown, type?: unknown, _getType?: unknown }} */ (value);
  if (given[MESSAGE] === true && typeof given.type === "string") return given.type;
  if (typeof given._getType === "function") return given._getType();
  return undefined;
}

/** @param {unknown} value @returns {value is Message} */
export function isBaseMessage(value) {
  return messageType(value) !== undefined;
}

/**
 * Is it a chunk of a message? A method `concat` is not enough: LangChain's whole system messages
 * have one too.
 * @param {unknown} value
 * @returns {boolean}
 */
export function isBaseMessageChunk(value) {
  if (!isBaseMessage(value) || typeof value.concat !== "function") return false;
  const constructor = /** @type {Partial<MessageClass> | undefined} */ (value.constructor);
  const name =
    typeof constructor?.lc_name === "function" ? constructor.lc_name() : constructor?.name;
  return typeof name === "string" && name.endsWith("Chunk");
}

/**
 * Makes this package's chunks instances of LangChain's base class of chunks, which LangChain's
 * classes (and `instanceof`) look for among an object's prototypes. Done at the first LangChain
 * chunk met: its class is inserted beneath all of Weft's own members.
 * @param {unknown} chunk anything
 */
export function linkChunks(chunk) {
  if (isLinked || !isBaseMessageChunk(chunk)) return;
  if (/** @type {Partial<Described>} */ (chunk)._class !== undefined) return;
  // Finds the class directly below LangChain's BaseMessage, which defines toDict.
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
 * Joins the fields that every kind of chunk joins in the same way.
 * @param {BaseMessage} left
 * @param {BaseMessage} right
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
 * Sets a class's name, its messages' type, its fields in JSON order, its known names and its test
 * by shape.
 * @param {Function} cls
 * @param {string} name
 * @param {string} type empty for the base classes
 * @param {string[]} [fields]
 * @param {string[]} [printedFields] fields to print, in that order
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
 * Sets the id, also among the constructor fields of LangChain's messages, which they save.
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
  return /** @type {Fields} */ (arg);
}

/** Base of all messages; instantiated only through subclasses. */
export class BaseMessage {
  /** @param {Content | Fields} arg */
  constructor(arg) {
    const fields = fieldsOf(arg);
    // Own fields of LangChain's messages, for code that compares messages field by field.
    this.lc_serializable = true;
    /** The fields that this message was made from. @type {Fields} */
    this.lc_kwargs = { content: fields.content };
    /** @type {string[]} */
    this.lc_namespace = NAMESPACE;
    /** @type {{ [MESSAGE]?: true }} */ (this)[MESSAGE] = true;
    /** @type {string} */
    this.type = /** @type {this & Described} */ (this)._type;
    /** @type {Content} */
    this.content = /** @type {Content} */ (fields.content);
    /** @type {string | undefined} */
    this.id = fields.id;
    /** @type {string | undefined} */
    this.name = fields.name;
    /** @type {Record<string, unknown>} */
    this.additional_kwargs = fields.additional_kwargs ?? {};
    /** @type {Record<string, unknown>} */
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
    const { lc_name } = /** @type {MessageClass} */ (this.constructor);
    return [...this.lc_namespace, lc_name()];
  }

  get lc_aliases() {
    return Object.fromEntries(
      /** @type {this & Described} */ (this)._fields.slice(3).map((f) => [f, f]),
    );
  }

  get lc_secrets() {
    return undefined;
  }

  /** The text of the message, without its other blocks. */
  get text() {
    return textOf(this.content);
  }

  /**
   * Content as a list of blocks, tool calls last. Blocks in a service's own form are in LangChain's
   * standard form where an adapter of a model is used.
   */
  get contentBlocks() {
    return blocksOf(this);
  }

  /** @param {string | undefined} id */
  _updateId(id) {
    setId(this, id);
  }

  /**
   * Formats for people: a heading, the tool calls, the text.
   * @param {string} [format] any other than "pretty" returns the message's JSON
   */
  toFormattedString(format = "pretty") {
    return format === "pretty" ? formatted(this) : JSON.stringify(this);
  }

  /** Formats for Node's console. @param {number | null} depth */
  [Symbol.for("nodejs.util.inspect.custom")](depth) {
    return depth === null ? this : printed(this, depth);
  }

  /** @returns {{ type: string, data: Fields }} */
  toDict() {
    return { type: this.type, data: kwargsOf(this) };
  }

  /** @returns {{ lc: 1, type: "constructor", id: string[], kwargs: Fields }} */
  toJSON() {
    const kwargs = /** @type {Fields} */ (escaped(kwargsOf(this)));
    return { lc: 1, type: "constructor", id: this.lc_id, kwargs };
  }
}

/** A message that arrives in chunks, which `concat` joins. */
export class BaseMessageChunk extends BaseMessage {
  /**
   * @param {BaseMessage} chunk
   * @returns {BaseMessage}
   */
  concat(chunk) {
    const { _class } = /** @type {this & Described} */ (this);
    if (_class === /** @type {unknown} */ (BaseMessageChunk))
      throw new TypeError(`${this.constructor.name} has no concat`);
    return new _class(joinCommon(this, chunk));
  }
}

describeClass(BaseMessage, "BaseMessage", "");
describeClass(BaseMessageChunk, "BaseMessageChunk", "");

/**
 * Key under which LangChain wraps plain data that its reader would mistake for one of its records.
 */
export const ESCAPED = "__lc_escaped__";

/**
 * Marks such data, as LangChain's own messages do.
 * @param {unknown} value
 * @param {unknown[]} [above]
 * @returns {unknown}
 */
function escaped(value, above = []) {
  if (typeof value !== "object" || value === null || above.includes(value)) return value;
  const inner = [...above, value];
  if (Array.isArray(value)) return value.map((item) => escaped(item, inner));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const keys = Object.keys(value);
  if ("lc" in value || (keys.length === 1 && keys[0] === ESCAPED)) return { [ESCAPED]: value };
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, escaped(field, inner)]),
  );
}

/** @param {BaseMessage} message @param {Fields} fields */
function adoptBlocks(message, fields) {
  const blocks = fields.contentBlocks ?? fields.content_blocks;
  if (!Array.isArray(blocks)) return;
  message.content = blocks;
  message.response_metadata = { output_version: "v1", ...message.response_metadata };
}

/**
 * Keeps unknown constructor fields, including those of a message passed in as fields.
 * @param {BaseMessage} message
 * @param {Fields} fields
 */
function keepGiven(message, fields) {
  const { lc_kwargs: kwargs, _known: known } = /** @type {BaseMessage & Described} */ (message);
  for (const key in fields)
    if (known.has(key) ? !SILENT_FIELDS.has(key) : !key.startsWith("lc_") && key !== "__proto__")
      kwargs[key] = fields[key];
  const before = /** @type {Fields | undefined} */ (fields.lc_kwargs);
  if (before !== undefined && isObject(before))
    for (const key in before) if (!known.has(key) && !(key in kwargs)) kwargs[key] = before[key];
}

/** @param {BaseMessage} given @returns {Fields} */
function kwargsOf(given) {
  const message = /** @type {BaseMessage & Described & Fields} */ (given);
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
