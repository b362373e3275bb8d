// SPDX-License-Identifier: MIT
// Converts items of the service's own tools to blocks of a message, and back without loss. Does not
// depend on how an answer arrives.
import { shallow, textOrNone } from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/** The service's own tools: what of an item is the call's arguments. */
const HOSTED = /** @type {Record<string, (item: Fields) => unknown>} */ ({
  web_search_call: ({ action }) => action,
  file_search_call: ({ queries }) => ({ queries }),
  code_interpreter_call: ({ code }) => ({ code }),
  image_generation_call: () => ({}),
  mcp_call: (item) => parsed(item.arguments),
});
/** Where items have what the tool answered. */
const OUTPUTS = ["output", "results", "outputs", "result"];

/** Is it an item of the service's own tools? @param {Fields} item */
export function isHosted({ type }) {
  return Object.hasOwn(HOSTED, type);
}

/**
 * Returns the blocks of an item of the service's own tools.
 * @param {Fields} item
 * @param {number} output_index its place
 * @returns {Fields[] | undefined} undefined for any other item
 */
export function hostedBlocks(item, output_index) {
  const { id, type } = item;
  if (!isHosted(item)) return undefined;
  const key = OUTPUTS.find((name) => item[name] !== undefined && item[name] !== null);
  const rest = key === undefined ? item : { ...item };
  if (key !== undefined) delete rest[key];
  const name = typeof item.name === "string" ? item.name : type.replace(/_call$/, "");
  const args = HOSTED[type](item) ?? {};
  const call = { type: "server_tool_call", id, name, args, extras: { output_index, item: rest } };
  if (key === undefined) return [call];
  const output = item[key];
  const extras = { output_index, key };
  const format = textOrNone(item.output_format, "`output_format`") ?? "png";
  if (type === "image_generation_call" && typeof output === "string")
    return [call, { type: "image", mimeType: `image/${format}`, data: output, extras }];
  const status = item.status === "failed" || item.error ? "error" : "success";
  return [call, { type: "server_tool_call_result", toolCallId: id, status, output, extras }];
}

/**
 * Adds what a block of a message came from to the items for the service.
 * @param {Fields} block
 * @param {Fields[]} items
 * @returns {boolean} false if it is no such block
 */
export function addHosted({ type, value, output, data, extras }, items) {
  if (type === "non_standard") items.push(value);
  else if (type === "server_tool_call" && extras?.item !== undefined)
    items.push({ ...extras.item });
  else if (extras?.key !== undefined && OUTPUTS.includes(extras.key) && items.length > 0)
    items[items.length - 1][extras.key] = output ?? data;
  else return false;
  return true;
}

/** @param {string} text */
function parsed(text) {
  try {
    return shallow(JSON.parse(text), "arguments");
  } catch {
    return { input: text };
  }
}
