// SPDX-License-Identifier: MIT
// Runs an example in a worker of the page, within a time limit, and hands over what it tells.
import { withBase } from "vitepress";

export const LIMIT_MS = 10_000;
/** How long a program that has ended may go on printing, by timers that it left. */
const AFTER_MS = 1_000;

/**
 * @typedef {{ type: "line", stream: "out" | "err", text: string }
 *   | { type: "graphs", graphs: object[] } | { type: "error", text: string, line?: number }
 *   | { type: "began", differences: string[] } | { type: "difference", text: string }
 *   | { type: "ended" | "late" }} Told
 *
 * @param {{ code: string, isForPage: boolean }} program
 * @param {(told: Told) => void} tell
 * @returns {() => void} stops it
 */
export function runProgram(program, tell) {
  const worker = new Worker(withBase("/run/worker.js"), { type: "module" });
  let timer = 0;
  const stop = () => {
    clearTimeout(timer);
    worker.terminate();
  };
  const stopIn = (ms, then) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      worker.terminate();
      then?.();
    }, ms);
  };
  worker.onmessage = ({ data }) => {
    // The files that it needs may be slow to come; its own time begins behind them.
    if (data.type === "began") stopIn(LIMIT_MS, () => tell({ type: "late" }));
    if (data.type === "ended") stopIn(AFTER_MS);
    if (data.type === "error") stop();
    tell(data);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    stop();
    tell({ type: "error", text: event.message ?? "The files of the example could not be loaded." });
  };
  worker.postMessage(program);
  return stop;
}
