// SPDX-License-Identifier: MIT
// Knows: what went wrong in a person's words, and what that person can do about it. Must not know:
// the page.

/** @typedef {"settings" | "load" | "retry" | "new"} Remedy */
/** @typedef {{ title: string, advice: string, detail?: string, remedy?: Remedy }} Problem */

/** @type {Record<string, Omit<Problem, "detail">>} */
const BY_CODE = {
  NETWORK: {
    title: "No connection to the model service",
    advice:
      "It cannot be reached, or the connection was lost. Check the address, that the service runs, and that it allows requests from this page (CORS).",
    remedy: "settings",
  },
  TIMEOUT: {
    title: "The model service is silent",
    advice: "It said nothing for a minute. Try again, or choose another model.",
    remedy: "retry",
  },
  STREAM_CUT: {
    title: "The answer broke off",
    advice: "The connection ended in the middle of the answer. Nothing of it was kept; try again.",
    remedy: "retry",
  },
  STREAM_ERROR: {
    title: "The model service reported an error",
    advice: "Try again; if it stays, look into the service's own log.",
    remedy: "retry",
  },
  BAD_ANSWER: {
    title: "The model service's answer cannot be read",
    advice: "The address may not be one of an OpenAI-compatible service: it usually ends in /v1.",
    remedy: "settings",
  },
  QUOTA: {
    title: "The browser's storage is full",
    advice: "Nothing was lost. Delete old conversations or free storage, then try again.",
    remedy: "retry",
  },
  STORE: {
    title: "The browser's storage failed",
    advice: "Nothing that was shown as done is lost. Load the conversation again.",
    remedy: "load",
  },
  DATA_LOSS: {
    title: "The browser lost a part of this conversation",
    advice:
      "What it holds is less than what it had confirmed, so it is not continued. Start a new conversation.",
    remedy: "new",
  },
  CORRUPT_LOG: {
    title: "The stored conversation is damaged",
    advice: "It is not continued, so that nothing gets worse. The others are not affected.",
    remedy: "new",
  },
  ENGINE_TRAPPED: {
    title: "The engine stopped",
    advice: "It was replaced. Load the conversation again from its log to go on.",
    remedy: "load",
  },
  MEMORY_LIMIT: {
    title: "The engine's memory is used up",
    advice: "Load the conversation again, or start a new one.",
    remedy: "load",
  },
  GRAPH_RECURSION_LIMIT: {
    title: "The agent went around in circles",
    advice: "It was stopped after many steps without an answer. Ask in other words.",
    remedy: undefined,
  },
  APPROVAL: {
    title: "This decision cannot be used",
    advice:
      "The request changed or was decided elsewhere. Load the conversation again and look at it once more.",
    remedy: "load",
  },
};

/** @type {Record<number, Omit<Problem, "detail">>} */
const BY_STATUS = {
  400: {
    title: "The model service refused the request",
    advice: "The model may not know tools, or the model name is wrong.",
    remedy: "settings",
  },
  401: {
    title: "The model service does not accept the key",
    advice: "Check the key in the settings.",
    remedy: "settings",
  },
  403: {
    title: "The key is not allowed to do this",
    advice: "Check what the key may do, or take another model.",
    remedy: "settings",
  },
  404: {
    title: "The model service does not know this",
    advice: "Check the address and the model's name.",
    remedy: "settings",
  },
  429: {
    title: "Too many requests",
    advice: "The service asks to slow down. Wait a little and try again.",
    remedy: "retry",
  },
};

/** @param {any} error @returns {Problem} */
export function explain(error) {
  const detail = [error?.message ?? String(error), error?.body]
    .filter(Boolean)
    .join("\n")
    .slice(0, 1200);
  const known = BY_CODE[error?.code] ?? BY_CODE[error?.lc_error_code] ?? BY_STATUS[error?.status];
  if (known) return { ...known, detail };
  if (error?.status >= 500)
    return {
      title: "The model service has a fault",
      advice: `It answered with status ${error.status}. Try again later.`,
      detail,
      remedy: "retry",
    };
  return {
    title: "Something went wrong",
    advice: "Load the conversation again; all that was confirmed is kept.",
    detail,
    remedy: "load",
  };
}

/** @param {any} error */
export const isFenced = (error) => error?.code === "FENCED";
/** @param {any} error @param {AbortSignal} signal */
export const isStop = (error, signal) => signal.aborted || error?.name === "AbortError";
