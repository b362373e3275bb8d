// SPDX-License-Identifier: MIT
// Describes a block of commands in words, so that an error can name a difference between two
// blocks.
import * as codes from "../base/codes.js";

/** @typedef {import("../base/callable.js").Value} Value */

const SHOWN = 160;

/** Names of commands by number. @type {Map<number, string>} */
const NAMES = new Map(
  Object.entries(codes)
    .filter(([name]) => name.startsWith("COMMAND_"))
    .map(([name, op]) => [Number(op), name.slice("COMMAND_".length)]),
);

/** @param {Record<string, Value>} definition @param {number} node */
export function nodeName(definition, node) {
  return node === 0 ? "__start__" : (definition?.nodes[node - 1]?.name ?? `number ${node}`);
}

/**
 * Describes a block.
 * @param {number[]} block flags, status, then the records
 * @param {Record<string, unknown>} definition
 * @returns {string[]} one text per record
 */
export function describeBlock([flags, status, ...words], definition) {
  const told = [`a block with flags ${flags} and status ${status | 0}`];
  for (let i = 0; i < words.length; i += 2 + words[i + 1])
    told.push(describe(words[i], words.slice(i + 2, i + 2 + words[i + 1]), definition));
  return told;
}

/** @param {number} head @param {number[]} payload @param {Record<string, Value>} definition */
function describe(head, payload, definition) {
  const op = head & 0xffff;
  const name = NAMES.get(op) ?? `command ${op}`;
  const rest = payload.join(" ");
  if (op === codes.COMMAND_TASK)
    return `task ${payload[0]}, attempt ${payload[1]}, of node "${nodeName(definition, payload[2])}" (${payload.slice(3).join(" ")})`;
  if (op === codes.COMMAND_SET || op === codes.COMMAND_LIST)
    return `${name} of channel "${definition?.channels[payload[0]]?.name ?? payload[0]}" (${rest})`;
  return `${name} ${head >>> 16} (${rest})`;
}

/** @param {string | undefined} text */
export function shorten(text) {
  return text === undefined
    ? "nothing more"
    : text.length > SHOWN
      ? `${text.slice(0, SHOWN)}…`
      : text;
}
