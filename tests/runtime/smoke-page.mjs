// SPDX-License-Identifier: MIT
// The smoke set in a page: starts by itself, so that all of it stands under the page's policy;
// ?memory or ?idbfs chooses the saver, ?worker runs it in a dedicated worker. Leaves
// globalThis.smokeResults (a promise) and globalThis.evalAnswer: what became of an eval, which the
// policy forbids.
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { runSmoke } from "./smoke-entry.mjs";

/** By its name and not by its address: chunks that are loaded later import this very module. */
const WORKER = "in-worker";

function tryEval() {
  try {
    return String(globalThis.eval("1 + 1"));
  } catch (error) {
    return error.name;
  }
}

/** @param {string} url of this module, which does its work in the worker too */
function askWorker(url) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, { type: "module", name: WORKER });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`the worker failed: ${message}`));
  });
}

globalThis.evalAnswer = tryEval();
if (location.search === "?worker") {
  globalThis.smokeResults = askWorker(import.meta.url);
} else {
  globalThis.smokeResults = runSmoke({
    als: false,
    saver: location.search === "?idbfs" ? new IdbfsSaver({ prefix: "smoke" }) : undefined,
  });
  if (globalThis.name === WORKER)
    globalThis.smokeResults.then((results) => globalThis.postMessage(results));
}
