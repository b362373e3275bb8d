// SPDX-License-Identifier: MIT
// Lends the browser's own model, which only pages have, to the worker: calls go over a channel
// whose name only these two know. Must not know: conversations.

/**
 * Each call has a number; `session`: the object whose method is called, 0 is the API itself.
 * @typedef {{ call: number, session?: number, method?: string, args?: any[], abort?: boolean }}
 *   Asked
 * @typedef {{ answer: number, value?: any, session?: number, piece?: any, done?: boolean, counts?:
 *   object, error?: { name: string, message: string } }} Answered
 */

const COUNTS = ["contextUsage", "contextWindow", "inputUsage", "inputQuota"];
const METHODS = [
  "prompt",
  "promptStreaming",
  "clone",
  "destroy",
  "measureContextUsage",
  "measureInputUsage",
];

/**
 * Serves the page's model over the channel.
 * @param {string} name of the channel
 * @param {any} [api] default: the browser's own
 * @returns {() => void} ends it
 */
export function servePageModel(name, api = /** @type {any} */ (globalThis).LanguageModel) {
  const channel = new BroadcastChannel(name);
  /** @type {Map<number, any>} */
  const sessions = new Map();
  /** @type {Map<number, AbortController>} */
  const calls = new Map();
  let made = 0;
  channel.onmessage = ({ data }) => {
    const { call, session = 0, method = "", args = [], abort } = /** @type {Asked} */ (data);
    if (typeof call !== "number") return;
    if (abort) return void calls.get(call)?.abort();
    const controller = new AbortController();
    calls.set(call, controller);
    run(call, session, method, args, controller.signal)
      .catch((/** @type {any} */ error) =>
        channel.postMessage({
          answer: call,
          error: { name: String(error?.name), message: String(error?.message ?? error) },
        }),
      )
      .finally(() => calls.delete(call));
  };

  /**
   * @param {number} call @param {number} id of a session @param {string} method
   * @param {any[]} args @param {AbortSignal} signal
   */
  async function run(call, id, method, args, signal) {
    const target = id === 0 ? api : sessions.get(id);
    const isKnown =
      id === 0 ? ["availability", "create"].includes(method) : METHODS.includes(method);
    if (target === undefined || !isKnown) throw new Error("The browser's own model is not there.");
    const given = args.map((arg, at) =>
      at === args.length - 1 && isOptions(arg) ? { ...arg, signal } : arg,
    );
    if (method === "destroy") sessions.delete(id);
    const value = await target[method](...given);
    if (method === "promptStreaming") {
      for await (const piece of value) channel.postMessage({ answer: call, piece });
      channel.postMessage({ answer: call, done: true, counts: countsOf(target) });
    } else if (method === "create" || method === "clone") {
      sessions.set(++made, value);
      channel.postMessage({ answer: call, session: made, counts: countsOf(value) });
    } else channel.postMessage({ answer: call, value, counts: id === 0 ? {} : countsOf(target) });
  }
  return () => {
    channel.close();
    for (const session of sessions.values()) session.destroy?.();
  };
}

/** @param {any} value */
const isOptions = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {any} session */
function countsOf(session) {
  const counts = COUNTS.map((name) => [name, session?.[name]]);
  return Object.fromEntries(counts.filter(([, value]) => typeof value === "number"));
}

/** @type {Map<string, any>} */
const lent = new Map();

/**
 * The page's model as the worker sees it.
 * @param {string} name of the channel
 */
export function pageLanguageModel(name) {
  const known = lent.get(name);
  if (known !== undefined) return known;
  const ask = askOver(new BroadcastChannel(name));
  const model = {
    availability: async (/** @type {any} */ options = {}) =>
      (await ask(0, "availability", [options])).value,
    create: async (/** @type {any} */ options = {}) => sessionOf(await ask(0, "create", [options])),
  };
  lent.set(name, model);
  return model;

  /** @param {Answered} answered @returns {any} */
  function sessionOf({ session = 0, counts }) {
    const simple = async (/** @type {string} */ method, /** @type {any[]} */ args) => {
      const told = await ask(session, method, args);
      Object.assign(own, told.counts);
      return told;
    };
    /** @type {any} */
    const own = {
      ...counts,
      prompt: async (/** @type {any} */ input, options = {}) =>
        (await simple("prompt", [input, options])).value,
      measureContextUsage: async (/** @type {any} */ input, options = {}) =>
        (await simple("measureContextUsage", [input, options])).value,
      clone: async (options = {}) => sessionOf(await simple("clone", [options])),
      destroy: () => void ask(session, "destroy", []).catch(() => {}),
      promptStreaming: (/** @type {any} */ input, options = {}) =>
        new ReadableStream({
          start(controller) {
            ask(session, "promptStreaming", [input, options], (piece) =>
              controller.enqueue(piece),
            ).then(
              ({ counts: after }) => {
                Object.assign(own, after);
                controller.close();
              },
              (error) => controller.error(error),
            );
          },
        }),
    };
    return own;
  }
}

/** @param {BroadcastChannel} channel */
function askOver(channel) {
  let last = 0;
  /** @type {Map<number, (told: Answered) => void>} */
  const waiting = new Map();
  channel.onmessage = ({ data }) => waiting.get(data?.answer)?.(data);
  /**
   * @param {number} session @param {string} method @param {any[]} args
   * @param {(piece: any) => void} [take]
   * @returns {Promise<Answered>}
   */
  return (session, method, args, take) =>
    new Promise((resolve, reject) => {
      const call = ++last;
      const { signal } = args.at(-1) ?? {};
      const end = (/** @type {() => void} */ tell) => {
        waiting.delete(call);
        signal?.removeEventListener("abort", stop);
        tell();
      };
      const stop = () => {
        channel.postMessage({ call, abort: true });
        end(() => reject(signal.reason));
      };
      waiting.set(call, (told) => {
        if ("piece" in told) return take?.(told.piece);
        if (told.error === undefined) return end(() => resolve(told));
        const error = new Error(told.error.message);
        error.name = told.error.name;
        end(() => reject(error));
      });
      signal?.addEventListener("abort", stop, { once: true });
      channel.postMessage({ call, session, method, args: args.map(plainArgument) });
    });
}

/** Options without what cannot be posted. @param {any} value */
function plainArgument(value) {
  if (!isOptions(value)) return value;
  const { signal: _signal, monitor: _monitor, ...rest } = value;
  return rest;
}
