// SPDX-License-Identifier: MIT
// Adapts a client of LangGraph's SDK to the requests of remote-run.js: starts a run, reads its
// events and cancels it. Loaded when such a client streams events. Does not depend on HTTP or
// graphs.

/** @typedef {import("../base/callable.js").Value} Value */

/**
 * Makes the adapter.
 * @param {Value} client of the SDK, with `threads.stream` (versions from 1.11 on)
 * @param {string} assistantId
 */
export function protocolOf(client, assistantId) {
  /** @type {any} */
  let thread;
  return {
    /** The SDK's stream of the thread, after a run was started. */
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
