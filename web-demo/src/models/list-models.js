// SPDX-License-Identifier: MIT
// Asks a service which models it has: GET /models in the form of each of the services. What it
// answers is bounded.
import { ModelError } from "weftgraph/models/openai";
import { serviceOf } from "./services.js";

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_MODELS = 1000;
const LONGEST_NAME = 200;
const SILENCE_MS = 20_000;

/**
 * @param {import("./choice.js").Chosen} choice
 * @param {{ fetch: typeof globalThis.fetch }} call
 * @returns {Promise<string[]>} sorted names
 * @throws ModelError
 */
export async function listModels(choice, call) {
  const { url, headers } = requestFor(choice);
  const signal = AbortSignal.timeout(SILENCE_MS);
  let response;
  let text;
  try {
    response = await call.fetch(url, { headers, signal, redirect: "error" });
    text = await readText(response);
  } catch (error) {
    const code = signal.aborted ? "TIMEOUT" : "NETWORK";
    throw error instanceof ModelError
      ? error
      : new ModelError("The list did not come.", { code, cause: error });
  }
  const details = {
    status: response.status,
    body: text.slice(0, 2000),
    headers: { "content-type": response.headers.get("content-type") ?? "" },
  };
  if (!response.ok)
    throw new ModelError(`The model service answered ${response.status}`, {
      code: `HTTP_${response.status}`,
      ...details,
    });
  const names = namesIn(text);
  if (names === undefined)
    throw new ModelError("The model service sent no list of models", {
      code: "BAD_ANSWER",
      ...details,
    });
  return names;
}

/** @param {import("./choice.js").Chosen} choice */
function requestFor({ service, url, key }) {
  const { api } = serviceOf(service);
  const base = url.replace(/\/+$/, "");
  /** @type {Record<string, string>} */
  const headers = {};
  if (api === "anthropic") {
    if (key) headers["x-api-key"] = key;
    headers["anthropic-version"] = "2023-06-01";
    headers["anthropic-dangerous-direct-browser-access"] = "true";
    return { url: `${base.replace(/\/v1$/, "")}/v1/models?limit=1000`, headers };
  }
  if (api === "gemini") {
    if (key) headers["x-goog-api-key"] = key;
    const versioned = /\/v\d\w*$/.test(base) ? base : `${base}/v1beta`;
    return { url: `${versioned}/models?pageSize=1000`, headers };
  }
  if (key) headers.authorization = `Bearer ${key}`;
  return { url: `${base}/models`, headers };
}

/** @param {Response} response */
async function readText(response) {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let length = 0; reader !== undefined; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST_BYTES) {
      reader.cancel().catch(() => {});
      throw new ModelError("The list of models is too long", { code: "TOO_LARGE" });
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

/** @param {string} text @returns {string[] | undefined} */
function namesIn(text) {
  let list;
  try {
    const data = JSON.parse(text);
    list = Array.isArray(data) ? data : (data?.data ?? data?.models);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const names = list
    .filter(
      (item) =>
        !Array.isArray(item?.supportedGenerationMethods) ||
        item.supportedGenerationMethods.includes("generateContent"),
    )
    .map((item) => item?.id ?? item?.name)
    .filter((name) => typeof name === "string" && name !== "" && name.length <= LONGEST_NAME)
    .map((name) => name.replace(/^models\//, ""));
  return [...new Set(names)].sort().slice(0, MOST_MODELS);
}
