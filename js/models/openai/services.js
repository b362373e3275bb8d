// SPDX-License-Identifier: MIT
// Knows single services by their addresses: what they refuse of OpenAI's chat completions. Does not
// depend on requests.

/**
 * `profile`: of its models; `hears`: names of models that take sound; `hasNames`: messages may have
 * names; `hasStreamOptions`: it takes `stream_options`; `keepsReasoning`: each model takes the
 * reasoning of others; `callId`: ids of calls that it takes, `newId` makes one of a number;
 * `isAnswered`: results of tools must be answered before the user speaks.
 * @typedef {{ profile?: import("../../types/models/base.js").ModelProfile, hears?: RegExp,
 *   hasNames?: boolean, hasStreamOptions?: boolean, keepsReasoning?: boolean, callId?: RegExp,
 *   newId?: (count: number) => string, isAnswered?: boolean }} Service
 */

/** @type {Service} */
const OPENAI = { callId: /^.{0,40}$/s };
/** By domain. @type {[string, Service][]} */
const SERVICES = [
  ["api.openai.com", { ...OPENAI, hears: /audio/ }],
  ["openai.azure.com", OPENAI],
  [
    "groq.com",
    { profile: { structuredOutputWithTools: false, audioInputs: false }, keepsReasoning: false },
  ],
  [
    "mistral.ai",
    {
      hasNames: false,
      isAnswered: true,
      // It tells the usage in any case.
      hasStreamOptions: false,
      callId: /^[a-zA-Z0-9]{9}$/,
      newId: (count) => String(count).padStart(9, "0"),
    },
  ],
];

/** @param {string} baseURL @returns {Service} */
export function serviceAt(baseURL) {
  const { hostname } = new URL(baseURL);
  const isAt = (/** @type {string} */ name) => hostname === name || hostname.endsWith(`.${name}`);
  return SERVICES.find(([domain]) => isAt(domain))?.[1] ?? {};
}

/**
 * Returns what gives the ids of a request's calls: those that the service refuses, as another one
 * named them, get one by their order, so that it is the same in each request of a conversation.
 * @param {Service} service
 * @returns {(id: string) => string}
 */
export function idsFor({ callId, newId = (count) => `weft_call_${count}` }) {
  /** @type {Map<string, string>} */
  const made = new Map();
  return (id) => {
    if (callId === undefined || typeof id !== "string" || callId.test(id)) return id;
    const own = made.get(id) ?? newId(made.size);
    made.set(id, own);
    return own;
  };
}
