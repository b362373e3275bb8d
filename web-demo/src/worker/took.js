// SPDX-License-Identifier: MIT
// Keeps how long the runs of a thread took in the thread's metadata: no checkpoint tells it.

/**
 * In ms: the engine's own calls, and the time in which at least one node ran.
 * @typedef {{ engineMs: number, waitMs: number }} Took
 */
/** @typedef {{ fetch: (input: string, init?: RequestInit) => Promise<Response> }} Server */

const THREADS = "http://weft.local/threads";

/** @param {Server} server @param {string} thread @returns {Promise<Took>} by runs that ended */
export async function tookOf(server, thread) {
  const query = { ids: [thread], select: ["metadata"] };
  const response = await server.fetch(`${THREADS}/search`, sent("POST", query));
  const [found] = response.ok ? await response.json() : [];
  const { engineMs, waitMs } = found?.metadata?.took ?? {};
  return { engineMs: msOf(engineMs), waitMs: msOf(waitMs) };
}

/** @param {Server} server @param {string} thread @param {Took} took by all its runs */
export async function keepTook(server, thread, took) {
  const init = sent("PATCH", { metadata: { took } });
  await server.fetch(`${THREADS}/${encodeURIComponent(thread)}`, init);
}

/** @param {string} method @param {unknown} body @returns {RequestInit} */
const sent = (method, body) => ({
  method,
  headers: { "content-type": "application/json", prefer: "return=minimal" },
  body: JSON.stringify(body),
});

/** Metadata may come from a file of threads. @param {unknown} value */
const msOf = (value) => (typeof value === "number" && value > 0 ? value : 0);
