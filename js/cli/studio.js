// SPDX-License-Identifier: MIT
// The page of `weftgraph studio`: <weft-studio> over the server that it comes from. The page has no
// secrets: the token is in the part of its address that is not sent.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Weft Studio</title>
<link rel="stylesheet" href="/studio/page.css">
<weft-studio></weft-studio>
<script type="module" src="/studio/studio.js"></script>
<script type="module" src="/studio/page.js"></script>
</html>
`;
const STYLE = "html { color-scheme: light dark; } body { margin: 0; }\n";
const HEADERS = Object.freeze({
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-cache",
});

/** @type {Record<string, () => [type: string, body: string]>} */
const FILES = {
  "/studio": () => ["text/html; charset=utf-8", PAGE],
  "/studio/page.css": () => ["text/css; charset=utf-8", STYLE],
  "/studio/page.js": () => script("./studio-page.js"),
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
 * @returns {Response | undefined} a file of the page; undefined: it asks for something else
 */
export function studioPage({ method, url }) {
  const { pathname } = new URL(url);
  if (method !== "GET" || !Object.hasOwn(FILES, pathname)) return undefined;
  const [type, body] = FILES[pathname]();
  return new Response(body, { headers: { ...HEADERS, "content-type": type } });
}
