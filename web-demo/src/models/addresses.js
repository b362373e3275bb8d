// SPDX-License-Identifier: MIT
// Says whether a model service's address can be asked from this page: it is one, and the page's
// policy and the browser let requests go there. Must not know: the form.

/** What the policy allows where the page does not say: see web-demo/policy.mjs. */
const USUAL = ["'self'", "https:", "http://localhost:*", "http://127.0.0.1:*"];

/**
 * The addresses that the page may connect to, in the words of its policy.
 * @param {Document} page
 * @returns {string[]}
 */
export function allowedSources(page) {
  const own = page.querySelector('meta[name="weft-connect"]')?.getAttribute("content");
  return own === null || own === undefined ? USUAL : own.split(/\s+/).filter(Boolean);
}

/**
 * What is wrong with the address of a service, if anything, and the way out.
 * @param {string} address
 * @param {{ sources?: string[], origin?: string }} [place] what the policy allows; the page's own
 * @returns {string | undefined}
 */
export function wrongAddress(address, { sources = USUAL, origin = "" } = {}) {
  const text = address.trim();
  if (text === "") return "Give the address of the service, for example https://api.openai.com/v1";
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    return "Give a whole address, for example https://api.openai.com/v1";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    return "Leave name and password out of the address; a key has its own field.";
  if (url.search !== "" || url.hash !== "")
    return "Give the address without ? and #: the path of the request is added to it.";
  if (/\/(?:chat\/completions|messages|models)\/?$/.test(url.pathname))
    return `Give the address without ${/\/(?:chat\/completions|messages|models)\/?$/.exec(url.pathname)?.[0]}: the page adds it.`;
  if (sources.some((source) => allows(source, url, origin))) return undefined;
  if (url.hostname.startsWith("[")) {
    const isOwn = url.hostname === "[::1]";
    return isOwn
      ? `This page may not connect to [::1]: write ${url.protocol}//localhost${url.port && `:${url.port}`}${url.pathname}`
      : "This page may not connect to an IPv6 address: give its name.";
  }
  return `This page may not connect to ${url.origin}. Serve it with: node web-demo/serve.mjs --connect ${url.origin} (or reach the service over https, or on this machine as localhost).`;
}

/**
 * Does a source of a content security policy match an address?
 * @param {string} source @param {URL} url @param {string} origin of the page
 */
function allows(source, url, origin) {
  if (source === "'self'") return url.origin === origin;
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return url.protocol === source.toLowerCase();
  const found = /^(https?):\/\/([^/:]+|\[[^\]]*\])(?::(\d+|\*))?(?:\/.*)?$/i.exec(source);
  if (found === null) return false;
  const [, scheme, host, port] = found;
  const isScheme = url.protocol === `${scheme.toLowerCase()}:`;
  const isHost = url.hostname === host.toLowerCase() && !host.startsWith("[");
  const usual = scheme.toLowerCase() === "https" ? "443" : "80";
  return isScheme && isHost && (port === "*" || (url.port || usual) === (port ?? usual));
}
