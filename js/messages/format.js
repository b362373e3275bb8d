// SPDX-License-Identifier: MIT
// Formats a message for people: as text, and in a console. Does not depend on message classes.

/** @typedef {import("./base.js").BaseMessage} BaseMessage */
/** @typedef {import("./base.js").Described} Described */
/** @typedef {import("./base.js").MessageClass} MessageClass */

/** Columns. */
const WIDTH = 80;
/** Objects in a printed message below this depth are only named, so that cycles end. */
const DEPTH = 4;

/**
 * @param {BaseMessage & { tool_calls?: import("./base.js").ToolCall[] }} message
 * @returns {string}
 */
export function formatted(message) {
  const { type, content, tool_calls: calls } = message;
  const title = ` ${type.charAt(0).toUpperCase()}${type.slice(1)} Message `;
  const middle = Math.floor((WIDTH + title.length) / 2);
  const lines = [title.padStart(middle, "=").padEnd(WIDTH, "=")];
  if (type === "ai" && calls?.length) {
    lines.push("Tool Calls:");
    for (const { name, id, args } of calls) {
      lines.push(`  ${name} (${id})`, ` Call ID: ${id}`, "  Args:");
      for (const [key, value] of Object.entries(args ?? {}))
        lines.push(`    ${key}: ${typeof value === "object" ? JSON.stringify(value) : value}`);
    }
  }
  if (type === "tool" && message.name) lines.push(`Name: ${message.name}`);
  if (typeof content === "string" && content.trim()) {
    if (lines.length > 1) lines.push("");
    lines.push(content);
  }
  return lines.join("\n");
}

/**
 * @param {BaseMessage} given
 * @param {number} depth requested by the console
 * @returns {string}
 */
export function printed(given, depth) {
  const message = /** @type {typeof given & Described & Record<string, unknown>} */ (given);
  /** @type {Record<string, unknown>} */
  const shown = {};
  for (const key of [
    "id",
    "content",
    "name",
    "additional_kwargs",
    "response_metadata",
    ...message._printed,
  ])
    shown[key] = message[key];
  return `${/** @type {MessageClass} */ (given.constructor).lc_name()} ${JSON.stringify(cut(shown, Math.max(DEPTH, depth || 0)), null, 2)}`;
}

/** @param {unknown} value @param {number} depth @returns {unknown} */
function cut(value, depth) {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return Array.isArray(value) ? "[Array]" : "[Object]";
  if (Array.isArray(value)) return value.map((item) => cut(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, cut(inner, depth - 1)]),
  );
}
