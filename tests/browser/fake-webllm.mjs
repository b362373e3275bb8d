// SPDX-License-Identifier: MIT
// Stands in for WebLLM where the studio is built: a download that a page leads on, or lets fail,
// over the channel "fake-webllm", and a model that answers with one sentence.
const channel = new BroadcastChannel("fake-webllm");

export const hasModelInCache = async () => false;

export class MLCEngine {
  #tell;
  #stop = () => {};

  constructor({ initProgressCallback }) {
    this.#tell = initProgressCallback;
    this.chat = { completions: { create: (request) => this.#answer(request) } };
  }

  reload(id) {
    return new Promise((resolve, reject) => {
      this.#stop = () => reject(new Error("unloaded"));
      channel.onmessage = ({ data }) => {
        if (data === "done") resolve();
        else if (typeof data === "string") reject(new Error(data));
        else this.#tell({ progress: data, text: `Fetching ${id}` });
      };
    });
  }

  async unload() {
    this.#stop();
    channel.postMessage("unloaded");
  }

  interruptGenerate() {}

  async #answer({ stream }) {
    const content = '{"answer":"I am in this tab."}';
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
    const finish_reason = "stop";
    if (!stream)
      return {
        choices: [{ index: 0, message: { role: "assistant", content }, finish_reason }],
        usage,
      };
    return (async function* () {
      yield { choices: [{ index: 0, delta: { role: "assistant", content } }] };
      yield { choices: [{ index: 0, delta: {}, finish_reason }] };
      yield { choices: [], usage };
    })();
  }
}
