// SPDX-License-Identifier: MIT
// The smoke set in a page: starts by itself, so that all of it stands under the page's policy; ?memory or ?idbfs chooses
// the saver. Leaves window.smokeResults (a promise) and window.evalAnswer: what became of an eval, which the policy forbids.
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { runSmoke } from "./smoke-entry.mjs";

function tryEval() {
  try {
    return String(globalThis.eval("1 + 1"));
  } catch (error) {
    return error.name;
  }
}

globalThis.evalAnswer = tryEval();
globalThis.smokeResults = runSmoke({ als: false, saver: location.search === "?idbfs" ? new IdbfsSaver({ prefix: "smoke" }) : undefined });
