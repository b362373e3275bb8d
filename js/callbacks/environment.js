// SPDX-License-Identifier: MIT
// Finds the tracers that LangChain's environment variables request (LANGSMITH_TRACING=true, …), as
// LangGraph.js does: in the @langchain/core installed beside this package, loaded when the first
// call is to be traced. Without it, or in a host without an environment, there are none.
import { LazyModule } from "../base/lazy.js";
import { managerOf } from "./manager.js";

/** @typedef {{ name: "env", variable: string }} Permission */
/**
 * What this module reads of the realm, which depends on the runtime.
 * @typedef {{ process?: { env?: Record<string, string | undefined> }, Deno?: { permissions?: {
 *   querySync?: (permission: Permission) => { state: string } } } }} Realm
 */

const NAMES = [
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING",
  "LANGCHAIN_TRACING",
];
/** Not a literal in the import, so that no bundler resolves it: it is optional. */
const MODULE = "@langchain/core/callbacks/manager";
/** Lazy because it is another package, which only those who ask for tracing must have. */
const CORE = /* @__PURE__ */ new LazyModule(
  "tracing",
  () => import(/* @vite-ignore */ /* webpackIgnore: true */ MODULE),
);
/** Has loading failed? */
let isMissing = false;

/** @returns {boolean} */
function isAsked() {
  const { process, Deno: deno } = /** @type {Realm} */ (globalThis);
  const env = process?.env;
  if (env === undefined) return false;
  // Deno would prompt its user for each variable that is not allowed.
  const mayRead = (/** @type {string} */ variable) =>
    deno === undefined ||
    deno.permissions?.querySync?.({ name: "env", variable }).state === "granted";
  return NAMES.some((name) => mayRead(name) && env[name] === "true");
}

/** @returns {Promise<void> | undefined} to be awaited before a call's tracers are read */
export function tracersLoading() {
  if (CORE.loaded !== undefined || isMissing || !isAsked()) return undefined;
  return CORE.load().then(() => {}, warnMissing);
}

/** @param {{ cause?: Partial<Error> }} error */
function warnMissing({ cause }) {
  if (isMissing) return;
  isMissing = true;
  console.warn(
    `Runs are not traced, as the environment asks: @langchain/core cannot be loaded (${cause?.message}). Install it beside weftgraph, or pass a tracer in \`callbacks\`.`,
  );
}

/**
 * Adds the tracers that the environment requests to the callbacks of a call.
 * @param {unknown} callbacks a manager, a list or nothing
 * @returns {unknown}
 */
export function withTracers(callbacks) {
  if (CORE.loaded === undefined || !isAsked()) return callbacks;
  return CORE.loaded.CallbackManager.configure(managerOf(callbacks ?? []));
}
