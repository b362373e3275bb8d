// SPDX-License-Identifier: MIT
// Knows: what the page may load, where it may connect, that no other page may frame it, and how
// long files may be kept. The page carries the policy in its head; a server has to send the rest,
// which the demo's own does and static hosts read from dist/_headers. Must not know: the page.

export const KEPT = "public, max-age=31536000, immutable";

/**
 * Where models can be asked: behind https, on this machine, and at addresses that are added.
 * @param {string[]} [connect]
 */
export function modelSources(connect = []) {
  return ["'self'", "https:", "http://localhost:*", "http://127.0.0.1:*", ...connect];
}

/**
 * The content security policy: in a page's head, or as a header. A page leaves it to its worker to
 * ask models, whose policy is the header of its own file.
 * @param {{ connect?: string[], header?: boolean }} [options]
 */
export function contentSecurityPolicy({ connect, header = false } = {}) {
  const rules = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `connect-src ${header ? modelSources(connect).join(" ") : "'self'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html weft-worker weft-offline",
  ];
  // A policy in the page's head cannot forbid framing.
  if (header) rules.push("frame-ancestors 'none'");
  return rules.join("; ");
}

/**
 * What a server has to send with every file of the demo.
 * @param {{ connect?: string[] }} [options]
 * @returns {Record<string, string>}
 */
export function pageHeaders({ connect } = {}) {
  return {
    "content-security-policy": contentSecurityPolicy({ connect, header: true }),
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}

/**
 * The headers of one file. A part of a script is no page and no worker: of the policy it needs
 * nothing.
 * @param {string} path
 * @param {{ connect?: string[] }} [options]
 * @returns {Record<string, string>}
 */
export function fileHeaders(path, options) {
  const isPart = path.startsWith("/assets/") && !/worker-[^/]*\.js$/.test(path);
  return {
    ...(isPart ? { "x-content-type-options": "nosniff" } : pageHeaders(options)),
    "cache-control": cacheControl(path),
  };
}

/**
 * How long a file may be kept: for ever below assets/, where a name says its content; the others
 * are asked for each time, and come only if they changed.
 * @param {string} path
 */
function cacheControl(path) {
  return path.startsWith("/assets/") ? KEPT : "no-cache";
}

/**
 * The same as a file, in the form that Cloudflare Pages, Netlify and others read.
 * @param {{ connect?: string[] }} [options]
 */
export function headersFile(options) {
  const lines = (/** @type {Record<string, string>} */ headers) =>
    Object.entries(headers)
      .map(([name, value]) => `  ${name}: ${value}\n`)
      .join("");
  return `/*\n${lines(pageHeaders(options))}/assets/*\n${lines({ "cache-control": KEPT })}`;
}
