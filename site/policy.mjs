// SPDX-License-Identifier: MIT
// The content security policy of the pages, which each carries in its head, and the headers that a
// host should send. The worker that runs examples has a policy of its own: it loads programs; so
// has the studio.
import { createHash } from "node:crypto";
import * as studio from "../web-demo/policy.mjs";

/** Where the studio is. */
export const STUDIO = "/studio/";

const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Puts the policy at the beginning of a page's head.
 * @param {string} html
 * @returns {string}
 */
export function withPolicy(html) {
  // Scripts set styles again, as properties; the policy allows no style attributes.
  const page = html.replaceAll(/(<[a-z][^<>]*?) style="[^"]*"/g, "$1");
  const scripts = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const policy = [
    "default-src 'self'",
    `script-src ${["'self'", ...new Set(scripts.map(([, text]) => hashOf(text)))].join(" ")}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return page.replace(
    /<meta charset="utf-8">/,
    `$&\n    <meta http-equiv="content-security-policy" content="${policy}">`,
  );
}

/** Policy of the worker: it loads the program as a blob, compiles the engine, asks nobody. */
const WORKER = "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; connect-src data:";

const KEPT = "max-age=31536000";
const EVERYWHERE = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/**
 * What a server should send with a file.
 * @param {string} path without the base
 * @returns {Record<string, string>}
 */
export function headersFor(path) {
  if (path.startsWith(STUDIO)) return studio.fileHeaders(path.slice(STUDIO.length - 1));
  return {
    ...EVERYWHERE,
    ...(path.startsWith("/run/")
      ? { "content-security-policy": WORKER }
      : { "x-frame-options": "DENY" }),
    "cache-control": /^\/(assets|run\/packages)\//.test(path) ? KEPT : "no-cache",
  };
}

/**
 * The same as a file, in the form that Cloudflare Pages, Netlify and others read at the root of a
 * host. Where several sections fit an address, it gets the headers of all.
 * @param {string} [base] where the site is on its host, with a slash at both ends
 */
export function headersFile(base = "/") {
  const section = (/** @type {string} */ path, /** @type {Record<string, string>} */ headers) =>
    `${base}${path}\n${Object.entries(headers)
      .map(([name, value]) => `  ${name}: ${value}\n`)
      .join("")}`;
  const studioPath = STUDIO.slice(1);
  return (
    section("*", { ...EVERYWHERE, "x-frame-options": "DENY" }) +
    section("assets/*", { "cache-control": KEPT }) +
    section("run/*", { "content-security-policy": WORKER }) +
    section("run/packages/*", { "cache-control": KEPT }) +
    section(`${studioPath}*`, {
      "content-security-policy": studio.contentSecurityPolicy({ header: true }),
    }) +
    section(`${studioPath}assets/*`, { "cache-control": studio.KEPT })
  );
}
