// SPDX-License-Identifier: MIT
// Knows: what the `tools` stream shows: tools below a node, as they tell LangChain's callbacks. Must not know: tools.

/** The listener that tools find in their callbacks. Its shape is LangChain's BaseCallbackHandler. */
export class ToolsHandler {
  name = "StreamToolsHandler";
  awaitHandlers = true;
  raiseError = false;
  ignoreLLM = true;
  ignoreChain = true;
  ignoreAgent = false;
  ignoreRetriever = true;
  ignoreCustomEvent = true;
  lc_serializable = false;

  /** @param {(chunk: any) => void} push */
  constructor(push) {
    this.push = push;
    /** Tools that run. @type {Map<string, { toolCallId: string | undefined, name: string | undefined }>} */
    this.running = new Map();
  }

  copy() {
    return this;
  }

  /** @param {string} runId @param {string} event @param {Record<string, any>} more */
  #tell(runId, event, more) {
    const call = this.running.get(runId);
    if (call !== undefined) this.push({ event, ...call, ...more });
  }

  /**
   * @param {any} _tool
   * @param {any} input
   * @param {string} runId
   * @param {string} [_parentRunId]
   * @param {string[]} [_tags]
   * @param {any} [_metadata]
   * @param {string} [name]
   * @param {string} [toolCallId]
   */
  handleToolStart(_tool, input, runId, _parentRunId, _tags, _metadata, name, toolCallId) {
    this.running.set(runId, { toolCallId, name });
    this.#tell(runId, "on_tool_start", { input });
  }

  /** @param {any} data @param {string} runId */
  handleToolEvent(data, runId) {
    this.#tell(runId, "on_tool_event", { data });
  }

  /** @param {any} output @param {string} runId */
  handleToolEnd(output, runId) {
    this.#tell(runId, "on_tool_end", { output });
    this.running.delete(runId);
  }

  /** @param {any} error @param {string} runId */
  handleToolError(error, runId) {
    this.#tell(runId, "on_tool_error", { error });
    this.running.delete(runId);
  }
}
