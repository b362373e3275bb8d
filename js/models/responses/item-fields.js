// SPDX-License-Identifier: MIT
// Reads from an item what a block or call of the message keeps of it. Does not depend on how an
// answer arrives.
import { listOf, textOrNone } from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/** @param {Fields} item */
export function idOf({ call_id }) {
  return textOrNone(call_id, "`call_id`");
}

/** @param {Fields} item */
export function nameOf({ name }) {
  return textOrNone(name, "`name`") ?? "";
}

/** Returns an item without what its block or call has anyway. @param {Fields} item */
export function bareItem(item) {
  const {
    type,
    role: _role,
    content: _content,
    call_id: _id,
    name: _name,
    arguments: _arguments,
    input: _input,
    ...rest
  } = item;
  if (type === "reasoning") return item;
  return type === "custom_tool_call" ? { type, ...rest } : rest;
}

/** @param {Fields} item @param {number} at */
export function partOf({ content }, at) {
  /** @type {Fields} */
  const part = {};
  for (const key of ["annotations", "logprobs"]) {
    const list = listOf(content?.[at]?.[key], key);
    if (list.length > 0) part[key] = list;
  }
  return part;
}
