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
export function restOf(item) {
  const { type: _type, role: _role, content: _content, ...other } = item;
  const { call_id: _id, name: _name, arguments: _arguments, input: _input, ...rest } = other;
  return rest;
}

/** @param {Fields} item @param {number} at */
export function partOf({ content }, at) {
  const { annotations, logprobs } = content?.[at] ?? {};
  return {
    ...(annotations?.length > 0 ? { annotations: listOf(annotations, "`annotations`") } : {}),
    ...(logprobs?.length > 0 ? { logprobs: listOf(logprobs, "`logprobs`") } : {}),
  };
}
