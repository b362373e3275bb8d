// SPDX-License-Identifier: MIT
// Decides what a trace may hold of inputs and outputs, and turns it into a text of bounded length
// without credentials. Does not depend on spans.
import { checkArgument, isRecord } from "../base/check-arguments.js";

/** @typedef {Record<string, unknown>} Fields */
/**
 * What is about to be stored: of a run, node, model or tool with this name, below this node.
 * @typedef {{ kind: string, name: string, node: string | undefined, part: "input" | "output" |
 *   "error" }} About
 */
/** @typedef {"none" | "all" | ((value: unknown, about: About) => unknown)} Rule */

/** Matches keys whose values are credentials. */
const SECRET = /key|token|secret|password|auth/i;
const HIDDEN = "[redacted]";
const MORE = "…";
const DEEPEST = 16;

/** @param {unknown} rule @returns {Rule} */
function checkRule(rule) {
  checkArgument(
    rule === "none" || rule === "all" || typeof rule === "function",
    'otelHandler({ content }): rules must be "none", "all" or functions',
  );
  return /** @type {Rule} */ (rule);
}

/**
 * Reads the option `content` into a copy.
 * @param {unknown} content
 * @returns {{ usual: Rule, nodes: Map<string, Rule> }}
 */
export function readRules(content = "none") {
  const {
    default: usual = "none",
    nodes = {},
    ...rest
  } = isRecord(content) ? content : { default: content };
  // A rule that is not read would hide nothing.
  checkArgument(
    Object.keys(rest).length === 0 && isRecord(nodes) && !(nodes instanceof Map),
    "otelHandler({ content }): content must be a rule or { default, nodes }, nodes an object of rules",
  );
  return {
    usual: checkRule(usual),
    nodes: new Map(
      Object.entries(/** @type {object} */ (nodes)).map(([node, rule]) => [node, checkRule(rule)]),
    ),
  };
}

/** @param {string} text @param {number} most */
export function cut(text, most) {
  return text.length > most ? text.slice(0, Math.max(0, most - 1)) + MORE : text;
}

/**
 * Serializes a value; what exceeds the length is left out.
 * @param {unknown} value
 * @param {number} most characters
 * @returns {string}
 */
export function textOf(value, most) {
  if (typeof value === "string") return cut(value, most);
  return cut(JSON.stringify(shorten(value, { left: most }, 0)) ?? "", most);
}

/**
 * Copies what fits of a value, as JSON can hold it.
 * @param {unknown} value
 * @param {{ left: number }} budget characters that are left
 * @param {number} depth
 * @returns {unknown}
 */
function shorten(value, budget, depth) {
  if (typeof value === "string") {
    const text = cut(value, budget.left);
    budget.left -= text.length;
    return text;
  }
  budget.left -= 2;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return MORE;
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (value instanceof Map) return shortenList(entriesOf(value), budget, depth);
  if (value instanceof Set || Array.isArray(value)) return shortenList(value, budget, depth);
  const fields = /** @type {Fields} */ (value);
  const shown = isMessage(fields) ? messageOf(fields) : fields;
  const copy = Object.create(null);
  for (const key in shown) {
    if (!Object.hasOwn(shown, key)) continue;
    if (budget.left <= 0) {
      copy[MORE] = MORE;
      break;
    }
    budget.left -= key.length;
    copy[key] = SECRET.test(key) ? HIDDEN : shorten(shown[key], budget, depth + 1);
  }
  return copy;
}

/** @param {Map<unknown, unknown>} map */
function* entriesOf(map) {
  for (const [key, value] of map)
    yield [key, typeof key === "string" && SECRET.test(key) ? HIDDEN : value];
}

/** @param {Iterable<unknown>} items @param {{ left: number }} budget @param {number} depth */
function shortenList(items, budget, depth) {
  const list = [];
  for (const item of items) {
    if (budget.left <= 0) {
      list.push(MORE);
      break;
    }
    list.push(shorten(item, budget, depth + 1) ?? null);
  }
  return list;
}

/** @param {Fields} value @returns {value is Fields & { _getType(): string }} */
function isMessage(value) {
  return typeof value._getType === "function";
}

/** @type {Record<string, string>} */
const ROLES = { human: "user", ai: "assistant" };

/**
 * Converts a message to the conventions' `{ role, parts }`.
 * @param {Fields} message
 * @returns {Fields}
 */
export function messageOf(message) {
  const { content, tool_calls, tool_call_id } = message;
  const kind = String(isMessage(message) ? message._getType() : message.type);
  const parts = (Array.isArray(content) ? content : [content]).flatMap(partOf);
  for (const { id, name, args } of Array.isArray(tool_calls) ? tool_calls : [])
    parts.push({ type: "tool_call", id, name, arguments: args });
  return {
    role: ROLES[kind] ?? kind,
    parts:
      kind === "tool"
        ? [{ type: "tool_call_response", id: tool_call_id, response: content }]
        : parts,
  };
}

/** @param {unknown} block of a message's content @returns {Fields[]} */
function partOf(block) {
  if (typeof block === "string") return block === "" ? [] : [{ type: "text", content: block }];
  if (!isRecord(block)) return [];
  return [{ type: block.type, content: block.text ?? block.reasoning }];
}
