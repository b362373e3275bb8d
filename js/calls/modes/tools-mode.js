// SPDX-License-Identifier: MIT
// Builds the chunks of the `tools` stream from the callbacks of tools below a node. Does not depend
// on tools.

/** Callback handler for tools, with the methods of LangChain's BaseCallbackHandler. */
export class ToolsHandler {
  name = "StreamToolsHandler";
  awaitHandlers = true;
  ignoreLLM = true;
  ignoreChain = true;
  ignoreRetriever = true;
  ignoreCustomEvent = true;

  /**
   * @param {(metadata: Record<string, unknown> | undefined, chunk: unknown) => void} push the
   *   metadata names the caller of the tool
   */
  constructor(push) {
    this.push = push;
    /**
     * Running tools and their metadata.
     * @type {Map<string, { call: { toolCallId: string | undefined, name: string | undefined },
     *   metadata: Record<string, unknown> | undefined }>}
     */
    this.running = new Map();
  }

  /** @param {string} runId @param {string} event @param {Record<string, unknown>} more */
  #tell(runId, event, more) {
    const run = this.running.get(runId);
    if (run !== undefined) this.push(run.metadata, { event, ...run.call, ...more });
  }

  /**
   * @param {unknown} _tool
   * @param {unknown} input
   * @param {string} runId
   * @param {string} [_parentRunId]
   * @param {string[]} [_tags]
   * @param {Record<string, unknown>} [metadata]
   * @param {string} [name]
   * @param {string} [toolCallId]
   */
  handleToolStart(_tool, input, runId, _parentRunId, _tags, metadata, name, toolCallId) {
    this.running.set(runId, { call: { toolCallId, name }, metadata });
    this.#tell(runId, "on_tool_start", { input });
  }

  /** @param {unknown} data @param {string} runId */
  handleToolEvent(data, runId) {
    this.#tell(runId, "on_tool_event", { data });
  }

  /** @param {unknown} output @param {string} runId */
  handleToolEnd(output, runId) {
    this.#tell(runId, "on_tool_end", { output });
    this.running.delete(runId);
  }

  /** @param {unknown} error @param {string} runId */
  handleToolError(error, runId) {
    this.#tell(runId, "on_tool_error", { error });
    this.running.delete(runId);
  }
}
