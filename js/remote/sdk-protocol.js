// SPDX-License-Identifier: MIT
// Knows: how a client of LangGraph's SDK starts a run, reads its events and cancels it, as
// remote-run.js asks for it. Loaded when such a client streams events. Must not know: HTTP, graphs.

/** @typedef {import("../base/callable.js").Value} Value */

/**
 * @param {Value} client of the SDK, with `threads.stream` (its versions from 1.11 on)
 * @param {string} assistantId
 */
export function protocolOf(client, assistantId) {
  /** @type {any} */
  let thread;
  return {
    /** The SDK's stream of the thread, once a run of it was started. */
    get thread() {
      return thread;
    },
    /** @param {string} id @param {Record<string, unknown>} params @returns {Promise<unknown>} */
    async start(id, { input, config }) {
      thread = client.threads.stream(id, { assistantId });
      return { type: "success", result: await thread.run.start({ input, config }) };
    },
    /**
     * @param {string} _
     * @param {string[]} channels
     * @param {AbortSignal} signal
     * @returns {AsyncGenerator<unknown>}
     */
    async *events(_, channels, signal) {
      const subscription = await thread.subscribe({ channels });
      const end = () => subscription.unsubscribe().catch(() => {});
      signal.addEventListener("abort", end);
      try {
        if (!signal.aborted) yield* subscription;
      } finally {
        signal.removeEventListener("abort", end);
        await end();
      }
    },
    /** @param {string} id @param {string} runId */
    async cancel(id, runId) {
      await client.runs.cancel(id, runId, false).catch(() => {});
      await thread.close();
    },
  };
}
