// SPDX-License-Identifier: MIT
// The table of what model services do wrong, and of what keeps requests from them.
/** @typedef {import("./failures.js").Failure} Failure */
/** @typedef {import("./problems.js").Row} Row */

/** @param {Failure} failure */
const isLocal = ({ address = "" }) => /^https?:\/\/(?:localhost|127\.0\.0\.1)(?::|$)/.test(address);
/** @param {Failure} failure */
const there = ({ address }) => (address === undefined ? "The service" : address);
/** @param {...string} codes @returns {Row["when"]} */
const coded =
  (...codes) =>
  ({ code = "" }) =>
    codes.includes(code);

/** @type {readonly Row[]} */
export const SERVICE_ROWS = [
  {
    kind: "offline-switch",
    when: coded("OFFLINE_SWITCH"),
    title: "The offline switch is on",
    text: "This model needs the network. Turn the offline switch off and try again, or choose the built-in models, which need none.",
    acts: ["retry", "models"],
  },
  {
    kind: "offline",
    when: ({ code }) => code === "NETWORK" && globalThis.navigator?.onLine === false,
    title: "You are offline",
    text: "The model service cannot be asked without a network. The built-in models work offline.",
    acts: ["retry", "models"],
  },
  {
    kind: "blocked",
    when: coded("BLOCKED"),
    title: "This page may not connect to that address",
    text: (failure) =>
      `Its policy allows https addresses and this machine. Serve the page with: node web-demo/serve.mjs --connect ${there(failure)}`,
    acts: ["models"],
  },
  {
    kind: "cut",
    when: ({ code, hasBegun }) =>
      code === "STREAM_CUT" || (code === "NETWORK" && hasBegun === true),
    title: "The answer broke off",
    text: "The connection ended in the middle of the answer. The thread is as it was before it.",
    acts: ["retry", "models"],
  },
  {
    kind: "unreachable",
    when: coded("NETWORK"),
    title: "The model service cannot be reached",
    text: (failure) =>
      isLocal(failure)
        ? `Does it run at ${there(failure)}, and does it allow requests from this page (CORS)? Its name among the services says how to start it.`
        : `${there(failure)} does not answer, or does not allow requests from web pages (CORS). Check the address; a service without CORS needs a proxy that has it.`,
    acts: ["models", "retry"],
  },
  {
    kind: "redirect",
    when: coded("REDIRECT"),
    title: "The address leads elsewhere",
    text: "The service sends requests on to another address, where the key is not sent. Give the address that it leads to.",
    acts: ["models"],
  },
  {
    kind: "silent",
    when: coded("TIMEOUT"),
    title: "The model service is silent",
    text: "It said nothing for too long. Try again, or choose a faster model.",
    acts: ["retry", "models"],
  },
  {
    kind: "too-large",
    when: coded("TOO_LARGE"),
    title: "The answer has no end",
    text: "The service sent more than an answer may have, so it was cut off.",
    acts: ["retry", "models"],
  },
  {
    kind: "web-page",
    when: ({ type = "", body = "", code }, words) =>
      (code === "BAD_ANSWER" || code === "STREAM_CUT" || /^HTTP_/.test(code ?? "")) &&
      (/text\/html/.test(type) || /^\s*<(?:!doctype|html)/i.test(body) || /text\/html/.test(words)),
    title: "There is a web page at this address, no model",
    text: "The address of a service usually ends in /v1. The names of services bring theirs.",
    acts: ["models"],
  },
  {
    kind: "bad-answer",
    when: coded("BAD_ANSWER"),
    title: "The model service's answer cannot be read",
    text: "It is not in the form of this kind of service. Check the kind and the address: it usually ends in /v1.",
    acts: ["models", "retry"],
  },
  {
    kind: "context",
    when: ({ code = "", status, name }, words) =>
      /context_overflow|context_length/i.test(code) ||
      status === 413 ||
      (name === "ModelError" &&
        /context (?:length|window)|maximum context|too many tokens|prompt is too long/i.test(
          words,
        )),
    title: "The conversation is too long for this model",
    text: "Begin a new thread, go back to an earlier step, or choose a model with a longer context.",
    acts: ["new", "models"],
  },
  {
    kind: "no-tools",
    when: ({ status }, words) =>
      (status === 400 || status === 404 || status === 422) &&
      /\btools?\b.{0,40}\b(?:support|not allowed|unsupported|choice|parser)|support.{0,40}\b(?:tools?|tool use|function calling)\b/i.test(
        words,
      ),
    title: "This model cannot call tools",
    text: "The samples' agents work with tools. Choose a model that can call them.",
    acts: ["models"],
  },
  {
    kind: "no-credit",
    when: ({ code = "", status }, words) =>
      status === 402 ||
      /insufficient_quota|billing|insufficient_balance/i.test(code) ||
      (status === 429 && /exceeded your current quota|billing|credit/i.test(words)),
    title: "The account has no credit left",
    text: "The service wants to be paid before it answers. Add credit there, or choose another model.",
    acts: ["models", "retry"],
  },
  {
    kind: "rate",
    when: ({ code = "", status }) =>
      status === 429 || /rate_limit|RESOURCE_EXHAUSTED|too_many_requests/i.test(code),
    title: "Too many requests",
    text: "The service asks to slow down. It is tried again when the time is over.",
    acts: ["retry", "models"],
  },
  {
    kind: "key",
    when: ({ code = "", status }, words) =>
      status === 401 ||
      /invalid_api_key|authentication_error|UNAUTHENTICATED/i.test(code) ||
      (status === 400 && /api.?key (?:not valid|is invalid)|invalid api.?key/i.test(words)),
    title: "The key is not accepted",
    text: (failure) =>
      `${there(failure)} does not know this key. Copy it again, or make a new one there.`,
    acts: ["models"],
  },
  {
    kind: "forbidden",
    when: ({ code = "", status }) =>
      status === 403 || code === "permission_error" || code === "PERMISSION_DENIED",
    title: "The key may not do this",
    text: "The service knows the key, but does not allow this model or this page's address.",
    acts: ["models"],
  },
  {
    kind: "no-model",
    when: ({ code = "", status }, words) =>
      code === "model_not_found" ||
      ((status === 404 || status === 400 || status === 403) &&
        /\bmodel\b.{0,80}\b(?:not (?:found|exist|available)|does not exist|unknown|invalid)|\b(?:unknown|invalid|no such) model|try pulling it/is.test(
          words,
        )),
    title: "The service does not have this model",
    text: ({ model }) =>
      `${model === undefined ? "The model" : `“${model}”`} is none of its names. List its models, and choose one.`,
    acts: ["models"],
  },
  {
    kind: "no-path",
    when: ({ status }) => status === 404 || status === 405,
    title: "There is no model service at this address",
    text: "Something answers, but not with a model: the address usually ends in /v1.",
    acts: ["models"],
  },
  {
    kind: "slow",
    when: ({ status }) => status === 408 || status === 504 || status === 524,
    title: "The model took too long",
    text: "The service gave up waiting for it. Try again, or choose a faster model.",
    acts: ["retry", "models"],
  },
  {
    kind: "overloaded",
    when: ({ code = "", status }) =>
      status === 503 ||
      status === 529 ||
      (/overloaded|UNAVAILABLE/.test(code) && status !== undefined),
    title: "The model service is overloaded",
    text: "It has too much to do at the moment. Try again in a while, or choose another model.",
    acts: ["retry", "models"],
  },
  {
    kind: "service-fault",
    when: ({ status = 0 }) => status >= 500,
    title: "The model service has a fault",
    text: ({ status }) =>
      `It answered with status ${status}. Nothing is wrong here; try again later.`,
    acts: ["retry", "models"],
  },
  {
    kind: "refused",
    when: ({ status = 0 }) => status >= 400,
    title: "The model service refused the request",
    text: "What it reported says why. Often the model's name is wrong, or it takes no tools.",
    acts: ["models", "retry"],
  },
  {
    kind: "blocked-prompt",
    when: coded("PROMPT_BLOCKED"),
    title: "The service does not answer this",
    text: "Its filter blocked the conversation. Say it in other words, or choose another model.",
    acts: ["new", "models"],
  },
  {
    kind: "reported",
    when: ({ name, status, code, source }) =>
      name === "ModelError" &&
      source !== "browser" &&
      source !== "webllm" &&
      (status === 200 || code === "STREAM_ERROR"),
    title: "The model service reported an error",
    text: "It broke the answer off with it. Try again; if it stays, choose another model.",
    acts: ["retry", "models"],
  },
];
