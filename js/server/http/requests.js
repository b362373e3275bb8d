// SPDX-License-Identifier: MIT
// Takes the arguments of the global fetch as one request, and reads the user that `authenticate`
// returns. Does not depend on what is served.
import { isObject } from "../../base/check-arguments.js";
import { Refusal } from "./replies.js";

/**
 * `original`: the very object that came from the host. `signal` is heeded apart: a request that has
 * one cannot be made in every runtime.
 * @typedef {{ request: Request, original: Request, signal: AbortSignal | undefined }} Received
 */

/**
 * @param {string | URL | Request} input
 * @param {RequestInit} [init]
 * @returns {Received}
 * @throws TypeError for what is no request
 */
export function receive(input, init) {
  const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
  const isWhole = input instanceof Request && init === undefined;
  const request = isWhole ? input : new Request(input, withoutSignal(init));
  return {
    request,
    original: input instanceof Request ? input : request,
    signal: signal ?? undefined,
  };
}

/** @param {RequestInit | undefined} init @returns {RequestInit | undefined} */
function withoutSignal(init) {
  if (init === undefined) return undefined;
  const { signal: _signal, ...rest } = init;
  const isStream = rest.body instanceof ReadableStream;
  return isStream ? /** @type {RequestInit} */ ({ duplex: "half", ...rest }) : rest;
}

/**
 * @param {unknown} user what `authenticate` returned
 * @returns {string | undefined} undefined: somebody without a name, who is let in
 * @throws {Refusal} 401
 */
export function nameOf(user) {
  if (user === true) return undefined;
  const name = isObject(user) ? /** @type {{ identity?: unknown }} */ (user).identity : user;
  if (typeof name !== "string" || name === "") throw new Refusal(401, "Say who you are.");
  return name;
}
