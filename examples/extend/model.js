// SPDX-License-Identifier: MIT
// A model of one's own, by shape: `invoke`, `bindTools`, and `stream` if it has tokens. It answers
// arithmetic with a tool and everything else by itself; put a call of your service in the place of
// `#answer`.
import { AIMessage, AIMessageChunk } from "weftgraph/messages";

export class Calculator {
  /** @param {readonly { name: string }[]} [tools] */
  constructor(tools = []) {
    this.tools = tools;
  }

  /**
   * A model that may call these tools; this one stays as it is.
   * @param {readonly { name: string }[]} tools
   */
  bindTools(tools) {
    return new Calculator(tools);
  }

  /** @param {any[]} messages @param {{ signal?: AbortSignal }} [config] */
  async invoke(messages, config) {
    config?.signal?.throwIfAborted();
    return new AIMessage(this.#answer(messages));
  }

  /** @param {any[]} messages @param {{ signal?: AbortSignal }} [config] */
  async *stream(messages, config) {
    const { content, tool_calls } = this.#answer(messages);
    if (tool_calls !== undefined) yield new AIMessageChunk({ content, tool_calls });
    for (const token of content.split(/(?<= )/)) {
      config?.signal?.throwIfAborted();
      if (token !== "") yield new AIMessageChunk({ content: token });
    }
  }

  /** @param {any[]} messages @returns {{ content: string, tool_calls?: any[] }} */
  #answer(messages) {
    const last = messages.at(-1);
    if (last.getType() === "tool") return { content: `That is ${last.content}.` };
    const sum = /(\d+) *\+ *(\d+)/.exec(String(last.content));
    if (sum === null || !this.tools.some(({ name }) => name === "add"))
      return { content: "I only add." };
    return {
      content: "",
      tool_calls: [
        {
          name: "add",
          args: { a: Number(sum[1]), b: Number(sum[2]) },
          id: `call-${messages.length}`,
        },
      ],
    };
  }
}
