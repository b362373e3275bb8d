// SPDX-License-Identifier: MIT
// Says what errors of the browser's own model mean, and where there is none. Does not depend on
// sessions.
import { ModelError } from "../model-error.js";

/** @typedef {import("../text-tools/tab-model.js").Told} Told */

const OTHERS =
  "use another model there, for example weftgraph/models/webllm or a service's (weftgraph/models/openai)";
const REQUIREMENTS =
  "It needs a desktop computer with 22 GB of free disk, and 16 GB of memory or more than 4 GB of the graphics card's, and knows few languages";

/** The code of each of the browser's errors, and what to do. @type {Record<string, string[]>} */
const REFUSALS = {
  NotAllowedError: [
    "NOT_ALLOWED",
    "the model's download needs a user gesture: call prepare() in the handler of a click",
  ],
  NotSupportedError: [
    "NOT_SUPPORTED",
    "the input, its language or a keyword of the schema is not supported",
  ],
  QuotaExceededError: ["context_overflow", "the input is too long for the model"],
  SyntaxError: ["BAD_ANSWER", "the answer does not fit its schema"],
};

/** @param {Told} told */
export function refusalOf({ name, message }) {
  const [code, hint] = Object.hasOwn(REFUSALS, name) ? REFUSALS[name] : ["STREAM_ERROR"];
  const advice = hint === undefined ? "" : ` (${hint})`;
  return { message: `The browser's own model reported an error: ${message}${advice}`, code };
}

/** Returns the error of a place without the API. */
export function absent() {
  const isPage = "document" in globalThis;
  const where = isPage
    ? `This page has no LanguageModel. Chrome on desktops has it from version 148 on, in pages of https; ${OTHERS}`
    : `There is no LanguageModel in workers and on servers, only in pages: run the graph in the page, or ${OTHERS}`;
  return new ModelError(where, { code: "UNAVAILABLE" });
}

/** Returns the error of a device that cannot run the model. @param {unknown} cause */
export function unable(cause) {
  return new ModelError(
    `The browser's own model is unavailable on this device. ${REQUIREMENTS}; ${OTHERS}`,
    { code: "UNAVAILABLE", cause },
  );
}

/** Returns the error of an input that is longer than what the model can hold. */
export function tooLong() {
  return new ModelError("The conversation is too long for the browser's own model", {
    code: "context_overflow",
  });
}
