// SPDX-License-Identifier: MIT
// Knows: the tracers that LangChain's environment variables ask for (LANGSMITH_TRACING=true, …), as
// a graph of LangGraph.js gets them: by the @langchain/core that is installed beside this package,
// found when the first call is to be traced. Without it, or in a host without an environment, there
// are none.
import { LazyModule } from "../base/lazy.js";
import { managerOf } from "./manager.js";

/** @typedef {import("../base/callable.js").Value} Value */

const NAMES = [
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING",
  "LANGCHAIN_TRACING",
];
/** No bundler may look for it: it is optional. */
const MODULE = "@langchain/core/callbacks/manager";
const CORE = /* @__PURE__ */ new LazyModule(
  "tracing",
  () => import(/* @vite-ignore */ /* webpackIgnore: true */ MODULE),
);
/** Was it looked for in vain? */
let isMissing = false;

/** @returns {boolean} */
function isAsked() {
  const { process, Deno: deno } = /** @type {Record<PropertyKey, Value>} */ (globalThis);
  const env = process?.env;
  if (env === undefined) return false;
  // Deno would ask its user for each variable that is not allowed.
  const mayRead = (/** @type {string} */ variable) =>
    deno === undefined ||
    deno.permissions?.querySync?.({ name: "env", variable }).state === "granted";
  return NAMES.some((name) => mayRead(name) && env[name] === "true");
}

/** @returns {Promise<void> | undefined} to be waited for before a call's tracers are asked for */
export function tracersLoading() {
  if (CORE.loaded !== undefined || isMissing || !isAsked()) return undefined;
  return CORE.load().then(() => {}, warnMissing);
}

/** @param {Value} error */
function warnMissing({ cause }) {
  if (isMissing) return;
  isMissing = true;
  console.warn(
    `Runs are not traced, as the environment asks: @langchain/core cannot be loaded (${cause?.message}). Install it beside weftgraph, or pass a tracer in \`callbacks\`.`,
  );
}

/**
 * The callbacks of a call, with the tracers that the environment asks for.
 * @param {unknown} callbacks a manager, a list or nothing
 * @returns {unknown}
 */
export function withTracers(callbacks) {
  if (CORE.loaded === undefined || !isAsked()) return callbacks;
  return CORE.loaded.CallbackManager.configure(managerOf(callbacks ?? []));
}
