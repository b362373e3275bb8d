// SPDX-License-Identifier: MIT
// What the cases of the matrix share: answers, tools, and ways to ask a model.
import { tool } from "weftgraph";
import { collect } from "../../runtime/smoke-assert.mjs";
import { serviceOf } from "./service.mjs";

/** The message of every error that a service reports. */
export const REASON = "No weather today.";
export const USAGE = { input: 21, cached: 8, output: 9, reasoning: 4 };
export const HELLO = { text: "Hello there, you.", usage: USAGE };
/** Whatever a service thinks of, no byte of it is changed. */
export const OPAQUE = 'EqQB+/=="\\\n\u2028\u0001é🌧';

const weather = tool(({ city }) => `4 °C in ${city}`, {
  name: "weather",
  description: "Tells the weather.",
  schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
});
const time = tool(() => "noon", {
  name: "time",
  description: "Tells the time.",
  schema: { type: "object", properties: {} },
});
export const TOOLS = [weather, time];

/** A call with its arguments in pieces. */
export function call(id, name, args, size = 5) {
  const text = args === undefined ? "" : JSON.stringify(args);
  const letters = [...text];
  const pieces = [];
  for (let at = 0; at < letters.length; at += size)
    pieces.push(letters.slice(at, at + size).join(""));
  return { id, name, args: text, pieces };
}

/** Asks whole and streamed, each with a service of its own. */
export async function both(column, steps, ask, options) {
  for (const isStream of [false, true]) {
    const service = serviceOf(column, steps);
    const model = column.create({ fetch: service.fetch, maxRetries: 0, ...options });
    await ask({ model, ...service, isStream, say: (asked, input) => say(asked, input, isStream) });
  }
}

/** @returns {Promise<{ message: any, chunks: any[] }>} */
export async function say(model, input, isStream) {
  if (!isStream) return { message: await model.invoke(input), chunks: [] };
  const chunks = await collect(model.stream(input));
  return { message: chunks.reduce((sum, chunk) => sum.concat(chunk)), chunks };
}

/** Reads a stream until it ends or fails. */
export async function readUntil(pieces) {
  const chunks = [];
  try {
    for await (const chunk of pieces) chunks.push(chunk);
  } catch (error) {
    return { chunks, error };
  }
  return { chunks, error: undefined };
}

export const textOf = (chunks) => chunks.map(({ text }) => text).join("");
