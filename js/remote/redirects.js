// SPDX-License-Identifier: MIT
// Knows: how a request that carries a key is led to another address: the key stays with the origin that it was meant for.
// (fetch alone keeps only `Authorization` back.) Must not know: what is asked.

const REDIRECTS = [301, 302, 303, 307, 308];
const MOST = 20;

/** The server led to where nobody follows. */
export class RedirectError extends Error {
  name = "RedirectError";
  code = "REDIRECT";
}

/**
 * `fetch` that sends the caller's own headers to the origin of `url` alone.
 * @param {string} url absolute; in a page it may be relative
 * @param {{ method: string, headers: Record<string, string>, body?: string, signal?: AbortSignal }} request
 * @param {Record<string, string>} own headers
 * @returns {Promise<Response>}
 */
export async function fetchWithOwn(url, { method, headers, body, signal }, own) {
  const redirect = Object.keys(own).length > 0 ? "manual" : "follow";
  let mayTell = true;
  for (let count = 0; ; count++) {
    /** @type {Response} */
    const response = await fetch(url, { method, headers: mayTell ? { ...headers, ...own } : headers, body, signal, redirect });
    if (response.type === "opaqueredirect") throw new RedirectError("The server redirects, and a page cannot see where to: say the address that it leads to as `url`");
    const location = REDIRECTS.includes(response.status) ? response.headers.get("location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (count === MOST || !/^https?:$/.test(next?.protocol ?? "")) throw new RedirectError(count === MOST ? `More than ${MOST} redirects` : `The server redirects to "${location}"`);
    mayTell &&= next?.origin === new URL(url).origin;
    url = String(next);
    if (response.status > 303 || method === "GET") continue;
    const { "Content-Type": _, ...rest } = headers;
    [method, headers, body] = ["GET", rest, undefined];
  }
}
