// SPDX-License-Identifier: MIT
// One turn of threads that wander from runtime to runtime: of each adapter whose service wants
// something back, one thread that streams and one that does not. A server at an address plays the
// services and keeps the threads as files. Uses names of the Web and the package only.
import { MemorySaver } from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { exportThread, importThread } from "weftgraph/savers/transfer";
import { TITLES } from "../js/models-matrix/cases.mjs";
import { columns } from "../js/models-matrix/columns.mjs";
import { TOOLS } from "../js/models-matrix/kit.mjs";

const BACK = "after a checkpoint signatures and opaque parts go back byte-equal";
if (!TITLES.includes(BACK)) throw new Error(`the matrix has no case "${BACK}"`);

/** Columns of what must go back, by the paths of their threads. */
export const THREADS = new Map(
  columns
    .filter(({ holes = {} }) => holes[BACK] === undefined)
    .flatMap((column) => ["stream", "whole"].map((how) => [`${column.name}/${how}`, column])),
);

/**
 * One turn of a thread: the model is asked, and calls a tool, which the next turn runs.
 * @param {string} url of the server
 * @param {string} path of the thread
 * @param {MemorySaver} checkpointer
 */
export async function turnOf(url, path, checkpointer) {
  const llm = THREADS.get(path).create({
    maxRetries: 0,
    fetch: (address, { body, signal }) =>
      fetch(`${url}/asked/${path}?${encodeURIComponent(address)}`, {
        method: "POST",
        body,
        signal,
      }),
  });
  const agent = createReactAgent({ llm, tools: TOOLS, checkpointer, interruptBefore: ["tools"] });
  const thread = { configurable: { thread_id: path } };
  const { next } = await agent.getState(thread);
  const input = next.length === 0 ? { messages: "Weather?" } : null;
  if (path.endsWith("whole")) return void (await agent.invoke(input, thread));
  for await (const _ of await agent.stream(input, { ...thread, streamMode: "messages" }));
}

/** Fetches each thread, goes on with it for a turn, and gives it back. @param {string} url */
export async function turnOfAll(url) {
  for (const path of THREADS.keys()) {
    const saver = new MemorySaver();
    const kept = await fetch(`${url}/threads/${path}`);
    const file = new Uint8Array(await kept.arrayBuffer());
    if (kept.ok) await importThread(saver, file, { threadId: path });
    await turnOf(url, path, saver);
    const body = await exportThread(saver, path);
    await fetch(`${url}/threads/${path}`, { method: "PUT", body });
  }
}
