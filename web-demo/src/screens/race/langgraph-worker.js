// SPDX-License-Identifier: MIT
// Runs the race's program with LangGraph.js, in a worker of its own.
import { Annotation, END, MemorySaver, START, StateGraph } from "@langchain/langgraph/web";
import { answerLaps } from "./program.js";

/**
 * The bytes of the values and texts that a saver holds, wherever they stand in it.
 * @param {unknown} value
 * @returns {number}
 */
function bytesOf(value) {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum, inner) => sum + bytesOf(inner), 0);
}

answerLaps({ Annotation, END, MemorySaver, START, StateGraph }, ({ storage, writes }) =>
  bytesOf([storage, writes]),
);
