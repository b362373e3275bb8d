// SPDX-License-Identifier: MIT
// A text generator of transformers.js as an engine of ChatWebLLM: it streams, and stops when told.
import { InterruptableStoppingCriteria, TextStreamer } from "@huggingface/transformers";

export function engineOf(generate) {
  const stopping = new InterruptableStoppingCriteria();

  async function* write({ messages, max_tokens = 512 }) {
    stopping.reset();
    let count = 0;
    const texts = new ReadableStream({
      start(to) {
        const streamer = new TextStreamer(generate.tokenizer, {
          skip_prompt: true,
          callback_function: (text) => to.enqueue(text),
          token_callback_function: (tokens) => {
            count += tokens.length;
          },
        });
        generate(messages, {
          max_new_tokens: max_tokens,
          streamer,
          stopping_criteria: stopping,
        }).then(
          () => to.close(),
          (error) => to.error(error),
        );
      },
    }).getReader();
    for (;;) {
      const { done, value } = await texts.read();
      if (done) break;
      yield { choices: [{ delta: { content: value } }] };
    }
    yield { choices: [{ delta: {}, finish_reason: count < max_tokens ? "stop" : "length" }] };
  }

  async function whole(request) {
    let content = "";
    let finish_reason;
    for await (const { choices } of write(request)) {
      content += choices[0].delta.content ?? "";
      ({ finish_reason } = choices[0]);
    }
    return { choices: [{ message: { content }, finish_reason }] };
  }

  return {
    chat: {
      completions: { create: async (request) => (request.stream ? write : whole)(request) },
    },
    interruptGenerate: () => stopping.interrupt(),
  };
}
