// SPDX-License-Identifier: MIT
// What stands for Workers AI in workerd: its answers by the name of the model. Also the module of a
// wrapped binding, as Cloudflare's own is one.

const encoder = new TextEncoder();

/** @param {unknown[]} events */
function streamOf(events) {
  const lines = [...events.map((event) => JSON.stringify(event)), "[DONE]"];
  return new ReadableStream({
    type: "bytes",
    start(controller) {
      for (const line of lines) controller.enqueue(encoder.encode(`data: ${line}\n\n`));
      controller.close();
    },
  });
}

const delta = (fields, finish_reason = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});

/** @param {string} model @param {any} inputs @param {any} [_options] */
export async function answer(model, inputs, _options) {
  const isAnswered = inputs.messages.some(({ role }) => role === "tool");
  const args = { city: "Oslo" };
  switch (model) {
    case "own":
      return streamOf(
        isAnswered
          ? [{ response: "It is " }, { response: "cold." }]
          : [{ response: "", tool_calls: [{ name: "weather", arguments: args }] }],
      );
    case "completions":
      return streamOf(
        isAnswered
          ? [delta({ content: "It is " }), delta({ content: "cold." }), delta({}, "stop")]
          : [
              delta({
                tool_calls: [{ index: 0, id: "a", function: { name: "weather", arguments: "" } }],
              }),
              delta({ tool_calls: [{ index: 0, function: { arguments: JSON.stringify(args) } }] }),
              delta({}, "tool_calls"),
            ],
      );
    case "whole":
      return isAnswered
        ? { response: "It is cold." }
        : { response: null, tool_calls: [{ name: "weather", arguments: args }] };
    case "endless":
      return new ReadableStream({
        type: "bytes",
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          controller.enqueue(encoder.encode('data: {"response":"la"}\n\n'));
        },
      });
    default:
      throw Object.assign(new Error("3040: Capacity temporarily exceeded"), {
        name: "InferenceUpstreamError",
      });
  }
}

export default () => ({ run: answer });
