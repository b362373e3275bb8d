// SPDX-License-Identifier: MIT
// A binding of Workers AI for tests: it gives scripted answers and keeps what it was asked. Uses
// names of the Web only. Shared by models-workers-ai*.test.mjs and tests/runtime.

const encoder = new TextEncoder();

/** A stream of server-sent events in pieces of this size, and [DONE]. */
export function stream(events, { size, done = true } = {}) {
  const lines = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  const text = [...lines, ...(done ? ["[DONE]"] : [])].map((line) => `data: ${line}\n\n`).join("");
  const bytes = encoder.encode(text);
  const step = size ?? (bytes.length || 1);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + step));
      at += step;
    },
  });
}

/** The pieces of an answer in the form of chat completions. */
export const deltas = (...parts) =>
  parts.map(({ finish_reason = null, ...delta }) => ({
    id: "id-1",
    object: "chat.completion.chunk",
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
  }));

/** A whole answer in the form of chat completions. */
export const completion = (message, finish_reason = "stop", more = {}) => ({
  id: "id-1",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  ...more,
});

/**
 * A binding that gives these answers in order, the last one again and again: values, functions that
 * make one, or errors to throw. `asked` has what it was asked.
 */
export function bindingOf(...answers) {
  const asked = [];
  const rest = [...answers];
  const run = async (model, inputs, options) => {
    asked.push({ model, inputs, options });
    const next = rest.length > 1 ? rest.shift() : rest[0];
    if (next instanceof Error) throw next;
    return typeof next === "function" ? next({ model, inputs, options }) : next;
  };
  return { run, asked };
}

/** Joins the chunks of a stream. */
export async function joined(pieces) {
  let message;
  for await (const piece of pieces) message = message === undefined ? piece : message.concat(piece);
  return message;
}
