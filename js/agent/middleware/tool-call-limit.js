// SPDX-License-Identifier: MIT
// Limits how often an agent calls its tools, or one of them, in one run or in its thread. Counts in
// the state, so a resumed run goes on counting. Does not depend on how tools run.
import { checkArgument } from "../../base/check-arguments.js";
import { AIMessage, ToolMessage } from "../../messages/index.js";
import { openCalls } from "../../prebuilt/tool-calls/open-calls.js";
import { Annotation } from "../../state/annotation.js";
import { createMiddleware } from "../create-middleware.js";
import { lastValue, readLimits } from "./model-call-limit.js";

/** @typedef {import("../../prebuilt/agent/agent-model.js").AgentState} AgentState */
/** @typedef {Record<string, number>} Counts by tool */
/** @typedef {{ _threadToolCalls: Counts, _runToolCalls: Counts }} State */
/** @typedef {import("./model-call-limit.js").Limits} Limits */

const CALL = "toolCallLimitMiddleware(options)";
const EXITS = ["continue", "error", "end"];
/** Name under which the calls of all tools are counted. */
const ALL = "__all__";

/** A tool would be called more often than it may be. */
export class ToolCallLimitExceededError extends Error {
  /**
   * @param {number} threadCount @param {number} runCount
   * @param {number | undefined} threadLimit @param {number | undefined} runLimit
   * @param {string} [toolName] undefined: all tools
   */
  constructor(threadCount, runCount, threadLimit, runLimit, toolName) {
    super(limitText({ threadCount, runCount, threadLimit, runLimit, toolName }));
    this.name = "ToolCallLimitExceededError";
    this.threadCount = threadCount;
    this.runCount = runCount;
    this.threadLimit = threadLimit;
    this.runLimit = runLimit;
    this.toolName = toolName;
  }
}

/** @param {Limits & { threadCount: number, runCount: number, toolName?: string }} counts */
function limitText({ threadCount, runCount, threadLimit, runLimit, toolName }) {
  const told = [];
  if (threadLimit !== undefined && threadCount > threadLimit)
    told.push(`thread limit exceeded (${threadCount}/${threadLimit} calls)`);
  if (runLimit !== undefined && runCount > runLimit)
    told.push(`run limit exceeded (${runCount}/${runLimit} calls)`);
  const what = toolName === undefined ? "Tool" : `'${toolName}' tool`;
  return `${what} call limit reached: ${told.join(" and ")}.`;
}

/**
 * Makes a middleware that limits the calls of tools.
 * @param {import("../../types/agent/middleware.js").ToolCallLimitOptions} options
 */
export function toolCallLimitMiddleware(options) {
  const { threadLimit, runLimit } = readLimits(options, CALL, ["toolName", "exitBehavior"]);
  const { toolName, exitBehavior = "continue" } = options;
  checkArgument(
    threadLimit !== undefined || runLimit !== undefined,
    `${CALL}: options must have threadLimit or runLimit`,
  );
  checkArgument(
    threadLimit === undefined || runLimit === undefined || runLimit <= threadLimit,
    `${CALL}: options.runLimit must not be above options.threadLimit`,
  );
  checkArgument(
    toolName === undefined || (typeof toolName === "string" && toolName !== ""),
    `${CALL}: options.toolName must be the name of a tool`,
  );
  checkArgument(
    EXITS.includes(exitBehavior),
    `${CALL}: options.exitBehavior must be "continue", "error" or "end"`,
  );
  const key = toolName ?? ALL;
  const blocked =
    toolName === undefined
      ? "Tool call limit exceeded. Do not make additional tool calls."
      : `Tool call limit exceeded. Do not call '${toolName}' again.`;
  /** @param {Counts} counts @returns {number} */
  const countIn = (counts) => (Object.hasOwn(counts, key) ? counts[key] : 0);
  /** @param {Counts} counts @param {number} count */
  const withCount = (counts, count) =>
    Object.fromEntries([...Object.entries(counts).filter(([name]) => name !== key), [key, count]]);

  return createMiddleware({
    name:
      toolName === undefined ? "ToolCallLimitMiddleware" : `ToolCallLimitMiddleware[${toolName}]`,
    stateSchema: Annotation.Root({
      _threadToolCalls: lastValue(() => ({})),
      _runToolCalls: lastValue(() => ({})),
    }),
    // A run counts from 0, however the one before ended.
    beforeAgent: (state) => ({
      _runToolCalls: withCount(/** @type {AgentState & State} */ (state)._runToolCalls, 0),
    }),
    afterModel: {
      canJumpTo: ["end"],
      hook: (state) => {
        const { _threadToolCalls: ofThread, _runToolCalls: ofRun } =
          /** @type {AgentState & State} */ (state);
        const { calls } = openCalls(state.messages);
        const counted = calls.filter(({ name }) => toolName === undefined || name === toolName);
        if (counted.length === 0) return;
        const [thread, run] = [countIn(ofThread), countIn(ofRun)];
        const most = Math.min((threadLimit ?? Infinity) - thread, (runLimit ?? Infinity) - run);
        const allowed = Math.min(Math.max(most, 0), counted.length);
        const over = counted.slice(allowed);
        const isEnd = exitBehavior === "end" && over.length > 0;
        // A call that is refused counts for the run, which shows how far the model went.
        const counts = {
          _threadToolCalls: withCount(ofThread, thread + (isEnd ? 0 : allowed)),
          _runToolCalls: withCount(ofRun, run + counted.length),
        };
        if (over.length === 0) return counts;
        const error = new ToolCallLimitExceededError(
          thread + counted.length,
          run + counted.length,
          threadLimit,
          runLimit,
          toolName,
        );
        if (exitBehavior === "error") throw error;
        // At the end no call stays without an answer, of whichever tool.
        const answered = isEnd ? calls : over;
        const answers = answered.map(
          ({ name, id }) =>
            new ToolMessage({ content: blocked, name, tool_call_id: id ?? "", status: "error" }),
        );
        if (!isEnd) return { ...counts, messages: answers };
        return { ...counts, jumpTo: "end", messages: [...answers, new AIMessage(error.message)] };
      },
    },
  });
}
