// SPDX-License-Identifier: MIT
// The worker: sample graphs behind an Agent Server, which the page asks over messages. Owns the
// engine and the threads in IndexedDB.
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { createServer } from "weftgraph/server";
import { offer } from "weftgraph/server/service-worker";
import { SaverStore } from "weftgraph/stores/saver";
import { awaitChoice } from "../models/choice.js";
import { keepFailure, watchPolicy } from "../models/failures.js";
import { COMMANDS } from "./commands.js";
import { measureEngine } from "./engine-time.js";
import { graphs } from "./graphs.js";

const NAME = "weft-studio";
const page = /** @type {any} */ (globalThis);

measureEngine();
awaitChoice();
watchPolicy();
const saver = new IdbfsSaver({ prefix: NAME });
const store = new SaverStore(saver);
// Pages at plain http addresses have neither locks nor channels: there each tab is alone.
const hasTabs = navigator.locks !== undefined && typeof BroadcastChannel === "function";
const server = createServer({
  graphs,
  saver,
  store,
  onError: keepFailure,
  ...(hasTabs ? { tabs: NAME } : {}),
});

page.addEventListener("message", async (/** @type {MessageEvent} */ { data }) => {
  if (typeof data?.ask !== "number") return;
  try {
    page.postMessage({ answer: data.ask, value: await answer(data.name, data.value) });
  } catch (error) {
    const { message, code } = /** @type {Error & { code?: unknown }} */ (error);
    const told = { message: String(message), code: typeof code === "string" ? code : "COMMAND" };
    page.postMessage({ answer: data.ask, error: told });
  }
});
offer(server, { port: page });

/** @param {string} name @param {unknown} value */
function answer(name, value) {
  if (!Object.hasOwn(COMMANDS, name)) throw new Error(`The engine has no command ${name}.`);
  return COMMANDS[name](value, { server, saver, store, graphs });
}

// The first question opens the storage, and ends what an earlier worker left under way.
server.fetch("http://weft.local/threads/count", { method: "POST", body: "{}" }).then(
  async (response) => {
    if (response.ok) return page.postMessage({ ready: true });
    page.postMessage({ failed: `The stored threads cannot be read: ${await response.text()}` });
  },
  (error) => page.postMessage({ failed: String(error) }),
);
