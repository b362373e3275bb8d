// SPDX-License-Identifier: MIT
// Lets the page open without network: a service worker keeps its files. Offers it the engine, for
// other pages of this site. Must not know: which.
import { offer } from "weftgraph/server/service-worker";

const SCRIPT = "offline.js";
/** Where the engine is asked, below the page's folder, as the service worker has it. */
const AGENTS = "agents";
/** The engine's own address. */
const ENGINE = "http://weft.local";

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
      offer(serverBelow(new URL(AGENTS, location.href).pathname, engine));
    } catch {
      // A browser may refuse it; the page works all the same.
    }
  };
  engine.addEventListener("state", register);
  register();
}

/**
 * The engine's server, below a path of this site.
 * @param {string} basePath
 * @param {import("../worker/engine.js").Engine} engine
 */
function serverBelow(basePath, engine) {
  const fetch = async (/** @type {Request} */ request, /** @type {RequestInit} */ init = {}) => {
    const { method, headers, url } = request;
    const { pathname, search } = new URL(url);
    const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
    const path = pathname.slice(basePath.length) + search;
    return engine.server.fetch(ENGINE + path, { ...init, method, headers, body });
  };
  return { basePath, fetch };
}

/** @returns {string} the only address that may become a service worker */
function scriptUrl() {
  const types = /** @type {any} */ (globalThis).trustedTypes;
  const policy = types?.createPolicy("weft-offline", { createScriptURL: () => SCRIPT });
  return policy?.createScriptURL(SCRIPT) ?? SCRIPT;
}
