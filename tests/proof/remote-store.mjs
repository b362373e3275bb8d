// SPDX-License-Identifier: MIT
// A store that stands in another runtime: its verbs cross as JSON, its errors with their codes.
// Uses what all runtimes have.

const VERBS = ["head", "read", "append", "fold", "list", "drop", "witness", "byteLength"];

const packed = (_, value) =>
  value instanceof Uint8Array
    ? { bytes: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join("")) }
    : value;
const opened = (_, value) =>
  typeof value?.bytes === "string"
    ? Uint8Array.from(atob(value.bytes), (sign) => sign.charCodeAt(0))
    : value;

/** Does there what was asked for. @param {any} store @param {string} request */
export async function serveStore(store, request) {
  const { verb, given } = JSON.parse(request, opened);
  try {
    return JSON.stringify(
      { answer: await store[verb](...given.map((one) => one ?? undefined)) },
      packed,
    );
  } catch ({ code, message, unknown }) {
    return JSON.stringify({ error: { code, message, unknown } });
  }
}

/** The store as its callers see it. @param {(request: string) => Promise<string>} ask */
export function remoteStore(ask) {
  const call =
    (verb) =>
    async (...given) => {
      const { answer, error } = JSON.parse(
        await ask(JSON.stringify({ verb, given }, packed)),
        opened,
      );
      if (error !== undefined) throw Object.assign(new Error(error.message), error);
      return answer;
    };
  return Object.fromEntries(VERBS.map((verb) => [verb, call(verb)]));
}
