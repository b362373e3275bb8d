// SPDX-License-Identifier: MIT
// The worker: sample graphs behind an Agent Server, which the page asks over messages. Owns the
// engine and the threads, in IndexedDB, or in its memory where the browser refuses that.
import { MemorySaver } from "weftgraph";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { createServer } from "weftgraph/server";
import { offer } from "weftgraph/server/service-worker";
import { awaitChoice } from "../models/choice.js";
import { keepFailure, watchPolicy } from "../models/failures.js";
import { guardNetwork } from "../models/offline.js";
import { COMMANDS } from "./commands.js";
import { measureEngine } from "./engine-time.js";
import { graphs } from "./graphs.js";
import { keepMeasuresIn } from "./measures.js";
import { RoomlessStore } from "./roomless-store.js";
import {
  isStorageRefused,
  nameFailure,
  namedAnswer,
  noteFailedRequest,
  watchStorage,
} from "./storage.js";

const NAME = "weft-studio";
const page = /** @type {any} */ (globalThis);

guardNetwork();
measureEngine();
awaitChoice();
watchPolicy();
// Pages at plain http addresses have neither locks nor channels: there each tab is alone.
const hasTabs = navigator.locks !== undefined && typeof BroadcastChannel === "function";
/** What commands may use, once it is there. @type {import("./commands.js").Inside} */
let inside;

page.addEventListener("message", async (/** @type {MessageEvent} */ { data }) => {
  // Until it is said, what is stored is not touched.
  if (data?.begin === true) return begin();
  if (typeof data?.ask !== "number") return;
  try {
    page.postMessage({ answer: data.ask, value: await answer(data.name, data.value) });
  } catch (error) {
    const { message, code } = /** @type {Error & { code?: unknown }} */ (error);
    const told = { message: String(message), code: typeof code === "string" ? code : "COMMAND" };
    page.postMessage({ answer: data.ask, error: told });
  }
});

/** @param {string} name @param {unknown} value */
function answer(name, value) {
  if (!Object.hasOwn(COMMANDS, name)) throw new Error(`The engine has no command ${name}.`);
  return COMMANDS[name](value, inside);
}

/** @returns {Promise<boolean>} threads outlive the worker */
async function open() {
  try {
    await openWith(new IdbfsSaver({ prefix: NAME }), hasTabs);
    return true;
  } catch (error) {
    if (!(await isStorageRefused())) throw error;
    await openWith(new MemorySaver(), false);
    return false;
  }
}

/** @param {import("./commands.js").Inside["saver"]} saver @param {boolean} isShared by tabs */
async function openWith(saver, isShared) {
  const store = new RoomlessStore(saver);
  const tabs = isShared ? { tabs: NAME } : {};
  /** @param {unknown} error @param {{ thread_id: string } | undefined} run */
  const onError = (error, run) =>
    run === undefined ? noteFailedRequest(error) : keepFailure(nameFailure(error), run);
  const server = createServer({ graphs, saver, store, onError, ...tabs });
  keepMeasuresIn(server);
  // The first question opens the storage, and ends what an earlier worker left under way.
  const first = { method: "POST", body: "{}" };
  const response = await server.fetch("http://weft.local/threads/count", first);
  if (!response.ok) throw new Error(`The stored threads cannot be read: ${await response.text()}`);
  inside = { server, saver, store, graphs };
}

async function begin() {
  try {
    const isKept = await open();
    const { server } = inside;
    /** @type {typeof server.fetch} */
    const fetch = async (input, init) => namedAnswer(await server.fetch(input, init));
    offer({ fetch }, { port: page });
    page.postMessage({ ready: true, isKept });
    if (isKept) watchStorage(() => page.postMessage({ emptied: true }));
  } catch (error) {
    page.postMessage({ failed: String(/** @type {Error} */ (error).message) });
  }
}
