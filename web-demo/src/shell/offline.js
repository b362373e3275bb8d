// SPDX-License-Identifier: MIT
// Lets the page open without network: a service worker keeps its files. Must not know: which.

const SCRIPT = "offline.js";

/**
 * Registers the service worker when the engine has started, so that its downloads wait for what a
 * person waits for.
 * @param {import("../worker/engine.js").Engine} engine
 * @param {() => void} changed a new version is kept: the next load shows it
 */
export function workOffline(engine, changed) {
  const { serviceWorker } = navigator;
  // Without https there is none.
  if (serviceWorker === undefined) return;
  let hasOne = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (hasOne) changed();
    hasOne = true;
  });
  const register = async () => {
    if (engine.state !== "ready") return;
    engine.removeEventListener("state", register);
    try {
      const { active } = await serviceWorker.register(scriptUrl());
      active?.postMessage("opened");
    } catch {
      // A browser may refuse it; the page works all the same.
    }
  };
  engine.addEventListener("state", register);
  register();
}

/** @returns {string} the only address that may become a service worker */
function scriptUrl() {
  const types = /** @type {any} */ (globalThis).trustedTypes;
  const policy = types?.createPolicy("weft-offline", { createScriptURL: () => SCRIPT });
  return policy?.createScriptURL(SCRIPT) ?? SCRIPT;
}
