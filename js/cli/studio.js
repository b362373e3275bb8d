// SPDX-License-Identifier: MIT
// The page of `weftgraph studio`: <weft-studio> over the server that it comes from, or over one
// that is elsewhere. The page has no secrets: the token is in the part of its address that is not
// sent.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { readURL } from "../base/check-arguments.js";
import { UsageError } from "./usage.js";

/** Others could end an attribute or a directive of the page. */
const HOST = /^[\w.:[\]-]+$/;

/** @param {string} [url] of a server elsewhere */
const pageOf = (url) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Weft Studio</title>
<link rel="stylesheet" href="/studio/page.css">
<header id="recording" hidden>
  <p id="taken" role="status"></p>
  <button type="button" id="close">Close the recording</button>
</header>
<p id="problem" role="alert" hidden></p>
<weft-studio${url === undefined ? "" : ` url="${url.replaceAll("&", "&amp;")}"`}>
  <button type="button" id="save" slot="tools" disabled>Save recording</button>
  <button type="button" id="open" slot="tools">Open recording</button>
</weft-studio>
<script type="module" src="/studio/studio.js"></script>
<script type="module" src="/studio/page.js"></script>
</html>
`;
const STYLE = `html { color-scheme: light dark; }
body { display: flex; flex-direction: column; block-size: 100dvh; margin: 0; font: .9375rem/1.5 system-ui, sans-serif; }
weft-studio { flex: 1; block-size: auto; }
#recording, #problem { margin: 0; padding: 8px 14px; }
#recording:not([hidden]) { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; border-block-end: 3px solid; }
#recording p { margin: 0; }
#problem { border-inline-start: 5px solid light-dark(#b3261e, #ff8d85); }
button { min-block-size: 34px; padding: 3px 12px; border: 1px solid light-dark(#8b90a6, #6d738c); border-radius: 8px; background: none; color: inherit; font: inherit; cursor: pointer; }
button:disabled { opacity: .6; cursor: default; }
`;
const HEADERS = Object.freeze({
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-cache",
});

/** @param {string} [url] of a server elsewhere */
const policyOf = (url) =>
  `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'${url === undefined ? "" : ` ${new URL(url).origin}`}; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html";

/** @type {Record<string, (url?: string) => [type: string, body: string]>} */
const FILES = {
  "/studio": (url) => ["text/html; charset=utf-8", pageOf(url)],
  "/studio/page.css": () => ["text/css; charset=utf-8", STYLE],
  "/studio/page.js": () => script("./studio-page.js"),
  "/studio/studio-recordings.js": () => script("./studio-recordings.js"),
  "/studio/recording.js": () => script("./recording.js"),
  "/studio/studio.js": () => script("../studio/studio.js"),
};

/** @param {string} path @returns {[type: string, body: string]} */
function script(path) {
  return ["text/javascript; charset=utf-8", readFileSync(new URL(path, import.meta.url), "utf8")];
}

/** @returns {string} what a page of another site cannot guess */
export function makeToken() {
  return randomBytes(24).toString("base64url");
}

/**
 * @param {Request} request
 * @param {string} [address] of a server elsewhere
 * @returns {Response | undefined} a file of the page; undefined: it asks for something else
 */
export function studioPage({ method, url }, address) {
  const { pathname } = new URL(url);
  if (method !== "GET" || !Object.hasOwn(FILES, pathname)) return undefined;
  const [type, body] = FILES[pathname](address);
  const headers = { "content-type": type, "content-security-policy": policyOf(address) };
  return new Response(body, { headers: { ...HEADERS, ...headers } });
}

/**
 * @param {string[]} words behind `studio`
 * @returns {string | undefined} the address of a server, where that is what is to be shown
 * @throws UsageError
 */
export function serverElsewhere(words) {
  const address = words.find((word) => /^https?:/i.test(word));
  if (address === undefined) return undefined;
  const url = readURL(address);
  if (words.length > 1 || url === undefined || !HOST.test(url.host))
    throw new UsageError(
      "Give the studio one address of a server, such as http://127.0.0.1:8787, or modules of graphs.",
    );
  return url.origin + url.pathname.replace(/\/+$/, "");
}
