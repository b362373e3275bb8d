// SPDX-License-Identifier: MIT
// Converts items of the service's own tools to blocks of a message, and back without loss. Does not
// depend on how an answer arrives.
import { textIn } from "../../messages/media.js";
import { shallow } from "../shapes.js";
import { nameOf } from "./item-fields.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/** The service's own tools: what of an item is the call's arguments. */
const HOSTED = /** @type {Record<string, (item: Fields) => unknown>} */ ({
  web_search_call: ({ action }) => action,
  file_search_call: ({ queries }) => ({ queries }),
  code_interpreter_call: ({ code }) => ({ code }),
  image_generation_call: () => ({}),
  mcp_call: (item) => parsed(item.arguments),
  custom_tool_call: ({ input }) => parsed(input),
});
/** Where items have what the tool answered. */
const OUTPUTS = ["output", "results", "outputs", "result"];

/**
 * Returns the blocks of an item that is no text, reasoning or call of the program: those of one of
 * the service's own tools, or one that begins any other's. The first piece is what their first
 * block keeps of the item's last version.
 * @param {Fields} item
 * @param {number} output_index its place
 * @returns {Fields[]}
 */
export function hostedBlocks(item, output_index) {
  const { id, type } = item;
  if (!Object.hasOwn(HOSTED, type)) {
    const block = { type: "non_standard" };
    return [{ ...block, value: item, extras: { output_index } }, block];
  }
  const key = OUTPUTS.find((name) => item[name] != null);
  const { [String(key)]: output, ...rest } = item;
  const name = nameOf(item) || type.replace(/_call$/, "");
  const call = { type: "server_tool_call", id, name, args: HOSTED[type](item) ?? {} };
  const blocks = [{ type: call.type, extras: { output_index, item: rest } }, call];
  if (key === undefined) return blocks;
  const extras = { output_index, key };
  const format = textIn(item.output_format) ?? "png";
  if (type === "image_generation_call" && typeof output === "string")
    return [...blocks, { type: "image", mimeType: `image/${format}`, data: output, extras }];
  const status = item.status === "failed" || item.error ? "error" : "success";
  return [...blocks, { type: "server_tool_call_result", toolCallId: id, status, output, extras }];
}

/**
 * Adds what a block of a message came from to the items for the service, if it came from one.
 * @param {Fields} block
 * @param {Fields[]} items
 */
export function addHosted({ type, value, output, data, extras }, items) {
  const last = items[items.length - 1];
  if (type === "non_standard") items.push(value);
  else if (type === "server_tool_call") items.push(extras?.item && { ...extras.item });
  else if (last && OUTPUTS.includes(extras?.key)) last[extras.key] = output ?? data;
}

/** @param {string} text */
function parsed(text) {
  try {
    return shallow(JSON.parse(text), "arguments");
  } catch {
    return { input: text };
  }
}
