// SPDX-License-Identifier: MIT
// As much of @huggingface/transformers 4.3.2 as examples/transformers uses, with its names and
// shapes, and words for tokens: no model can be loaded in tests.
const turn = () => new Promise((resolve) => setImmediate(resolve));

export class InterruptableStoppingCriteria {
  interrupted = false;

  interrupt() {
    this.interrupted = true;
  }

  reset() {
    this.interrupted = false;
  }

  _call(input_ids) {
    return new Array(input_ids.length).fill(this.interrupted);
  }
}

export class TextStreamer {
  #isPrompt = true;

  constructor(tokenizer, { skip_prompt = false, callback_function, token_callback_function } = {}) {
    Object.assign(this, { tokenizer, skip_prompt, callback_function, token_callback_function });
  }

  put(value) {
    const isSkipped = this.#isPrompt && this.skip_prompt;
    this.#isPrompt = false;
    if (isSkipped) return;
    this.token_callback_function?.(value[0]);
    this.callback_function?.(this.tokenizer.decode(value[0]));
  }

  end() {
    this.#isPrompt = true;
  }
}

/**
 * A text generator that answers in order; `written` gets each word that it writes.
 * @param {string[]} answers @param {string[]} written
 */
export function generatorOf(answers, written) {
  const words = [];
  const tokenizer = { decode: (tokens) => tokens.map((token) => words[Number(token)]).join("") };
  const generate = async (messages, { max_new_tokens = 256, streamer, stopping_criteria } = {}) => {
    streamer?.put([[0n]]);
    let content = "";
    for (const word of answers
      .shift()
      .split(/(?<= )/)
      .slice(0, max_new_tokens)) {
      await turn();
      const token = BigInt(words.push(word) - 1);
      written.push(word);
      content += word;
      streamer?.put([[token]]);
      if (stopping_criteria?._call([[token]], []).some(Boolean)) break;
    }
    streamer?.end();
    // Of a chat the whole chat comes back.
    return [{ generated_text: [...messages, { role: "assistant", content }] }];
  };
  return Object.assign(generate, { tokenizer });
}
